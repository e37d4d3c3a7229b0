import { access, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Paths of an installation's data. */
export interface DataFolder {
  dataDir: string
  databaseFile: string
}

export const manifestFileName = 'manifest.json'
export const databaseFileName = 'sitelore.db'
/** File of the data folder with the time and size of the last backup. */
export const lastBackupName = 'last-backup.json'
/** Folder of the uploaded files; each has a row in the database. */
export const filesFolderName = 'files'
export const modelsFolderName = 'models'
/** Subfolders of the data folder that a backup contains if they exist. */
export const folderNames = [filesFolderName, 'secrets', modelsFolderName]

export const manifestSchema = z.object({
  product: z.literal('sitelore'),
  version: z.string(),
  created_at: z.iso.datetime(),
  schema: z.array(z.string()),
  /** Where the database is, if it is not in the archive. */
  database: z.literal('postgresql').optional(),
  /** SHA-256 of each file by its path. Archives of versions before 0.2 have none. */
  checksums: z.record(z.string(), z.string()).optional(),
})
export type Manifest = z.infer<typeof manifestSchema>

const stagingPrefix = '.staging-'
const dayMs = 86_400_000

/** Runs `work` with a temporary folder in the data folder, mode 0700, and removes it afterwards. */
export async function inStaging<Result>(
  dataDir: string,
  now: Date,
  work: (staging: string) => Promise<Result>,
): Promise<Result> {
  await removeLeftovers(dataDir, now)
  const staging = await mkdtemp(join(dataDir, stagingPrefix))
  try {
    return await work(staging)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Removes folders of killed backups, once they are too old to be in use. */
async function removeLeftovers(dataDir: string, now: Date): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(stagingPrefix)) continue
    const { mtimeMs } = await stat(join(dataDir, name))
    if (mtimeMs < now.getTime() - dayMs) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
