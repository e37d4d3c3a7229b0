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

const worthARetry = new Set(['40001', '40P01'])

/** Drizzle wraps what the driver threw; this is the driver's error, or a ConstraintError around it. */
export function translateError(error: unknown): unknown {
  const thrown = driverError(error)
  const constraint = constraints[codeOf(thrown)]
  return constraint ? new ConstraintError(constraint, { cause: thrown }) : thrown
}

export function isWorthARetry(error: unknown): boolean {
  return worthARetry.has(codeOf(driverError(error)))
}

function driverError(error: unknown): unknown {
  return error instanceof Error && error.name !== 'ConstraintError' && 'query' in error && error.cause
    ? error.cause
    : error
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
