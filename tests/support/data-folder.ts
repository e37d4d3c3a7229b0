import { copyFile, cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Made by `prepare.ts`; undefined where no test runs, in benches and in processes of their own. */
const template = process.env.TEST_DATA_TEMPLATE

/**
 * A new data folder. In tests it is a copy that holds secrets and a migrated, empty database: making a signing key and
 * migrating takes longer than most tests.
 */
export async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sitelore-data-'))
  if (template) await cp(template, folder, { recursive: true })
  return folder
}

/** The path of a new database file, migrated like that of a data folder. */
export async function newDatabaseFile(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'sitelore-database-')), 'test.db')
  if (template) await copyFile(join(template, 'sitelore.db'), file)
  return file
}
