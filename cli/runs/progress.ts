import type { Io } from '../io'

export interface Progress {
  /** A `total` of 0 is unknown; null hides the count. `counts` replaces the two numbers. */
  show(state: { label: string; done: number | null; total: number; counts?: string; detail?: string }): void
  /** Removes the bar. */
  end(): void
}

const barWidth = 24
const lineEveryMs = 3_000

/** Shows progress on stderr: a bar on a terminal, else a line every few seconds; nothing with `json`. */
export function createProgress(io: Io, { json = false, now = Date.now } = {}): Progress {
  let lastLine = ''
  let lastAt = Number.NEGATIVE_INFINITY
  let drawn = false

  return {
    show({ label, done, total, counts = countsOf(done, total), detail = '' }) {
      if (io.columns !== null) {
        const text = `${label} ${bar(done ?? 0, total)} ${counts}  ${detail}`
        io.err(`\r\u001b[K${text.slice(0, Math.max(20, io.columns - 1))}`)
        drawn = true
        return
      }
      const line = counts === '' ? label : `${label}: ${counts}`
      if (json || line === lastLine || now() - lastAt < lineEveryMs) return
      lastLine = line
      lastAt = now()
      io.err(`${line}\n`)
    },
    end() {
      if (drawn) io.err('\r\u001b[K')
      drawn = false
    },
  }
}

function countsOf(done: number | null, total: number): string {
  return total > 0 ? `${done ?? 0} of ${total}` : `${done ?? ''}`
}

function bar(done: number, total: number): string {
  const full = total > 0 ? Math.round((Math.min(done, total) / total) * barWidth) : 0
  return `[${'#'.repeat(full)}${'-'.repeat(barWidth - full)}]`
}
