import { CommanderError } from 'commander'
import { isAppError } from '../server/errors'
import { startErrorCode } from '../server/start-errors'
import { CommandError, type Io, UsageError } from './io'

/** A failure, as the object `error` of a JSON document. */
interface ErrorReport {
  code: string
  message: string
  /** Messages by field. */
  fields?: Record<string, string[]>
  /** Stack of the error, with LOG_LEVEL=debug. */
  stack?: string
}

const systemErrors: Record<string, string> = {
  ENOSPC: 'The disk is full. Free some space and run the command again.',
  SQLITE_FULL: 'The disk is full. Free some space and run the command again.',
  EACCES: 'This user has no access to a file. Run the command as the user that runs Sitelore.',
  SQLITE_CORRUPT: 'The database is damaged. Restore a backup.',
  SQLITE_NOTADB: 'The file sitelore.db in the data folder is not a database. Restore a backup.',
}

/**
 * Prints an error in one line, or with `json` as {"error": {"code", "message"}}; with its stack if LOG_LEVEL is debug.
 * Returns the exit code.
 */
export function reportFailure(io: Io, failure: unknown, json: boolean): number {
  const report = tell(io, failure)
  if (json) io.err(`${JSON.stringify({ error: report })}\n`)
  // Commander has already printed its own errors, with the usage.
  else if (!(failure instanceof CommanderError)) io.err(`${report.message}\n${report.stack ? `${report.stack}\n` : ''}`)
  return isWrongUse(failure) ? 2 : 1
}

function tell(io: Io, failure: unknown): ErrorReport {
  if (failure instanceof CommanderError) return { code: 'usage', message: systemErrorsUsage(failure) }
  if (io.signal.aborted && isAbort(failure)) return { code: 'stopped', message: 'Stopped.' }
  const error = failure instanceof Error ? failure : new Error(String(failure))
  const fields = isAppError(error) ? error.details.fields : undefined
  const isDebug = io.environment.LOG_LEVEL === 'debug'
  return {
    code: codeOf(error),
    message: lineOf(error),
    ...(fields && { fields }),
    ...(isDebug && error.stack && { stack: error.stack }),
  }
}

function systemErrorsUsage({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'Name a command. Add --help to see them.' : message.replace(/^error: /, '')
}

function codeOf(error: Error): string {
  if (isAppError(error)) return error.code
  if (error instanceof UsageError) return 'usage'
  if (error instanceof CommandError) return 'failed'
  return startErrorCode(error) ?? 'internal'
}

function lineOf(error: Error): string {
  if (error instanceof CommandError || isAppError(error) || startErrorCode(error)) return error.message
  const code = 'code' in error ? String(error.code) : ''
  return (
    systemErrors[code] ?? `The command failed: ${error.message.replace(/\.$/, '')}. See what "sitelore doctor" says.`
  )
}

function isWrongUse(failure: unknown): boolean {
  if (failure instanceof CommanderError || failure instanceof UsageError) return true
  return isAppError(failure) && failure.code === 'invalid_input'
}

function isAbort(failure: unknown): boolean {
  return failure instanceof Error && failure.name === 'AbortError'
}
