import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Engine, Run } from './database'

/** Another version of the product made the database, and this one cannot open it. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

/** Relative to this version: 'older' is migrated when opened; 'newer' and 'unsupported' cannot be opened. */
export type SchemaState = 'none' | 'older' | 'current' | 'newer' | 'unsupported'

/** Compares the hashes of applied migrations with those of this version, in their order. */
export function compareMigrations(applied: Iterable<string>, known: string[]): SchemaState {
  const set = new Set(applied)
  if (set.size === 0) return 'none'
  // Migrations are only added since the first one: without it, the database is older than all of them.
  if (!set.has(known[0] ?? '')) return 'unsupported'
  if ([...set].some((hash) => !known.includes(hash))) return 'newer'
  return known.every((hash) => set.has(hash)) ? 'current' : 'older'
}

const errors = {
  newer: 'A newer version of Sitelore created the database. Start that version, or restore a backup made by this one.',
  unsupported:
    'The database was made by a development version before 0.1; it cannot be upgraded. Move the data folder away to start a new installation.',
}

/**
 * Applies what is missing, in one transaction. Processes that start together wait for the first of them.
 * `beforeChange` runs once, before the first change to a database that holds something: it makes a copy.
 * Throws SchemaError for a database of a newer version, or of one from before the first migration.
 */
export async function migrate(
  engine: Engine,
  migrationsFolder: string,
  beforeChange: () => Promise<void> = async () => {},
): Promise<void> {
  const files = readMigrationFiles({ migrationsFolder })
  const known = files.map((file) => file.hash)
  const state = compareMigrations(await appliedTo(engine.run), known)
  if (state === 'newer' || state === 'unsupported') throw new SchemaError(errors[state])
  if (state === 'current') return
  if (state === 'older') await beforeChange()
  await engine.exclusive(async (run) => {
    const send = (sql: string) => run({ sql, params: [], rows: 'arrays' })
    await send('create table if not exists migrations (hash text primary key)')
    const applied = new Set(((await send('select hash from migrations')) as string[][]).flat())
    for (const { sql, hash } of files) {
      if (applied.has(hash)) continue
      for (const statement of sql) await send(statement)
      await send(`insert into migrations (hash) values ('${hash}')`)
    }
  })
}

/** Throws SchemaError unless this version made or updated the database. */
export async function assertCurrent(run: Run, migrationsFolder: string): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash)
  const state = compareMigrations(await appliedTo(run), known)
  if (state === 'newer' || state === 'unsupported') throw new SchemaError(errors[state])
  if (state !== 'current')
    throw new SchemaError('An older version of Sitelore used the database last. Run: sitelore migrate')
}

async function appliedTo(run: Run): Promise<Set<string>> {
  try {
    const rows = (await run({ sql: 'select hash from migrations', params: [], rows: 'arrays' })) as string[][]
    return new Set(rows.flat())
  } catch (error) {
    // A database without the table is a new one; any other failure shows when the migrations run.
    if (error instanceof Error && /migrations/.test(error.message)) return new Set()
    throw error
  }
}
