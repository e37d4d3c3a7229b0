import { chmod, mkdir, readdir, readFile, rename, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as tar from 'tar'
import { compareSchema, type Inspection, inspectSqlite } from '../../../db/inspect'
import { workers } from '../../../db/schema/jobs'
import { readSqlite } from '../../../db/sqlite'
import { AppError } from '../../errors'
import { syncFolder } from '../files/fsync-folder'
import { leaseMs } from '../jobs/jobs'
import {
  type DataFolder,
  databaseName,
  exists,
  filesName,
  folderNames,
  inStaging,
  type Manifest,
  manifestName,
  manifestSchema,
} from './backup-parts'

export interface RestoreReport {
  /** What the archive says of itself. */
  version: string
  created_at: string
  /** The next start migrates the database. */
  older: boolean
  /** Folder that holds what was there before, or null. */
  aside: string | null
}

/**
 * Puts the data of an archive in place. All of it is unpacked and checked before anything is replaced; what was there
 * is moved aside with `force` and never deleted. Throws invalid_input for an archive that cannot be used, conflict
 * where data is in the way or in use.
 */
export async function restoreBackup(
  { dataDir, databaseFile }: DataFolder,
  { archive, force, now = new Date() }: { archive: string; force: boolean; now?: Date },
): Promise<RestoreReport> {
  const present = await exists(databaseFile)
  if (present && (await isInUse(databaseFile, now))) {
    throw new AppError(
      'conflict',
      'A server or another command works on this data folder. Stop it first; after a crash wait 15 seconds.',
    )
  }
  if (present && !force) {
    throw new AppError('conflict', `${dataDir} holds a database already. With --force it is moved aside, not deleted.`)
  }
  return inStaging(dataDir, now, async (staging) => {
    const folders = await unpack(archive, staging)
    const manifest = await readManifest(join(staging, manifestName))
    const schema = checkDatabase(archive, join(staging, databaseName))
    if (schema === 'newer' || compareSchema(manifest.schema) === 'newer') {
      throw unusable(
        archive,
        `it was made by a newer version (${manifest.version}). Install that version or a newer one`,
      )
    }
    const aside = await exchange(staging, { dataDir, databaseFile }, folders, now)
    return { version: manifest.version, created_at: manifest.created_at, older: schema === 'older', aside }
  })
}

/** Reads every page of the file. Returns how its tables stand to this version. */
function checkDatabase(archive: string, file: string): 'current' | 'older' | 'newer' {
  const { damage, schema } = inspect(archive, file)
  if (damage[0] !== undefined) throw unusable(archive, `its database is damaged (${damage[0]})`)
  if (schema === 'none') throw unusable(archive, 'its database is not one of Sitelore')
  return schema
}

function inspect(archive: string, file: string): Inspection {
  try {
    return inspectSqlite(file, { full: true })
  } catch (error) {
    throw unusable(archive, 'its database cannot be read', error)
  }
}

/** Whether a process that does jobs here gave a sign of life within its lease. */
async function isInUse(databaseFile: string, now: Date): Promise<boolean> {
  try {
    const rows = await readSqlite(databaseFile, (read) =>
      read.select({ heartbeatAt: workers.heartbeatAt }).from(workers),
    )
    return rows.some(({ heartbeatAt }) => heartbeatAt.getTime() > now.getTime() - leaseMs)
  } catch {
    // A file that is no database of ours serves nobody.
    return false
  }
}

/** Reads the whole archive before the first file of it is written. Returns the folders it holds. */
async function unpack(archive: string, staging: string): Promise<string[]> {
  const names = new Set<string>()
  let bytes = 0
  let refused: string | null = null
  const look = (path: string, type: string, size: number) => {
    if (!isOurs(path, type)) refused ??= path
    names.add(path.split('/')[0] ?? '')
    bytes += size
  }
  try {
    await tar.list({ file: archive, strict: true, onReadEntry: ({ path, type, size }) => look(path, type, size ?? 0) })
  } catch (error) {
    throw unusable(archive, 'it is no whole .tar.gz archive', error)
  }
  if (refused !== null) throw unusable(archive, `it holds what a backup does not (${refused})`)
  if (!names.has(manifestName) || !names.has(databaseName))
    throw unusable(archive, `it has no ${manifestName} or no ${databaseName}`)
  const { bavail, bsize } = await statfs(staging)
  if (bytes > bavail * bsize)
    throw new AppError(
      'storage_full',
      `The archive needs ${Math.ceil(bytes / 1e6)} MB, more than is free in the data folder.`,
    )
  await tar.extract({
    file: archive,
    cwd: staging,
    strict: true,
    preserveOwner: false,
    filter: (path, entry) => 'type' in entry && isOurs(path, entry.type),
  })
  await tighten(staging)
  return folderNames.filter((name) => names.has(name))
}

/** Plain files and folders below the names of a backup, and no way out of them. */
function isOurs(path: string, type: string): boolean {
  const parts = path.replace(/\/$/, '').split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\\') || part.includes('\0')))
    return false
  const [first = ''] = parts
  const file = type === 'File' || type === 'OldFile' || type === 'ContiguousFile'
  if (first === manifestName || first === databaseName) return parts.length === 1 && file
  return folderNames.includes(first) && (type === 'Directory' || (file && parts.length > 1))
}

/** For this user alone, whatever the archive says. */
async function tighten(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await tighten(path)
    else await chmod(path, 0o600)
  }
}

async function readManifest(file: string): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw unusable('The archive', `its ${manifestName} is not one of Sitelore`, error)
  }
}

/** Moves the old data aside and the new in; where a move fails, all is moved back. */
async function exchange(
  staging: string,
  { dataDir, databaseFile }: DataFolder,
  folders: string[],
  now: Date,
): Promise<string | null> {
  const database = basename(databaseFile)
  // The old files belong to the old database: beside another one they would be taken for leftovers.
  const old = [...new Set([...folders, filesName]), `${database}-wal`, `${database}-shm`, database]
  const present: string[] = []
  for (const name of old) if (await exists(join(dataDir, name))) present.push(name)
  const aside = join(dataDir, `before-restore-${now.toISOString().replaceAll(/[:.]/g, '-')}`)
  if (present.length > 0) await mkdir(aside, { mode: 0o700 })
  const moves = [
    ...present.map((name) => [join(dataDir, name), join(aside, name)] as const),
    // The database comes last: while it is missing nothing else is served from here.
    ...folders.map((name) => [join(staging, name), join(dataDir, name)] as const),
    [join(staging, databaseName), databaseFile] as const,
  ]
  const done: (readonly [string, string])[] = []
  try {
    for (const move of moves) {
      await rename(...move)
      done.unshift(move)
    }
  } catch (error) {
    for (const [from, to] of done) await rename(to, from)
    throw error
  }
  await syncFolder(dataDir)
  return present.length > 0 ? aside : null
}

function unusable(archive: string, why: string, cause?: unknown): AppError {
  return new AppError('invalid_input', `${archive} cannot be restored: ${why}.`, { cause })
}
