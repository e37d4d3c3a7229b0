import { mkdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compareSchema, type Inspection, inspectSqlite } from '../../../db/inspect'
import { workers } from '../../../db/schema/jobs'
import { readSqlite } from '../../../db/sqlite'
import { AppError } from '../../errors'
import { leaseMs } from '../jobs/jobs'
import {
  type DataFolder,
  databaseFileName,
  exists,
  filesFolderName,
  inStaging,
  lastBackupName,
  manifestFileName,
} from './backup-parts'
import { syncFolder } from './fsync-folder'
import { assertChecksums, readManifest, unpack, unusable } from './unpack'

export interface RestoreReport {
  /** Version from the manifest of the archive. */
  version: string
  created_at: string
  /** Whether the next start migrates the database. */
  older: boolean
  /** Folder with the previous data; null without any. */
  aside: string | null
}

/**
 * Restores the data of an archive. Unpacks and checks everything before it replaces anything. With `force`, existing
 * data is moved aside, never deleted. Throws invalid_input for an unusable archive, and conflict if data exists or is in
 * use.
 */
export async function restoreBackup(
  { dataDir, databaseFile }: DataFolder,
  { archive, force, now = new Date() }: { archive: string; force: boolean; now?: Date },
): Promise<RestoreReport> {
  const present = await exists(databaseFile)
  if (present && (await isInUse(databaseFile, now))) {
    throw new AppError(
      'conflict',
      'A server or another command is using this data folder. Stop it first; after a crash wait 15 seconds.',
    )
  }
  if (present && !force) {
    throw new AppError('conflict', `${dataDir} already has a database. With --force, it is moved aside, not deleted.`)
  }
  return inStaging(dataDir, now, async (staging) => {
    const folders = await unpack(archive, staging)
    const manifest = await readManifest(join(staging, manifestFileName))
    if (manifest.database !== undefined)
      throw unusable(
        archive,
        'it was made on several machines, and its database is in PostgreSQL. Set DATABASE_URL and SEARCH_URL',
      )
    if (!(await exists(join(staging, databaseFileName)))) throw unusable(archive, `it has no ${databaseFileName}`)
    const schema = checkDatabase(archive, join(staging, databaseFileName))
    if (schema === 'newer' || compareSchema(manifest.schema) === 'newer') {
      throw unusable(
        archive,
        `it was made by a newer version (${manifest.version}). Install that version or a newer one`,
      )
    }
    await assertChecksums(archive, staging, manifest)
    const aside = await swapData(staging, { dataDir, databaseFile }, folders, now)
    return { version: manifest.version, created_at: manifest.created_at, older: schema === 'older', aside }
  })
}

/** Checks every page of the database. Returns how its schema compares to this version. */
export function checkDatabase(archive: string, file: string): 'current' | 'older' | 'newer' {
  const { damage, schema } = inspect(archive, file)
  if (damage[0] !== undefined) throw unusable(archive, `its database is damaged (${damage[0]})`)
  if (schema === 'none') throw unusable(archive, 'its database does not belong to Sitelore')
  if (schema === 'unsupported')
    throw unusable(archive, 'its database was made by a development version before 0.1; it cannot be upgraded')
  return schema
}

function inspect(archive: string, file: string): Inspection {
  try {
    return inspectSqlite(file, { full: true })
  } catch (error) {
    throw unusable(archive, 'its database cannot be read', error)
  }
}

/** Returns whether a worker's last heartbeat is within its lease. */
async function isInUse(databaseFile: string, now: Date): Promise<boolean> {
  try {
    const rows = await readSqlite(databaseFile, (read) =>
      read.select({ heartbeatAt: workers.heartbeatAt }).from(workers),
    )
    return rows.some(({ heartbeatAt }) => heartbeatAt.getTime() > now.getTime() - leaseMs)
  } catch {
    // A file that is not a Sitelore database is not in use.
    return false
  }
}

/** Moves the old data aside and the new data in; reverts all moves if one fails. */
async function swapData(
  staging: string,
  { dataDir, databaseFile }: DataFolder,
  folders: string[],
  now: Date,
): Promise<string | null> {
  const database = basename(databaseFile)
  // The old files belong to the old database; with another one they would be removed as leftovers.
  const oldFolders = new Set([...folders, filesFolderName])
  const old = [...oldFolders, lastBackupName, `${database}-wal`, `${database}-shm`, database]
  const present: string[] = []
  for (const name of old) if (await exists(join(dataDir, name))) present.push(name)
  const aside = join(dataDir, `before-restore-${now.toISOString().replaceAll(/[:.]/g, '-')}`)
  if (present.length > 0) await mkdir(aside, { mode: 0o700 })
  const moves = [
    ...present.map((name) => [join(dataDir, name), join(aside, name)] as const),
    // The database is last: without it, no server starts on this data.
    ...folders.map((name) => [join(staging, name), join(dataDir, name)] as const),
    [join(staging, databaseFileName), databaseFile] as const,
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
