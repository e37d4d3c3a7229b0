import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../requirements.mjs'

export const openSearchScript = fileURLToPath(new URL('../../../../shared/tools/opensearch.sh', import.meta.url))

/**
 * Why PostgreSQL and OpenSearch cannot be started for tests here, as a sentence; null if they can.
 * @returns {string | null}
 */
export function whyNoServers() {
  if (!postgresFolder()) return 'PostgreSQL is not installed here (Debian: apt-get install postgresql).'
  if (!existsSync(openSearchScript)) return 'the script that starts OpenSearch is not there.'
  const missing = ['java', 'mvn', 'unzip'].find((program) => !findProgram(program))
  return missing ? `OpenSearch needs ${missing}, which is not installed here.` : null
}

/**
 * The folder of PostgreSQL's programs: in the path, or where Debian has them.
 * @returns {string | null}
 */
export function postgresFolder() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []
  const folders = [...(process.env.PATH ?? '').split(':'), ...versions.sort().reverse()]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}
