import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { openDatabase } from './open'
import { SQLite } from './sqlite-driver'

/** A sound database, closed. */
let sound: string
beforeAll(async () => {
  sound = join(newFolder(), 'sitelore.db')
  await (await openDatabase(sound)).close()
})

let file: string
beforeEach(() => {
  file = join(newFolder(), 'sitelore.db')
})

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'sitelore-damaged-'))
}

/** What opening the file says. It must be one line of ours, and leave the file as it is. */
async function refusal(): Promise<string> {
  const before = readFileSync(file)
  const error = await openDatabase(file).then(
    async (database) => {
      await database.close()
      return new Error('It was opened.')
    },
    (thrown: Error) => thrown,
  )
  expect(readFileSync(file).equals(before), 'the file was changed').toBe(true)
  expect(error.name, error.message).toBe('DatabaseOpenError')
  expect(error.message).not.toContain('\n')
  expect(error.message).toContain(file)
  return error.message
}

it('reports a damaged header', async () => {
  const bytes = readFileSync(sound)
  bytes.fill(0, 0, 100)
  writeFileSync(file, bytes)
  expect(await refusal()).toMatch(/damaged.*restore/i)
})

it('never treats a file with a damaged header byte as new', async () => {
  const bytes = readFileSync(sound)
  for (let index = 0; index < 100; index++) {
    for (const value of [0x00, 0xff]) {
      const damaged = Buffer.from(bytes)
      damaged[index] = value
      writeFileSync(file, damaged)
      const database = await openDatabase(file).catch((error: Error) => error)
      const context = `byte ${index} is ${value}`
      if (database instanceof Error) expect(database.name, `${context}: ${database.stack}`).toBe('DatabaseOpenError')
      // Some bytes are not looked at; then the tables are those that were there.
      else await database.close()
    }
  }
})

it('reports a truncated file', async () => {
  copyFileSync(sound, file)
  truncateSync(file, 8_192)
  expect(await refusal()).toMatch(/damaged.*restore/i)
  truncateSync(file, 50)
  expect(await refusal()).toMatch(/damaged.*restore/i)
})

it('does not initialize an empty file', async () => {
  writeFileSync(file, '')
  expect(await refusal()).toMatch(/is empty.*restore/i)
})

it('does not create a database next to the log of a missing one', async () => {
  writeFileSync(`${file}-wal`, 'The last changes.')
  await expect(openDatabase(file)).rejects.toMatchObject({
    name: 'DatabaseOpenError',
    message: expect.stringMatching(/sitelore\.db is missing.*sitelore\.db-wal/),
  })
})

it.each([
  ['another program', 'create table songs (title text)'],
  ['another program with a table of that name', 'create table migrations (id integer, migration text)'],
  ['nobody', 'create table migrations (hash text primary key)'],
])('does not change the database of %s', async (_whose, table) => {
  const otherDatabase = new SQLite(file)
  otherDatabase.exec(table)
  otherDatabase.close()
  chmodSync(file, 0o644)
  expect(await refusal()).toMatch(/not a database of Sitelore/)
  expect(readdirSync(join(file, '..'))).toEqual(['sitelore.db'])
})

it('reports a file that is no database, and a folder', async () => {
  writeFileSync(file, 'Dear Ada, thank you for the lamps. '.repeat(100))
  expect(await refusal()).toMatch(/not a database/)
  file = join(newFolder(), 'sitelore.db')
  mkdirSync(file)
  await expect(openDatabase(file)).rejects.toThrow(/is not a file/)
})

it('reports a read-only file', async () => {
  // The folder of the other tests may be closed to other users.
  const folder = mkdtempSync('/tmp/sitelore-damaged-')
  file = join(folder, 'sitelore.db')
  copyFileSync(sound, file)
  chmodSync(file, 0o444)
  const message = await asOrdinaryUser(folder, refusal).finally(() => rmSync(folder, { recursive: true }))
  expect(message).toMatch(/cannot be written/)
})

it('leaves no other files', async () => {
  await (await openDatabase(file)).close()
  expect(readdirSync(join(file, '..'))).toEqual(['sitelore.db'])
})

it('is created once by processes that start together', async () => {
  const opened = await Promise.all([openDatabase(file), openDatabase(file), openDatabase(file)])
  for (const database of opened) await database.close()
  expect(readdirSync(join(file, '..'))).toEqual(['sitelore.db'])
})

/** Root may write everything, so this runs as nobody where it can. */
async function asOrdinaryUser<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return work()
  const nobody = 65_534
  chownSync(folder, nobody, nobody)
  for (const name of readdirSync(folder)) chownSync(join(folder, name), nobody, nobody)
  process.seteuid?.(nobody)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
