import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import * as sqliteVec from 'sqlite-vec'
import { expect, test } from 'vitest'
import { migrationsFolder, openDatabase } from '../../db/open'
import { openIndexDatabase } from '../../tests/support/index-database'

const ours = "name like 'fragment_vectors%' or name like 'vector_%'"

function tablesOf(file: string): unknown {
  const connection = new SQLite(file, { readonly: true })
  const rows = connection.prepare(`select name, sql from sqlite_master where ${ours} order by name`).all()
  connection.close()
  return (rows as { name: string; sql: string | null }[]).map(({ name, sql }) => [
    name,
    sql?.toLowerCase().replaceAll(/\s+/g, ''),
  ])
}

test('the tables that tests search are those of the product', async () => {
  const opened = await openIndexDatabase({ dimensions: 384 })
  const file = join(await mkdtemp(join(tmpdir(), 'sitelore-tables-')), 'product.db')
  const product = await openDatabase(file)
  expect(tablesOf(opened.file)).toEqual(tablesOf(file))
  await product.close()
  await opened.close()
})

test('chunks that were there before have a revision', () => {
  const folder = migrationsFolder()
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as { entries: { tag: string }[] }
  const place = journal.entries.findIndex(({ tag }) => tag.endsWith('vector_revisions'))
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  const connection = new SQLite(':memory:')
  sqliteVec.load(connection)
  for (const { sql } of migrations.slice(0, place)) for (const one of sql) connection.exec(one)
  const insert = connection.prepare('insert into fragment_vectors (key, collection_id, vector) values (?, ?, ?)')
  const vector = new Uint8Array(new Float32Array(384).fill(1).buffer)
  for (let key = 1; key <= 600; key++) insert.run(BigInt(key), key % 2 === 0 ? 'one' : 'two', vector)
  for (const one of migrations[place]?.sql ?? []) connection.exec(one)
  const chunks = connection.prepare('select collection_id, count(*) n from vector_chunks group by 1').all()
  expect(chunks).toEqual([
    { collection_id: 'one', n: 2 },
    { collection_id: 'two', n: 2 },
  ])
  const wrong = connection.prepare(`select count(*) from fragment_vectors_chunks chunk
    left join vector_chunks known on known.chunk_id = chunk.chunk_id and known.collection_id = chunk.partition00
    left join vector_revisions latest on latest.collection_id = known.collection_id and latest.revision = known.revision
    where latest.revision is null`)
  expect(wrong.pluck().get()).toBe(0)
  connection.close()
})
