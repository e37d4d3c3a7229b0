import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** The process's environment, over what the folder's `.env` says. */
export function readEnvironment(root: string = process.cwd()): NodeJS.ProcessEnv {
  const file = join(root, '.env')
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...process.env }
}
