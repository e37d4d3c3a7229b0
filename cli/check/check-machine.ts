import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { sqliteDriver } from '../../db/sqlite-driver'
import { productFolder } from '../version'
import { type Check, ok, problem, warning } from './check'

const minNode = [20, 19]
const maxProbeMs = 20_000
const lowSpaceBytes = 1024 ** 3
const minSpaceBytes = 100 * 1024 ** 2
const reinstall = 'Delete node_modules and run npm start, which installs what this version of Node needs.'

/** Each module is loaded in a child process, because a binary built for another processor can crash its process. */
const modules = {
  'better-sqlite3': `const { default: SQLite } = await import('${sqliteDriver}'); console.log(new SQLite(':memory:').prepare('select sqlite_version()').pluck().get())`,
  'sqlite-vec': `const { default: SQLite } = await import('${sqliteDriver}'); const { load } = await import('sqlite-vec'); const db = new SQLite(':memory:'); load(db); console.log(db.prepare('select vec_version()').pluck().get())`,
  '@node-rs/argon2':
    "const { hash, verify } = await import('@node-rs/argon2'); if (!(await verify(await hash('word'), 'word'))) throw new Error('a hash did not fit'); console.log('works')",
}

export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor = 0, minMinor = 0] = minNode
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return ok('Node', version)
  return problem('Node', `${version} is too old.`, `Install Node ${minNode.join('.')} or newer.`)
}

export function checkModules(): Promise<Check[]> {
  return Promise.all(Object.entries(modules).map(([name, code]) => tryModule(name, code)))
}

function tryModule(name: string, code: string): Promise<Check> {
  return new Promise((resolve) => {
    const options = { cwd: productFolder(), timeout: maxProbeMs }
    execFile(process.execPath, ['--input-type=module', '--eval', code], options, (error, stdout, stderr) => {
      if (!error) return resolve(ok(name, stdout.trim()))
      const reason =
        /^\w*Error.*$/m.exec(stderr)?.[0] ??
        (error.signal ? `it ended with ${error.signal}` : `it ended with code ${error.code}`)
      resolve(problem(name, `It cannot be loaded: ${reason}`, reinstall))
    })
  })
}

export async function checkDisk(folder: string): Promise<Check> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB are free in ${folder}.`
  const fix = 'Free some space, or move DATA_DIR to a larger disk.'
  if (free < minSpaceBytes) return problem('Disk', message, fix)
  return free < lowSpaceBytes ? warning('Disk', message, fix) : ok('Disk', message)
}
