export type Constraint = 'unique' | 'foreign_key' | 'check' | 'not_null'

/** The engine refused a row. SQLite does not say which foreign key or check, so decide by `constraint` alone. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError'
  constructor(
    readonly constraint: Constraint,
    options: ErrorOptions,
  ) {
    super(`The database refused a row: ${constraint}`, options)
  }
}

export function isConstraintError(error: unknown, constraint: Constraint): error is ConstraintError {
  return error instanceof ConstraintError && error.constraint === constraint
}

// What the edge knows an expected error by. Nothing is imported here, so its mark is named by its text.
const mark = Symbol.for('sitelore.AppError')

/** The disk or the database is full: writes fail, reads work. Has the shape of an AppError and is shown as one. */
export class StorageFullError extends Error {
  override readonly name = 'StorageFullError'
  readonly [mark] = true
  readonly code = 'storage_full'
  readonly details = {}
  constructor(options: ErrorOptions) {
    super('The disk of this server is full, so nothing can be stored. Free some space, then try again.', options)
  }
}

/** The database server does not respond. Has the shape of an AppError and is shown as one. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
  readonly [mark] = true
  readonly code = 'unavailable'
  readonly details = { retryAfterSeconds: 5 }
  constructor(options: ErrorOptions) {
    super('The database does not respond at the moment. Try again in a minute.', options)
  }
}

/** The database cannot be opened. `message` is one line that says why and what to do. */
export class DatabaseOpenError extends Error {
  override readonly name = 'DatabaseOpenError'
}

const constraints: Record<string, Constraint> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign_key',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_NOTNULL: 'not_null',
  '23505': 'unique',
  '23503': 'foreign_key',
  '23514': 'check',
  '23502': 'not_null',
}

const full = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'ENOSPC', '53100'])
const worthARetry = new Set(['40001', '40P01'])
/** A lock or a statement took too long. */
const timedOut = new Set(['55P03', '57014'])
/** The server is not there, is starting or ending, has no connection left, or has become a standby. */
const connectionLost = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH 57P01 57P02 57P03 08000 08001 08003 08004 08006 53300 25006'.split(
    ' ',
  ),
)
const lostMessages =
  /^Connection terminated|^timeout expired|timeout exceeded when trying to connect|not queryable|^Query read timeout/

/** Drizzle wraps what the driver threw; this is the driver's error, or one of ours around it. */
export function translateError(error: unknown): unknown {
  const thrown = driverError(error)
  const code = codeOf(thrown)
  if (full.has(code)) return new StorageFullError({ cause: thrown })
  if (timedOut.has(code) || isConnectionLost(thrown)) return new DatabaseUnavailableError({ cause: thrown })
  const constraint = constraints[code]
  return constraint ? new ConstraintError(constraint, { cause: thrown }) : thrown
}

/** Whether a transaction that was not committed may be run again. */
export function isWorthARetry(error: unknown): boolean {
  const thrown = driverError(error)
  return worthARetry.has(codeOf(thrown)) || isConnectionLost(thrown)
}

/** Whether the connection to a database server could not be opened, or was lost. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailableError) return false
  return connectionLost.has(codeOf(error)) || lostMessages.test(error.message)
}

function driverError(error: unknown): unknown {
  return error instanceof Error && error.name !== 'ConstraintError' && 'query' in error && error.cause
    ? error.cause
    : error
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
