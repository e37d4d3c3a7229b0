/** A line of `doctor`'s report. */
export interface Check {
  name: string
  status: 'ok' | 'warning' | 'problem'
  message: string
  /** The remedy of a warning or problem. */
  fix?: string
}

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message }
}

export function warning(name: string, message: string, fix: string): Check {
  return { name, status: 'warning', message, fix }
}

export function problem(name: string, message: string, fix: string): Check {
  return { name, status: 'problem', message, fix }
}
