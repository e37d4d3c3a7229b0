import { access, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Where an installation keeps its data. */
export interface DataFolder {
  dataDir: string
  databaseFile: string
}

export const manifestName = 'manifest.json'
export const databaseName = 'sitelore.db'
/** Folder of the uploaded files, each of which has a row in the database. */
export const filesName = 'files'
/** Folders of the data folder that belong to a backup, where they exist. */
export const folderNames = [filesName, 'secrets', 'models']

export const manifestSchema = z.object({
  product: z.literal('sitelore'),
  version: z.string(),
  created_at: z.iso.datetime(),
  schema: z.array(z.string()),
})
export type Manifest = z.infer<typeof manifestSchema>

const stagingPrefix = '.staging-'
const dayMs = 86_400_000

/** Runs `work` with a folder for this user alone inside the data folder, which is gone afterwards. */
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

/** What a killed backup left behind, once it is old enough that nobody works on it. */
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
