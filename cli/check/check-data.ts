import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../server/config/config'
import { inspectDatabase } from '../../server/services/organizations/installation'
import { type Check, ok, problem, warning } from './check'

/** Checks that other users of this machine cannot read the secrets and the database. */
export async function checkPermissions({
  dataDir,
  databaseFile,
  secretsDir,
}: Pick<Config, 'dataDir' | 'databaseFile' | 'secretsDir'>): Promise<Check> {
  const name = 'Permissions'
  // Windows has no permission bits.
  if (process.platform === 'win32') return ok(name, 'The file system of Windows protects it.')
  const secrets = existsSync(secretsDir) ? (await readdir(secretsDir)).map((file) => join(secretsDir, file)) : []
  const loose: string[] = []
  for (const path of [databaseFile, secretsDir, ...secrets]) if (await isOpenToOthers(path)) loose.push(path)
  if (loose.length > 0)
    return problem(name, `Other users can read ${loose.join(', ')}.`, `Run: chmod go= ${loose.join(' ')}`)
  if (await isOpenToOthers(dataDir))
    return warning(name, `Other users of this machine can list ${dataDir}.`, `Run: chmod go= ${dataDir}`)
  return ok(name, `${dataDir} is for this user only.`)
}

async function isOpenToOthers(path: string): Promise<boolean> {
  return existsSync(path) && ((await stat(path)).mode & 0o077) !== 0
}

export async function checkDatabase(file: string): Promise<Check> {
  const name = 'Database'
  if (!existsSync(file)) return ok(name, 'There is none yet; the first start creates it.')
  try {
    const { damage, schema } = inspectDatabase(file)
    if (damage[0] !== undefined)
      return problem(
        name,
        `It is damaged: ${damage[0]}`,
        'Stop the server and restore a backup: sitelore restore <file> --force',
      )
    if (schema === 'none')
      return problem(
        name,
        'It is empty, or a database of another program.',
        'Restore a backup: sitelore restore <file> --force; or move the file away.',
      )
    if (schema === 'newer')
      return problem(
        name,
        'A newer version of Sitelore created it.',
        'Install that version, or restore a backup made by this one.',
      )
    if (schema === 'unsupported')
      return problem(
        name,
        'A development version before 0.1 created it; it cannot be upgraded.',
        'Move the data folder away to start a new installation.',
      )
    if (schema === 'older') return ok(name, 'OK; the next start copies it and updates it to this version.')
    return ok(name, `${file} is intact and up to date.`)
  } catch (error) {
    return problem(
      name,
      `It cannot be read: ${error instanceof Error ? error.message : error}`,
      'Solve the problems above, or restore a backup: sitelore restore <file> --force',
    )
  }
}
