import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile, link, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as tar from 'tar'
import { AppError } from '../../errors'
import { databaseFileName, exists, folderNames, lastBackupName, manifestFileName } from './backup-parts'

export interface BackupReport {
  file: string
  /** Size of the archive. */
  bytes: number
  created_at: string
}

/** Throws conflict if the archive exists, and not_found without its folder. */
export async function assertTarget(target: string): Promise<void> {
  if (await exists(target)) throw new AppError('conflict', `${target} already exists. Choose another name with --to.`)
  if (!(await exists(dirname(target)))) throw new AppError('not_found', `The folder ${dirname(target)} does not exist.`)
}

/** Writes the archive of a backup in a folder. Returns its size in bytes. */
export async function pack(staging: string, target: string, signal?: AbortSignal): Promise<number> {
  const present = await readdir(staging)
  // The manifest is the first entry, so that it can be read without the rest.
  const names = [manifestFileName, databaseFileName, ...folderNames.toSorted()].filter((name) => present.includes(name))
  return packNames(staging, names, target, signal)
}

/** Writes files of a folder to a .tar.gz archive, under a temporary name until it is complete. Returns its size in bytes. */
export async function packNames(
  folder: string,
  names: string[],
  target: string,
  signal?: AbortSignal,
): Promise<number> {
  const packed = tar.create({ cwd: folder, gzip: true, portable: true, strict: true }, names)
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

export interface LastBackup {
  created_at: string
  bytes: number
  /** Whether the archive was read back and checked. */
  verified: boolean
}

/** For the operators' page. A backup counts even if this cannot be written. */
export async function noteBackup(dataDir: string, last: LastBackup): Promise<void> {
  await writeFile(join(dataDir, lastBackupName), `${JSON.stringify(last)}\n`, { mode: 0o600 }).catch(() => {})
}

/** Skips a file that is deleted meanwhile. */
export async function stageFile(from: string, to: string): Promise<void> {
  await link(from, to)
    .catch(() => copyFile(from, to))
    .catch(nullIfMissing)
}

export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
