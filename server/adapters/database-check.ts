import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { DatabaseOpenError } from '../../db/errors'
import { inspectSqlite } from '../../db/inspect'
import { damageText } from '../../db/sqlite-file'
import { processEntry } from './file-reading/process-entry'

export interface DatabaseCheck {
  /**
   * Reads every page of the database. A small one is read before this resolves, and throws DatabaseOpenError where it is
   * damaged. A large one is read by a process in the background: see `damage`.
   */
  start(): Promise<void>
  /** What is damaged, in one line; null as long as nothing is known to be. */
  damage(): string | null
  /** Ends the process in the background. */
  close(): Promise<void>
}

export interface DatabaseCheckOptions {
  file: string
  log: { error(details: object, message: string): void; warn(details: object, message: string): void }
}

/** About a quarter of a second of reading. */
const maxAwaitedBytes = 64 * 1024 * 1024
const niceness = 10

export function createDatabaseCheck({ file, log }: DatabaseCheckOptions): DatabaseCheck {
  let damage: string | null = null
  let stop = () => {}
  let ended = Promise.resolve()

  async function readInBackground(): Promise<void> {
    const child = spawn(process.execPath, [...processEntry('processes/check-database').args, file], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { NODE_ENV: 'production' },
    })
    let stopped = false
    stop = () => {
      stopped = true
      child.kill('SIGKILL')
    }
    const failed = new Promise<Error>((resolve) => child.once('error', resolve))
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    lowerPriority(child.pid)
    const [end, found] = await Promise.all([Promise.race([failed, exited]), text(child.stdout)])
    if (stopped) return
    if (end !== 0) log.warn({ end, found }, 'The pages of the database could not be checked.')
    else if (found !== '') {
      damage = damageText(file, found)
      log.error({ damage }, 'The database is damaged. Stop the server and restore a backup.')
    }
  }

  return {
    async start() {
      if (statSync(file).size <= maxAwaitedBytes) return assertSound(file)
      ended = readInBackground()
    },
    damage: () => damage,
    async close() {
      stop()
      await ended
    },
  }
}

function assertSound(file: string): void {
  const [damage] = inspectSqlite(file, { full: false }).damage
  if (damage !== undefined) throw new DatabaseOpenError(damageText(file, damage))
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // It has ended, or the system does not allow it.
  }
}
