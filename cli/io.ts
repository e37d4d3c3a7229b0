import type { Overrides } from '../server/app'

/** Where a command reads and writes. Tests put their own in place of the process. */
export interface Io {
  /** Results, and nothing else. */
  out(text: string): void
  /** Progress, notes and errors. */
  err(text: string): void
  /** Width of the terminal that `err` writes to; null where it is none. */
  columns: number | null
  environment: NodeJS.ProcessEnv
  /** Folder of `.env`, which a relative DATA_DIR starts from. */
  root: string
  /** Folder of the person who calls, which files on the command line start from. */
  folder: string
  /** Aborts on Ctrl-C. */
  signal: AbortSignal
  overrides?: Overrides
}

/** Options that every command knows. */
export interface Globals {
  organization?: string
  json?: boolean
}

/** Ends a command with one line for the person: exit code 1. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly exitCode: number = 1
}

/** The command was called wrongly: exit code 2. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2
}

export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`)
}

export function printLines(io: Io, lines: string[]): void {
  io.out(`${lines.join('\n')}\n`)
}

/** 'one page', '2 pages': the number with its noun. */
export function counted(many: number, noun: string, plural = `${noun}s`): string {
  return `${many} ${many === 1 ? noun : plural}`
}
