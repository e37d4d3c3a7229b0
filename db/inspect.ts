import { readMigrationFiles } from 'drizzle-orm/migrator'
import { createDatabase, type Database } from './database'
import { compareMigrations, type SchemaState } from './migrate'
import { migrationsFolder } from './open'
import { openReadOnly, openSqlite } from './sqlite'

export interface Inspection {
  /** Damage that the engine found, one line each; empty if there is none. */
  damage: string[]
  /** Hashes of the applied migrations. */
  migrations: string[]
  schema: SchemaState
}

/** Inspects a database file without changing it. `full` also compares indexes with their tables. */
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
    // Some damage makes the check itself fail.
    if (!isDamage(error)) throw error
    return { damage: [error.message], migrations: [], schema: 'none' }
  } finally {
    connection.close()
  }
}

function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|IOERR)/.test(String(error.code))
}

/** Compares applied migrations with this version. */
export function compareSchema(applied: string[]): SchemaState {
  const known = readMigrationFiles({ migrationsFolder: migrationsFolder() }).map(({ hash }) => hash)
  return compareMigrations(applied, known)
}

/** Opens a database without migrating it, for files that this version may not be able to serve. */
export function openUnmigrated(file: string): Database {
  return createDatabase(openSqlite(file))
}
