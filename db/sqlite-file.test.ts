import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SQLite } from './sqlite-driver'
import { assertLocks } from './sqlite-file'

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
