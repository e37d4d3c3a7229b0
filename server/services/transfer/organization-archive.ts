import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as tar from 'tar'
import { z } from 'zod'
import { sha256Of } from '../../engine/sha256'
import { AppError } from '../../errors'
import { packNames } from '../backup/pack'
import { assertRoom } from '../backup/unpack'
import { transferredTables } from './transferred-tables'

export const manifestFileName = 'manifest.json'
export const organizationFileName = 'organization.json'
export const rowsFolderName = 'rows'
export const filesFolderName = 'files'

export const manifestSchema = z.object({
  product: z.literal('sitelore'),
  kind: z.literal('organization'),
  /** Version of the product that wrote it. */
  version: z.string(),
  created_at: z.iso.datetime(),
  organization: z.object({ id: z.string(), name: z.string() }),
  /** Rows by table. */
  rows: z.record(z.string(), z.number().int().min(0)),
  /** SHA-256 of each file of the archive by its path. */
  checksums: z.record(z.string(), z.string()),
})
export type OrganizationManifest = z.infer<typeof manifestSchema>

const manifestOnlySchema = z.object({ kind: z.string().optional() })

/** Path of the rows of a table in an archive. */
export function rowsPath(table: string): string {
  return `${rowsFolderName}/${table}.jsonl`
}

/** SHA-256 of each file of an archive in a folder, by its path with slashes. */
export async function checksumsOf(folder: string): Promise<Record<string, string>> {
  const paths = await Promise.all(['', rowsFolderName, filesFolderName].map((name) => pathsIn(folder, name)))
  const sums: Record<string, string> = {}
  for (const path of paths.flat()) sums[path] = await sha256Of(createReadStream(join(folder, path)))
  return sums
}

/** The files of an archive that have a checksum, in its folder `name`, or beside its folders. */
async function pathsIn(folder: string, name: string): Promise<string[]> {
  const entries = await readdir(join(folder, name), { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
  if (name === '') return files.filter((file) => file === organizationFileName)
  return files.toSorted().map((file) => `${name}/${file}`)
}

/** Packs the folder of an export. Returns the size of the archive in bytes. */
export function packOrganization(folder: string, target: string, signal: AbortSignal): Promise<number> {
  return packNames(folder, [manifestFileName, organizationFileName, rowsFolderName, filesFolderName], target, signal)
}

/** Unpacks an archive and checks every file. Throws invalid_input unless it is complete and one of ours. */
export async function unpackOrganization(archive: string, folder: string): Promise<OrganizationManifest> {
  const bytes = await sizeOf(archive)
  await assertRoom(folder, bytes)
  await tar.extract({ file: archive, cwd: folder, strict: true, preserveOwner: false, noChmod: true })
  const manifest = await readManifest(archive, join(folder, manifestFileName))
  const found = await checksumsOf(folder)
  const paths = [...new Set([...Object.keys(manifest.checksums), ...Object.keys(found)])]
  const different = paths.find((path) => manifest.checksums[path] !== found[path])
  if (different !== undefined) throw unusable(archive, `${different} is damaged`)
  return manifest
}

async function sizeOf(archive: string): Promise<number> {
  let bytes = 0
  let unexpected: string | null = null
  try {
    await tar.list({
      file: archive,
      strict: true,
      onReadEntry: ({ path, type, size }) => {
        if (!isExpected(path, type)) unexpected ??= path
        bytes += size ?? 0
      },
    })
  } catch (error) {
    throw unusable(archive, 'it is not a complete .tar.gz archive', error)
  }
  if (unexpected !== null) throw unusable(archive, `it has an entry that does not belong to it (${unexpected})`)
  return bytes
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The files of an archive by their exact names, so that none leads out of the folder. */
function isExpected(path: string, type: string): boolean {
  if (type === 'Directory') return path === `${rowsFolderName}/` || path === `${filesFolderName}/`
  if (type !== 'File' && type !== 'OldFile') return false
  if (path === manifestFileName || path === organizationFileName) return true
  if (transferredTables.some(({ name }) => path === rowsPath(name))) return true
  const [folder, name = '', ...rest] = path.split('/')
  return folder === filesFolderName && rest.length === 0 && uuid.test(name)
}

async function readManifest(archive: string, file: string): Promise<OrganizationManifest> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw unusable(archive, `it has no ${manifestFileName}`, error)
  }
  const parsed = manifestSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const isBackup = manifestOnlySchema.safeParse(value).data?.kind === undefined
  throw unusable(
    archive,
    isBackup ? 'it is a backup of an installation: use sitelore restore' : 'its manifest is not valid',
  )
}

export function unusable(archive: string, why: string, cause?: unknown): AppError {
  return new AppError('invalid_input', `${archive} cannot be imported: ${why}.`, { cause })
}
