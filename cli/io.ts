import type { Overrides } from '../server/app'

/** The streams, folders and signal of a command. Tests replace those of the process. */
export interface Io {
  /** Writes results only. */
  out(text: string): void
  /** Whether `out` is a terminal, where a person reads along. */
  isTerminal: boolean
  /** Writes progress, notes and errors. */
  err(text: string): void
  /** Columns of the terminal that `err` writes to; null if it is no terminal. */
  columns: number | null
  environment: NodeJS.ProcessEnv
  /** Folder of `.env`. A relative DATA_DIR is resolved against it. */
  root: string
  /** Folder of the caller. Files in the arguments are resolved against it. */
  folder: string
  /** Aborts on Ctrl-C. */
  signal: AbortSignal
  overrides?: Overrides
}

/** Options of every command. */
export interface Globals {
  organization?: string
  json?: boolean
}

/** Ends the command with a one-line message and exit code 1. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly exitCode: number = 1
}

/** Ends the command with exit code 2: wrong usage. */
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
