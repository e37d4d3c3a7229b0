import { isAppError } from '../server/errors'
import { CommandError, type Io } from './io'

// By name: the classes live in parts that a broken native module may keep from loading.
const expected = new Set(['ConfigError', 'NewerSchemaError'])
const wordsOf: Record<string, string> = {
  ENOSPC: 'The disk is full. Make space and run the command again.',
  SQLITE_FULL: 'The disk is full. Make space and run the command again.',
  EACCES: 'A file may not be read or written by this user. Run the command as the user that runs Sitelore.',
  SQLITE_CORRUPT: 'The database is damaged. Restore a backup.',
  SQLITE_NOTADB: 'The file sitelore.db in the data folder is not a database. Restore a backup.',
}

/** Says in one line what went wrong, with the trace under LOG_LEVEL=debug. Returns the exit code. */
export function reportFailure(io: Io, failure: unknown): number {
  if (io.signal.aborted && isAbort(failure)) {
    io.err('Stopped.\n')
    return 1
  }
  const error = failure instanceof Error ? failure : new Error(String(failure))
  io.err(`${lineOf(error)}\n`)
  if (io.environment.LOG_LEVEL === 'debug') io.err(`${error.stack ?? ''}\n`)
  if (error instanceof CommandError) return error.exitCode
  return isAppError(error) && error.code === 'invalid_input' ? 2 : 1
}

function lineOf(error: Error): string {
  if (error instanceof CommandError || isAppError(error) || expected.has(error.name)) return error.message
  const code = 'code' in error ? String(error.code) : ''
  return wordsOf[code] ?? `The command failed: ${error.message.replace(/\.$/, '')}. See what "sitelore doctor" says.`
}

function isAbort(failure: unknown): boolean {
  return failure instanceof Error && failure.name === 'AbortError'
}
