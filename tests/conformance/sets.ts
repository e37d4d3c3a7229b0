import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder of published test data, or null where it is not there: then describe.skipIf leaves its tests out. */
export function setFolder(name: string): string | null {
  const folder = join('..', 'shared', 'eval', name)
  return existsSync(folder) ? folder : null
}

/** Bytes of a file of a set; none without the set, so that tests that are left out can still be listed. */
export function readSet(folder: string | null, file: string): Buffer {
  return folder === null ? Buffer.alloc(0) : readFileSync(join(folder, file))
}
