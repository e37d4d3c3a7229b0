import { existsSync, linkSync, mkdtempSync, rmSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseOpenError } from './errors'
import { SQLite } from './sqlite-driver'

const restore = 'Restore a backup with: sitelore restore <archive> --force'

/**
 * Ensures that `file` is a writable database of this product. If it does not exist, `create` makes one at a temporary
 * path, and the complete file is moved into place. An existing file is never changed. Throws DatabaseOpenError.
 */
export async function prepareSqliteFile(file: string, create: (draft: string) => Promise<void>): Promise<void> {
  try {
    assertLocks(dirname(file))
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats) assertOurs(file, stats)
    else await createFile(file, create)
  } catch (error) {
    throw toOpenError(file, error)
  }
}

/** Turns an error of opening a file into a DatabaseOpenError; returns any other error as it is. */
export function toOpenError(file: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'SQLITE_FULL' || code === 'ENOSPC')
    return refuse(`The disk is full, so ${file} cannot be opened. Free some space and start again.`, error)
  if (/^SQLITE_(READONLY|CANTOPEN)|^E(ACCES|PERM|ROFS)$/.test(code))
    return refuse(`${file} cannot be written. Make the user that runs Sitelore the owner of it and its folder.`, error)
  if (code.startsWith('SQLITE_BUSY'))
    return refuse(`${file} is locked by another program. Stop that program and start again.`, error)
  if (code === 'SQLITE_NOTADB') return refuse(`${file} is not a database, or its header is damaged. ${restore}`, error)
  return /^SQLITE_(CORRUPT|IOERR)/.test(code) ? damaged(file, error) : error
}

/**
 * Throws DatabaseOpenError for a folder whose file system cannot lock, as some network shares: SQLite would take that for
 * another program that uses the database, and wait for it. Nobody else uses the file of this test.
 */
export function assertLocks(folder: string, open = (file: string) => new SQLite(file, { timeout: 100 })): void {
  const draft = mkdtempSync(join(folder, '.staging-'))
  try {
    const connection = open(join(draft, 'locks.db'))
    try {
      const mode = connection.pragma('journal_mode = wal', { simple: true })
      connection.exec('begin exclusive; create table locks (id); commit')
      if (mode !== 'wal') throw refuse(cannotLock(folder))
    } finally {
      connection.close()
    }
  } catch (error) {
    throw /^SQLITE_(BUSY|LOCKED|PROTOCOL|IOERR_.*LOCK|IOERR_SHM)/.test(codeOf(error))
      ? refuse(cannotLock(folder), error)
      : error
  } finally {
    rmSync(draft, { recursive: true })
  }
}

function cannotLock(folder: string): string {
  return `${folder} is on a file system that cannot lock files, as some network shares cannot. Set DATA_DIR to a folder of a local disk.`
}

function assertOurs(file: string, stats: Stats): void {
  if (!stats.isFile()) throw refuse(`${file} is not a file. Move it away, or set DATA_DIR to another folder.`)
  // SQLite would initialize it as a new database.
  if (stats.size === 0) throw refuse(`${file} is empty, so the data it held is lost. ${restore}`)
  // The smallest page. SQLite treats a file with an incomplete header as empty.
  if (stats.size < 512) throw refuse(`${file} is damaged: it is shorter than any database. ${restore}`)
  if (existsSync(`${file}-journal`)) rollBack(file)
  if (!hasMigrations(file))
    throw refuse(`${file} is not a database of Sitelore. Move it away, or set DATA_DIR to another folder.`)
  assertWritable(file)
}

/** Undoes what a killed process left unfinished. A read-only connection cannot, and would not read the file at all. */
function rollBack(file: string): void {
  const connection = new SQLite(file, { timeout: 100 })
  try {
    connection.prepare('select 1 from sqlite_master limit 1').get()
  } finally {
    connection.close()
  }
}

/** Opens read-only, because a writable connection changes the header of a foreign file. */
function hasMigrations(file: string): boolean {
  const connection = new SQLite(file, { readonly: true })
  try {
    // Fails for header values that SQLite does not know.
    const columns = connection.prepare("select name from pragma_table_info('migrations')").pluck().all()
    return columns.includes('hash') && connection.prepare('select 1 from migrations').get() !== undefined
  } catch (error) {
    throw codeOf(error) === 'SQLITE_ERROR' ? damaged(file, error) : error
  } finally {
    connection.close()
  }
}

/** SQLite opens a read-only file without an error, and fails at the first write. */
function assertWritable(file: string): void {
  const connection = new SQLite(file, { timeout: 100 })
  try {
    connection.exec('delete from migrations where false')
  } catch (error) {
    // Another process is writing.
    if (codeOf(error) !== 'SQLITE_BUSY') throw error
  } finally {
    connection.close()
  }
}

async function createFile(file: string, create: (draft: string) => Promise<void>): Promise<void> {
  for (const remains of [`${file}-wal`, `${file}-journal`]) {
    if (existsSync(remains))
      throw refuse(`${file} is missing, but ${basename(remains)} with its last changes is there. ${restore}`)
  }
  // Backups delete what a killed process leaves under this name.
  const folder = mkdtempSync(join(dirname(file), '.staging-'))
  try {
    const draft = join(folder, basename(file))
    await create(draft)
    linkSync(draft, file)
  } catch (error) {
    // Another process created it at the same time.
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function damaged(file: string, error: unknown): DatabaseOpenError {
  return refuse(damageText(file, error instanceof Error ? error.message : String(error)), error)
}

/** The message for a damaged database; `damage` is SQLite's. */
export function damageText(file: string, damage: string): string {
  return `${file} is damaged: ${damage}. ${restore}`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function refuse(message: string, cause?: unknown): DatabaseOpenError {
  return new DatabaseOpenError(message, { cause })
}
