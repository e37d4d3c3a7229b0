import { readMigrationFiles } from 'drizzle-orm/migrator'
import { createDatabase, type Database, type Run } from './database'
import { migrationsFolder } from './open'
import { openSqlite } from './sqlite'

export interface Inspection {
  /** What the engine found broken, one line each; empty for a sound file. */
  damage: string[]
  /** Migrations that were applied, by hash. */
  migrations: string[]
  /** Compared with this version: 'newer' cannot be opened by it, 'older' is migrated when it is. */
  schema: 'current' | 'older' | 'newer' | 'none'
}

/** Looks into a database file without changing what it holds. `full` compares indexes with their tables, too. */
export async function inspectSqlite(file: string, { full }: { full: boolean }): Promise<Inspection> {
  const engine = openSqlite(file)
  try {
    const rows = await select(engine.run, full ? 'pragma integrity_check' : 'pragma quick_check')
    const damage = rows.filter((line) => line !== 'ok')
    const migrations = await select(engine.run, "select name from sqlite_master where name = 'migrations'").then(
      (found) => (found.length > 0 ? select(engine.run, 'select hash from migrations') : []),
    )
    return { damage, migrations, schema: compareSchema(migrations) }
  } finally {
    await engine.close()
  }
}

/** How a set of applied migrations stands to this version. */
export function compareSchema(applied: string[]): Inspection['schema'] {
  const known = readMigrationFiles({ migrationsFolder: migrationsFolder() }).map(({ hash }) => hash)
  if (applied.some((hash) => !known.includes(hash))) return 'newer'
  if (applied.length === 0) return 'none'
  return known.every((hash) => applied.includes(hash)) ? 'current' : 'older'
}

/** The database as it is: nothing is migrated. For files that this version may not be able to serve. */
export function openUnmigrated(file: string): Database {
  return createDatabase(openSqlite(file))
}

async function select(run: Run, sql: string): Promise<string[]> {
  const rows = (await run({ sql, params: [], rows: 'arrays' })) as unknown[][]
  return rows.map(([first]) => String(first))
}
