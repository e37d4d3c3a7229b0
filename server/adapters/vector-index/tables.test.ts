import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../db/open'
import { openIndexDatabase } from '../../../tests/support/index-database'
import { statementsOf, tablesOf } from '../../../tests/support/migrated-tables'

const ours = "name like 'fragment_vectors%' or name like 'vector_%'"

test('the tables that tests search are those of the product', async () => {
  const opened = await openIndexDatabase({ dimensions: 384 })
  const file = join(await mkdtemp(join(tmpdir(), 'sitelore-tables-')), 'product.db')
  const product = await openDatabase(file)
  expect(tablesOf(opened.file, ours)).toEqual(tablesOf(file, ours))
  await product.close()
  await opened.close()
})

test('chunks that were there before have a revision', () => {
  const { before, migration } = statementsOf('vector_revisions')
  const connection = new SQLite(':memory:')
  sqliteVec.load(connection)
  for (const one of before) connection.exec(one)
  const insert = connection.prepare('insert into fragment_vectors (key, collection_id, vector) values (?, ?, ?)')
  const vector = new Uint8Array(new Float32Array(384).fill(1).buffer)
  for (let key = 1; key <= 600; key++) insert.run(BigInt(key), key % 2 === 0 ? 'one' : 'two', vector)
  for (const one of migration) connection.exec(one)
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
