import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, type Database, type Engine } from './database'
import { engine } from './engine'
import { migrate } from './migrate'

/** Opens and migrates the database: a file's path, or an address of PostgreSQL. A copy is made before a migration. */
export async function openDatabase(url: string, options?: { rehearse?: boolean }): Promise<Database> {
  const opened = await openEngine(url)
  try {
    await migrate(opened.engine, migrationsFolder(), opened.copy)
  } catch (error) {
    await opened.engine.close()
    throw error
  }
  return createDatabase(opened.engine, options)
}

/** Only the driver in use is loaded. */
async function openEngine(url: string): Promise<{ engine: Engine; copy?: () => Promise<void> }> {
  if (engine === 'postgres') return { engine: (await import('./postgres')).openPostgres(url) }
  const { copySqlite, openSqlite } = await import('./sqlite')
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  return { engine: openSqlite(url), copy: async () => copySqlite(url, `${url}.before-migration-${stamp}`) }
}

/** Beside the sources, and in the repository's root beside the bundle. */
export function migrationsFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'db', 'migrations', engine)
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) throw new Error('db/migrations is missing.')
  }
}
