import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { migrationsFolder } from '../../db/open'

/** Names and statements of the tables that fit a condition on `sqlite_master`, as far as they differ in meaning. */
export function tablesOf(file: string, condition: string): unknown {
  const connection = new SQLite(file, { readonly: true })
  const rows = connection.prepare(`select name, sql from sqlite_master where ${condition} order by name`).all()
  connection.close()
  return (rows as { name: string; sql: string | null }[]).map(({ name, sql }) => [
    name,
    sql?.toLowerCase().replaceAll(/\s+/g, ''),
  ])
}

/** The statements of a migration of SQLite, and those of all before it. */
export function statementsOf(name: string): { before: string[]; migration: string[] } {
  const folder = migrationsFolder()
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as { entries: { tag: string }[] }
  const place = journal.entries.findIndex(({ tag }) => tag.endsWith(name))
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  return {
    before: migrations.slice(0, place).flatMap(({ sql }) => sql),
    migration: migrations[place]?.sql ?? [],
  }
}
