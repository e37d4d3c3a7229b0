import { copyFileSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SQLite } from './sqlite-driver'
import { assertLocks, prepareSqliteFile } from './sqlite-file'

const folder = mkdtempSync(join(tmpdir(), 'sitelore-locks-'))

it('accepts a folder whose files can be locked, and leaves nothing there', () => {
  expect(() => assertLocks(folder)).not.toThrow()
  expect(readdirSync(folder)).toEqual([])
})

it.each(['SQLITE_BUSY', 'SQLITE_PROTOCOL', 'SQLITE_IOERR_LOCK', 'SQLITE_IOERR_SHMLOCK'])(
  'says that a folder cannot lock where SQLite answers %s',
  (code) => {
    const open = (file: string) => {
      const connection = new SQLite(file)
      connection.exec = () => {
        throw new SQLite.SqliteError('no', code)
      }
      return connection
    }
    expect(() => assertLocks(folder, open)).toThrow(`${folder} is on a file system that cannot lock files`)
    expect(readdirSync(folder)).toEqual([])
  },
)

it('leaves other errors alone', () => {
  const open = () => {
    throw new SQLite.SqliteError('no', 'SQLITE_FULL')
  }
  expect(() => assertLocks(folder, open)).toThrow('no')
})

it('accepts a file that a killed process left in the middle of a transaction, without a write-ahead log', async () => {
  const [file, copy] = ['before.db', 'after.db'].map((name) => join(mkdtempSync(join(tmpdir(), 'sitelore-hot-')), name))
  if (!file || !copy) throw new Error('There is no file.')
  const connection = new SQLite(file)
  connection.exec("create table migrations (hash text primary key); insert into migrations values ('first')")
  // Changed pages are written before the transaction ends, so that only its journal has their content.
  connection.pragma('cache_size = 1')
  connection.exec('begin')
  const insert = connection.prepare('insert into migrations values (?)')
  for (let n = 0; n < 5_000; n++) insert.run(`${n} ${'x'.repeat(100)}`)
  copyFileSync(file, copy)
  copyFileSync(`${file}-journal`, `${copy}-journal`)
  connection.close()
  await prepareSqliteFile(copy, async () => {})
  expect(existsSync(`${copy}-journal`)).toBe(false)
  const after = new SQLite(copy, { readonly: true })
  expect(after.prepare('select hash from migrations').pluck().all()).toEqual(['first'])
  after.close()
})
