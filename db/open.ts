import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, type Database, type Engine } from './database'
import { engine } from './engine'
import { migrate } from './migrate'
import type { PostgresOptions } from './postgres'

/**
 * Opens and migrates a database by file path or PostgreSQL URL. Creates a missing file, and copies an existing one before
 * a migration. Throws DatabaseOpenError and SchemaError.
 */
export async function openDatabase(
  url: string,
  { rehearse = false, ...options }: { rehearse?: boolean } & PostgresOptions = {},
): Promise<Database> {
  const opened = engine === 'postgres' ? await openServer(url, options) : await openFile(url)
  return createDatabase(opened, { rehearse })
}

/** Loads only the driver in use. */
async function openServer(url: string, options: PostgresOptions): Promise<Engine> {
  const { openPostgres, waitForPostgres } = await import('./postgres')
  await waitForPostgres(url, options)
  return migrated(openPostgres(url, options))
}

async function openFile(file: string): Promise<Engine> {
  const { copySqlite, openSqlite } = await import('./sqlite')
  const { prepareSqliteFile, toOpenError } = await import('./sqlite-file')
  await prepareSqliteFile(file, async (draft) => (await migrated(openSqlite(draft))).close())
  try {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
    return await migrated(openSqlite(file), async () => copySqlite(file, `${file}.before-migration-${stamp}`))
  } catch (error) {
    throw toOpenError(file, error)
  }
}

async function migrated(opened: Engine, beforeChange?: () => Promise<void>): Promise<Engine> {
  try {
    await migrate(opened, migrationsFolder(), beforeChange)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Returns the folder of the migrations: beside the sources, or in the repository's root for the bundle. */
export function migrationsFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'db', 'migrations', engine)
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) throw new Error('db/migrations is missing.')
  }
}
