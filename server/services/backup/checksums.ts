import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { sha256Of } from '../../engine/sha256'
import { databaseFileName, folderNames } from './backup-parts'

/** SHA-256 of each file of a backup in a folder, by its path with slashes. */
export async function checksumsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    // SQLite leaves files next to the database.
    .filter((path) => path === databaseFileName || folderNames.includes(path.split('/')[0] ?? ''))
  const sums: [string, string][] = []
  for (const path of paths.sort()) sums.push([path, await sha256Of(createReadStream(join(folder, path)))])
  return Object.fromEntries(sums)
}

/** The first file that is missing or whose content differs; null if all are as they were. */
export function firstDifference(expected: Record<string, string>, found: Record<string, string>): string | null {
  return Object.keys(expected).find((path) => expected[path] !== found[path]) ?? null
}
