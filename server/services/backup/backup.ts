import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, isNull } from 'drizzle-orm'
import { inspectSqlite, openUnmigrated } from '../../../db/inspect'
import { collections, sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'
import { jobs, workers } from '../../../db/schema/jobs'
import { copySqlite, readSqlite } from '../../../db/sqlite'
import { incomingFolderName } from '../../engine/ports/file-store'
import { incompleteModelsFolder } from '../../engine/ports/model-store'
import { AppError } from '../../errors'
import {
  type DataFolder,
  databaseFileName,
  exists,
  filesFolderName,
  folderNames,
  inStaging,
  type Manifest,
  manifestFileName,
  modelsFolderName,
} from './backup-parts'
import { checksumsOf } from './checksums'
import { assertTarget, type BackupReport, noteBackup, nullIfMissing, pack, stageFile } from './pack'

export interface BackupOptions {
  target: string
  version: string
  signal?: AbortSignal
  now?: Date
  /** Whether the operators' page shows it, true by default. */
  isNoted?: boolean
  copyDatabase?: typeof copySqlite
}

/** Attempts to copy all files; if one is missing for good, the rest is saved without it. */
const maxCopies = 3

/**
 * Writes database, files, secrets and models to an archive (.tar.gz, mode 0600) while the installation is in use.
 * `target` must not exist, and appears only when it is complete. Throws conflict if it exists, and not_found without a
 * database or a target folder.
 */
export async function createBackup(
  { dataDir, databaseFile }: DataFolder,
  { target, version, signal, now = new Date(), isNoted = true, copyDatabase = copySqlite }: BackupOptions,
): Promise<BackupReport> {
  if (!(await exists(databaseFile)))
    throw new AppError('not_found', `There is no database in ${dataDir} yet, so there is nothing to back up.`)
  await assertTarget(target)
  return inStaging(dataDir, now, async (staging) => {
    await stageData({ dataDir, databaseFile }, staging, copyDatabase, signal)
    await releaseJobs(join(staging, databaseFileName))
    const { migrations } = inspectSqlite(join(staging, databaseFileName), { full: false })
    const checksums = await checksumsOf(staging)
    const manifest: Manifest = {
      product: 'sitelore',
      version,
      created_at: now.toISOString(),
      schema: migrations,
      checksums,
    }
    await writeFile(join(staging, manifestFileName), `${JSON.stringify(manifest, null, 2)}\n`)
    const bytes = await pack(staging, target, signal)
    if (isNoted) await noteBackup(dataDir, { created_at: manifest.created_at, bytes, verified: false })
    return { file: target, bytes, created_at: manifest.created_at }
  })
}

/** Copies the database and every file that it references. */
async function stageData(
  { dataDir, databaseFile }: DataFolder,
  staging: string,
  copyDatabase: typeof copySqlite,
  signal?: AbortSignal,
): Promise<void> {
  const copy = join(staging, databaseFileName)
  for (let copies = 0; copies < maxCopies; copies++) {
    await rm(copy, { force: true })
    // Before the database, for files that are deleted meanwhile, and after it, for files that are new in it.
    await stageFolders(dataDir, staging)
    copyDatabase(databaseFile, copy)
    await stageFolders(dataDir, staging)
    signal?.throwIfAborted()
    // Both passes miss a file that existed only between them; a later copy of the database does not reference it.
    if (await hasAllFiles(staging)) return
  }
}

async function hasAllFiles(staging: string): Promise<boolean> {
  const rows = await readSqlite(join(staging, databaseFileName), (read) =>
    read
      .select({ id: files.id })
      .from(files)
      .innerJoin(sources, eq(sources.id, files.sourceId))
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .where(and(isNull(sources.deletedAt), isNull(collections.deletedAt)))
      // The database of an older version may lack the table.
      .catch(() => []),
  )
  for (const { id } of rows) if (!(await exists(join(staging, filesFolderName, id)))) return false
  return true
}

/** Links files if the file system can, since the files of an installation never change in place. */
async function stageFolders(dataDir: string, staging: string): Promise<void> {
  // Incomplete uploads belong to no row; incomplete models cannot be used.
  const unfinished = [
    join(dataDir, filesFolderName, incomingFolderName),
    join(dataDir, modelsFolderName, incompleteModelsFolder),
  ]
  for (const name of folderNames) await stageFolder(join(dataDir, name), join(staging, name), unfinished)
}

async function stageFolder(from: string, to: string, except: string[]): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(nullIfMissing)
  if (!entries) return
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (except.includes(source)) continue
    if (entry.isDirectory()) await stageFolder(source, target, except)
    else if (entry.isFile() && !(await exists(target))) await stageFile(source, target)
  }
}

/** Removes leases and workers from the copy, so that its jobs run when it is restored. */
async function releaseJobs(file: string): Promise<void> {
  const db = openUnmigrated(file)
  try {
    await db.write(async (tx) => {
      await tx
        .update(jobs)
        .set({ leasedUntil: new Date(0) })
        .where(eq(jobs.status, 'running'))
      await tx.delete(workers)
    })
  } finally {
    await db.close()
  }
}
