import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { and, eq, isNull } from 'drizzle-orm'
import * as tar from 'tar'
import { inspectSqlite, openUnmigrated } from '../../../db/inspect'
import { collections, sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'
import { jobs, workers } from '../../../db/schema/jobs'
import { copySqlite, readSqlite } from '../../../db/sqlite'
import { incomingFolderName } from '../../engine/ports/file-store'
import { AppError } from '../../errors'
import {
  type DataFolder,
  databaseFileName,
  exists,
  filesFolderName,
  folderNames,
  inStaging,
  lastBackupName,
  type Manifest,
  manifestFileName,
} from './backup-parts'

export interface BackupReport {
  file: string
  /** Size of the archive. */
  bytes: number
  created_at: string
}

export interface BackupOptions {
  target: string
  version: string
  signal?: AbortSignal
  now?: Date
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
  { target, version, signal, now = new Date(), copyDatabase = copySqlite }: BackupOptions,
): Promise<BackupReport> {
  if (!(await exists(databaseFile)))
    throw new AppError('not_found', `There is no database in ${dataDir} yet, so there is nothing to back up.`)
  if (await exists(target)) throw new AppError('conflict', `${target} already exists. Choose another name with --to.`)
  if (!(await exists(dirname(target)))) throw new AppError('not_found', `The folder ${dirname(target)} does not exist.`)
  return inStaging(dataDir, now, async (staging) => {
    await stageData({ dataDir, databaseFile }, staging, copyDatabase, signal)
    await releaseJobs(join(staging, databaseFileName))
    const { migrations } = inspectSqlite(join(staging, databaseFileName), { full: false })
    const manifest: Manifest = { product: 'sitelore', version, created_at: now.toISOString(), schema: migrations }
    await writeFile(join(staging, manifestFileName), `${JSON.stringify(manifest, null, 2)}\n`)
    const bytes = await pack(staging, target, signal)
    // For the operators' page. A backup counts even if this cannot be written.
    const last = JSON.stringify({ created_at: manifest.created_at, bytes })
    await writeFile(join(dataDir, lastBackupName), `${last}\n`, { mode: 0o600 }).catch(() => {})
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

/** Writes the archive under a temporary name until it is complete. Returns its size. */
async function pack(staging: string, target: string, signal?: AbortSignal): Promise<number> {
  const folders = (await readdir(staging)).filter((name) => folderNames.includes(name)).sort()
  const names = [manifestFileName, databaseFileName, ...folders]
  const packed = tar.create({ cwd: staging, gzip: true, portable: true, strict: true }, names)
  const unfinished = `${target}.${randomUUID()}.part`
  try {
    const file = createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(packed as unknown as NodeJS.ReadableStream, file, { signal })
    await rename(unfinished, target)
  } finally {
    await rm(unfinished, { force: true })
  }
  return (await stat(target)).size
}

/** Links files if the file system can, since the files of an installation never change in place. */
async function stageFolders(dataDir: string, staging: string): Promise<void> {
  // Incomplete uploads belong to no row.
  const unfinished = join(dataDir, filesFolderName, incomingFolderName)
  for (const name of folderNames) await stageFolder(join(dataDir, name), join(staging, name), unfinished)
}

async function stageFolder(from: string, to: string, except: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(nullIfMissing)
  if (!entries) return
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (source === except) continue
    if (entry.isDirectory()) await stageFolder(source, target, except)
    else if (entry.isFile() && !(await exists(target))) await stageFile(source, target)
  }
}

/** Skips a file that is deleted meanwhile. */
async function stageFile(from: string, to: string): Promise<void> {
  await link(from, to)
    .catch(() => copyFile(from, to))
    .catch(nullIfMissing)
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

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
