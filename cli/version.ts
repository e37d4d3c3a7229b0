import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, found upwards from this file or its bundle. */
export function productFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder
  }
}

export function productVersion(): string {
  const { version } = JSON.parse(readFileSync(join(productFolder(), 'package.json'), 'utf8')) as { version: string }
  return version
}
