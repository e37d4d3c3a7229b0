import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asc, gt } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { files } from '../../../db/schema/files'
import { type FileStore, storedIds } from '../../engine/ports/file-store'
import { filesFolderName, inStaging, type Manifest, manifestFileName } from './backup-parts'
import { checksumsOf } from './checksums'
import { assertTarget, type BackupReport, noteBackup, pack, stageFile } from './pack'
import { assertChecksums, readManifest, unpack, unusable } from './unpack'

export interface ClusterBackupOptions {
  db: Pick<Database, 'read'>
  fileStore: FileStore
  /** Writes the secrets into a folder. */
  writeSecrets(folder: string): void
  target: string
  version: string
  signal: AbortSignal
  now?: Date
}

const pageSize = 500

/**
 * Writes files and secrets to an archive while the installation is in use. The database is backed up with PostgreSQL's
 * tools, before this: then each file of its rows that was not deleted since is in the archive. `target` must not exist,
 * and appears only when it is complete.
 */
export async function createClusterBackup(dataDir: string, options: ClusterBackupOptions): Promise<BackupReport> {
  const { db, fileStore, writeSecrets, target, version, signal, now = new Date() } = options
  await assertTarget(target)
  return inStaging(dataDir, now, async (staging) => {
    const folder = join(staging, filesFolderName)
    await mkdir(folder, { mode: 0o700 })
    for await (const id of idsOf(db)) {
      signal.throwIfAborted()
      const file = await fileStore.open(id).catch(async (error) => {
        if ((await storedIds(fileStore)).has(id)) throw error
        return null
      })
      // Deleted since its row was read.
      if (!file) continue
      await stageFile(file.path, join(folder, id)).finally(file.release)
    }
    writeSecrets(join(staging, 'secrets'))
    const created_at = now.toISOString()
    const checksums = await checksumsOf(staging)
    const manifest: Manifest = {
      product: 'sitelore',
      version,
      created_at,
      schema: [],
      database: 'postgresql',
      checksums,
    }
    await writeFile(join(staging, manifestFileName), `${JSON.stringify(manifest, null, 2)}\n`)
    const bytes = await pack(staging, target, signal)
    await noteBackup(dataDir, { created_at, bytes, verified: false })
    return { file: target, bytes, created_at }
  })
}

async function* idsOf({ read }: Pick<Database, 'read'>): AsyncIterable<string> {
  for (let after = ''; ; ) {
    const rows = await read
      .select({ id: files.id })
      .from(files)
      .where(gt(files.id, after))
      .orderBy(asc(files.id))
      .limit(pageSize)
    for (const { id } of rows) yield id
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

export interface ClusterRestoreReport {
  /** Version from the manifest of the archive. */
  version: string
  created_at: string
  /** Files that were missing and are there again. */
  files: number
}

/**
 * Stores the files of an archive that are missing. `useSecrets` gets the folder of its secrets, and throws if the
 * installation has others. The database is restored with PostgreSQL's tools. Throws invalid_input for an unusable archive.
 */
export async function restoreClusterBackup(
  dataDir: string,
  options: { archive: string; fileStore: FileStore; useSecrets(folder: string): void; now?: Date },
): Promise<ClusterRestoreReport> {
  const { archive, fileStore, useSecrets, now = new Date() } = options
  return inStaging(dataDir, now, async (staging) => {
    await unpack(archive, staging)
    const manifest = await readManifest(join(staging, manifestFileName))
    if (manifest.database === undefined)
      throw unusable(archive, 'it was made on one machine. Restore it there, then run sitelore move')
    await assertChecksums(archive, staging, manifest)
    useSecrets(join(staging, 'secrets'))
    const existing = await storedIds(fileStore)
    const missing = (await readdir(join(staging, filesFolderName))).filter((id) => !existing.has(id))
    await mkdir(fileStore.incomingFolder, { recursive: true, mode: 0o700 })
    for (const id of missing) {
      // The store may be on another disk, to which a file cannot be renamed.
      const draft = join(fileStore.incomingFolder, randomUUID())
      await copyFile(join(staging, filesFolderName, id), draft)
      await fileStore.put(id, draft)
    }
    return { version: manifest.version, created_at: manifest.created_at, files: missing.length }
  })
}
