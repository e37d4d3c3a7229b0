import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Engine } from './database'

/** The database was made by a newer version of the product. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
}

/**
 * Applies what is missing, in one transaction. Processes that start together wait for the first of them.
 * `beforeChange` runs once, before the first change to a database that holds something: it makes a copy.
 * Throws NewerSchemaError when the database knows a migration that this version does not.
 */
export async function migrate(
  engine: Engine,
  migrationsFolder: string,
  beforeChange: () => Promise<void> = async () => {},
): Promise<void> {
  const files = readMigrationFiles({ migrationsFolder })
  const known = new Set(files.map((file) => file.hash))
  const before = await appliedTo(engine)
  if ([...before].some((hash) => !known.has(hash))) {
    throw new NewerSchemaError(
      'A newer version of Sitelore created the database. Start that version, or restore a backup made by this one.',
    )
  }
  if (files.every((file) => before.has(file.hash))) return
  if (before.size > 0) await beforeChange()
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

async function appliedTo(engine: Engine): Promise<Set<string>> {
  try {
    const rows = (await engine.run({ sql: 'select hash from migrations', params: [], rows: 'arrays' })) as string[][]
    return new Set(rows.flat())
  } catch (error) {
    // A database without the table is a new one; any other failure shows when the migrations run.
    if (error instanceof Error && /migrations/.test(error.message)) return new Set()
    throw error
  }
}
