import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Connection } from './copy/table-rows'
import { createDatabase, type Database, type Engine } from './database'
import { type EngineName, engine } from './engine'
import { setDefaults } from './environment'
import { assertCurrent, migrate } from './migrate'
import type { PostgresOptions } from './postgres'

/**
 * Opens and migrates a database by file path or PostgreSQL URL. Creates a missing file, and copies an existing one before
 * a migration. Throws DatabaseOpenError and SchemaError.
 */
export async function openDatabase(
  url: string,
  { rehearse = false, ...options }: { rehearse?: boolean } & PostgresOptions = {},
): Promise<Database> {
  return createDatabase(await openEngine(engine, url, options), { rehearse })
}

/** Like `openDatabase`, for either engine, to copy rows from one to the other. */
export function openEngine(name: EngineName, url: string, options: PostgresOptions = {}): Promise<Engine> {
  return name === 'postgres' ? openServer(url, options) : openFile(url)
}

/** Opens a database of this version to read it, and never changes it. Throws DatabaseOpenError and SchemaError. */
export async function openSource(url: string): Promise<Connection & { close(): Promise<void> }> {
  const source = await openUnchanged(url)
  try {
    await assertCurrent(source.run, migrationsFolder())
    return source
  } catch (error) {
    await source.close()
    throw error
  }
}

async function openUnchanged(url: string): Promise<Connection & { close(): Promise<void> }> {
  if (engine === 'sqlite') {
    const { openSqliteReader } = await import('./sqlite')
    return { engine, ...openSqliteReader(url) }
  }
  const { openPostgres, waitForPostgres } = await import('./postgres')
  await waitForPostgres(url, { startMs: 0 })
  const { run, close } = openPostgres(url, { maxConnections: 2 })
  return { engine, run, close }
}

/** Loads only the driver in use. */
async function openServer(url: string, options: PostgresOptions): Promise<Engine> {
  const { openPostgres, waitForPostgres } = await import('./postgres')
  await waitForPostgres(url, options)
  return migrated('postgres', openPostgres(url, options))
}

async function openFile(file: string): Promise<Engine> {
  const { copySqlite, openSqlite } = await import('./sqlite')
  const { prepareSqliteFile, toOpenError } = await import('./sqlite-file')
  // In a container, the data folder may be the only one that can be written.
  setDefaults({ SQLITE_TMPDIR: dirname(file) })
  await prepareSqliteFile(file, async (draft) => (await migrated('sqlite', openSqlite(draft))).close())
  try {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
    return await migrated('sqlite', openSqlite(file), async () => copySqlite(file, `${file}.before-migration-${stamp}`))
  } catch (error) {
    throw toOpenError(file, error)
  }
}

async function migrated(name: EngineName, opened: Engine, beforeChange?: () => Promise<void>): Promise<Engine> {
  try {
    await migrate(opened, migrationsFolder(name), beforeChange)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Returns the folder of the migrations: beside the sources, or in the repository's root for the bundle. */
export function migrationsFolder(name: EngineName = engine): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'db', 'migrations', name)
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) throw new Error('db/migrations is missing.')
  }
}
