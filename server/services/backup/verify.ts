import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as tar from 'tar'
import { databaseFileName, inStaging, type Manifest, manifestFileName } from './backup-parts'
import { firstDifference } from './checksums'
import { checkDatabase } from './restore'
import { assertEntries, readManifest, unusable } from './unpack'

export interface VerifyReport {
  /** Version of the product that made the archive. */
  version: string
  created_at: string
  /** Files in the archive, the database among them. */
  files: number
  /** Whether the archive has checksums: those of older versions have none. */
  has_checksums: boolean
}

/**
 * Reads a whole archive: every entry belongs to a backup, every file has its checksum, the database opens and none of its
 * pages is damaged. Needs room for the database in `folder`. Throws invalid_input with what is wrong.
 */
export async function verifyBackup(archive: string, folder: string, now = new Date()): Promise<VerifyReport> {
  await assertEntries(archive)
  return inStaging(folder, now, async (staging) => {
    const found = await readEntries(archive, staging)
    const manifest = await readManifest(join(staging, manifestFileName))
    const { checksums } = manifest
    const different = checksums ? firstDifference(checksums, found) : null
    if (different !== null) throw unusable(archive, `${different} is damaged`)
    if (hasDatabase(manifest)) {
      if (!(databaseFileName in found)) throw unusable(archive, `it has no ${databaseFileName}`)
      checkDatabase(archive, join(staging, databaseFileName))
    }
    const { version, created_at } = manifest
    return { version, created_at, files: Object.keys(found).length, has_checksums: checksums !== undefined }
  })
}

function hasDatabase({ database }: Manifest): boolean {
  return database === undefined
}

/** Returns the checksum of each file but the manifest. Only the manifest and the database are written to disk. */
async function readEntries(archive: string, staging: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const reads: Promise<void>[] = []
  await tar.list({
    file: archive,
    strict: true,
    onReadEntry: (entry) => {
      if (entry.type === 'Directory') return void entry.resume()
      const hash = createHash('sha256')
      entry.on('data', (part: Buffer) => hash.update(part))
      entry.on('end', () => {
        if (entry.path !== manifestFileName) found[entry.path] = hash.digest('hex')
      })
      if (entry.path === manifestFileName || entry.path === databaseFileName)
        reads.push(
          pipeline(
            entry as unknown as NodeJS.ReadableStream,
            createWriteStream(join(staging, entry.path), { mode: 0o600 }),
          ),
        )
    },
  })
  await Promise.all(reads)
  return found
}
