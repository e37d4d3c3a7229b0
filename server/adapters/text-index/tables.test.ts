import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../db/open'
import { openIndexDatabase } from '../../../tests/support/index-database'
import { statementsOf, tablesOf } from '../../../tests/support/migrated-tables'

const ours = "name like 'fragment_words%' or name in ('word_collections', 'fragment_vocabulary')"

/** An empty database as it was before this migration, and the statements of it. */
function databaseBefore(name: string) {
  const { before, migration } = statementsOf(name)
  const connection = new SQLite(':memory:')
  sqliteVec.load(connection)
  connection.pragma('foreign_keys = off')
  for (const one of before) connection.exec(one)
  return { connection, migration }
}

test('the tables that tests search are those of the product', async () => {
  const opened = await openIndexDatabase()
  const file = join(await mkdtemp(join(tmpdir(), 'sitelore-tables-')), 'product.db')
  const product = await openDatabase(file)
  expect(tablesOf(opened.file, ours)).toEqual(tablesOf(file, ours))
  await product.close()
  await opened.close()
})

test.each([
  ['with fragments', [3, 8], [{ kind: 'index-words', payload: '{}', status: 'queued' }]],
  ['without one', [], []],
])('a database %s is told which words to put in again', (_, keys, jobs) => {
  const { connection, migration } = databaseBefore('words')
  const insert =
    connection.prepare(`insert into fragments (key, id, organization_id, collection_id, source_id, address_id,
    ordinal, title, headings, text, hash, tokens, created_at) values (?, ?, '', '', '', '', 0, '', '', '', '', 0, 0)`)
  for (const key of keys) insert.run(key, String(key))
  for (const one of migration) connection.exec(one)
  expect(connection.prepare('select key from words_missing order by key').pluck().all()).toEqual(keys)
  expect(connection.prepare('select kind, payload, status from jobs').all()).toEqual(jobs)
  connection.close()
})

test('all fragments get their words again, whatever they say of their language, for any may hold compounds', () => {
  const { connection, migration } = databaseBefore('compounds')
  const insert =
    connection.prepare(`insert into fragments (key, id, organization_id, collection_id, source_id, address_id,
    ordinal, title, headings, text, hash, tokens, created_at, language) values (?, ?, '', '', '', '', 0, '', '', '', '', 0, 0, ?)`)
  for (const [n, language] of ['de', 'en', 'en-GB', '', 'sv'].entries()) insert.run(n + 1, String(n), language)
  connection.exec('insert into words_missing (key) values (1)')
  const missing = connection.prepare('select key from words_missing order by key').pluck()
  const jobs = connection.prepare('select kind, status from jobs')
  for (const one of migration) connection.exec(one)
  expect(missing.all()).toEqual([1, 2, 3, 4, 5])
  expect(jobs.all()).toEqual([{ kind: 'index-words', status: 'queued' }])
  connection.close()
})
