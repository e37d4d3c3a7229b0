import { readMigrationFiles } from 'drizzle-orm/migrator'
import { createDatabase, type Database } from './database'
import { migrationsFolder } from './open'
import { openReadOnly, openSqlite } from './sqlite'

export interface Inspection {
  /** What the engine found broken, one line each; empty for a sound file. */
  damage: string[]
  /** Migrations that were applied, by hash. */
  migrations: string[]
  /** Compared with this version: 'newer' cannot be opened by it, 'older' is migrated when it is. */
  schema: 'current' | 'older' | 'newer' | 'none'
}

/** Looks into a database file without changing it. `full` compares indexes with their tables, too. */
export function inspectSqlite(file: string, { full }: { full: boolean }): Inspection {
  const connection = openReadOnly(file)
  const column = (sql: string) => connection.prepare(sql).pluck().all().map(String)
  try {
    const report = column(full ? 'pragma integrity_check' : 'pragma quick_check').flatMap((row) => row.split('\n'))
    const damage = report.filter((line) => line !== 'ok' && !line.startsWith('***'))
    const hasMigrations = column("select name from sqlite_master where name = 'migrations'").length > 0
    const migrations = hasMigrations ? column('select hash from migrations') : []
    return { damage, migrations, schema: compareSchema(migrations) }
  } catch (error) {
    // Some damage ends the check itself.
    if (!isDamage(error)) throw error
    return { damage: [error.message], migrations: [], schema: 'none' }
  } finally {
    connection.close()
  }
}

function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|IOERR)/.test(String(error.code))
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
