import { chmod, readdir, readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import * as tar from 'tar'
import { AppError } from '../../errors'
import { databaseFileName, folderNames, type Manifest, manifestFileName, manifestSchema } from './backup-parts'
import { checksumsOf, firstDifference } from './checksums'

/** Reads the whole archive, and throws invalid_input unless it is one of ours. Returns its parts and the size of its files. */
export async function assertEntries(archive: string): Promise<{ names: Set<string>; bytes: number }> {
  const names = new Set<string>()
  let bytes = 0
  let unexpected: string | null = null
  const inspectEntry = (path: string, type: string, size: number) => {
    if (!isBackupEntry(path, type)) unexpected ??= path
    names.add(path.split('/')[0] ?? '')
    bytes += size
  }
  try {
    await tar.list({
      file: archive,
      strict: true,
      onReadEntry: ({ path, type, size }) => inspectEntry(path, type, size ?? 0),
    })
  } catch (error) {
    throw unusable(archive, 'it is not a complete .tar.gz archive', error)
  }
  if (unexpected !== null) throw unusable(archive, `it has an entry that does not belong to a backup (${unexpected})`)
  if (!names.has(manifestFileName)) throw unusable(archive, `it has no ${manifestFileName}`)
  return { names, bytes }
}

/** Checks the complete archive before it writes the first file. Returns the folders of the archive. */
export async function unpack(archive: string, staging: string): Promise<string[]> {
  const { names, bytes } = await assertEntries(archive)
  await assertRoom(staging, bytes)
  await tar.extract({
    file: archive,
    cwd: staging,
    strict: true,
    preserveOwner: false,
    filter: (path, entry) => 'type' in entry && isBackupEntry(path, entry.type),
  })
  await restrictModes(staging)
  return folderNames.filter((name) => names.has(name))
}

/** Throws storage_full if a folder on the disk of the data has no room for the files of an archive. */
export async function assertRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bytes > bavail * bsize)
    throw new AppError(
      'storage_full',
      `The archive needs ${Math.ceil(bytes / 1e6)} MB, more than is free in the data folder.`,
    )
}

/** Accepts plain files and folders below the names of a backup, without path traversal. */
function isBackupEntry(path: string, type: string): boolean {
  const parts = path.replace(/\/$/, '').split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\\') || part.includes('\0')))
    return false
  const [first = ''] = parts
  const file = type === 'File' || type === 'OldFile' || type === 'ContiguousFile'
  if (first === manifestFileName || first === databaseFileName) return parts.length === 1 && file
  return folderNames.includes(first) && (type === 'Directory' || (file && parts.length > 1))
}

/** Restricts access to this user, whatever the modes in the archive. */
async function restrictModes(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await restrictModes(path)
    else await chmod(path, 0o600)
  }
}

export async function readManifest(file: string): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw unusable('The archive', `its ${manifestFileName} does not belong to Sitelore`, error)
  }
}

/** Compares the files with the checksums of the manifest. Archives of older versions have none. */
export async function assertChecksums(archive: string, staging: string, { checksums }: Manifest): Promise<void> {
  const different = checksums ? firstDifference(checksums, await checksumsOf(staging)) : null
  if (different !== null) throw unusable(archive, `${different} is damaged`)
}

export function unusable(archive: string, why: string, cause?: unknown): AppError {
  return new AppError('invalid_input', `${archive} cannot be restored: ${why}.`, { cause })
}
