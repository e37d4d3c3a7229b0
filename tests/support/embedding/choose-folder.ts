import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of an installed model; of all others, `defaultFolder`. */
export function chooseFolder(dataDir: string, name: string, defaultFolder: string): string {
  const own = join(dataDir, 'models', name)
  return existsSync(own) ? own : defaultFolder
}
