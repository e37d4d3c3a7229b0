import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../db/open'
import { openIndexDatabase } from '../../../tests/support/database/index-database'
import { tablesOf } from '../../../tests/support/database/migrated-tables'

const ours = "name like 'fragment_vectors%' or name like 'vector_%'"

test('creates the same tables as the migrations', async () => {
  const opened = await openIndexDatabase()
  const file = join(await mkdtemp(join(tmpdir(), 'sitelore-tables-')), 'product.db')
  const product = await openDatabase(file)
  expect(tablesOf(opened.file, ours)).toEqual(tablesOf(file, ours))
  await product.close()
  await opened.close()
})
