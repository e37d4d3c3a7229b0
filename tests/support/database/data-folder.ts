import { copyFile, cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Made by `prepare.ts`; undefined where no test runs, in benches and in processes of their own. */
const template = process.env.TEST_DATA_TEMPLATE

/** A new data folder. */
export async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sitelore-data-'))
  await fillDataFolder(folder)
  return folder
}

/**
 * In tests, puts secrets and a migrated, empty database into a new data folder: making a signing key and migrating takes
 * longer than most tests.
 */
export async function fillDataFolder(folder: string): Promise<void> {
  if (template) await cp(template, folder, { recursive: true })
}

/** The path of a new database file, migrated like that of a data folder. */
export async function newDatabaseFile(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'sitelore-database-')), 'test.db')
  if (template) await copyFile(join(template, 'sitelore.db'), file)
  return file
}
