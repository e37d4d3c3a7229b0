import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** The process's environment, over what the folder's `.env` says. */
export function readEnvironment(root: string = process.cwd()): NodeJS.ProcessEnv {
  const file = join(root, '.env')
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...process.env }
}

/** Sets variables that libraries read themselves from the environment of the process, unless it has them. */
export function setDefaults(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value
}
