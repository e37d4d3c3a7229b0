import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../db/open'
import { openIndexDatabase } from '../../../tests/support/database/index-database'
import { tablesOf } from '../../../tests/support/database/migrated-tables'

const ours = "name like 'text_segment%' or name like 'text_deletions%'"

test('the tables that tests search are those of the product', async () => {
  const opened = await openIndexDatabase()
  const file = join(await mkdtemp(join(tmpdir(), 'sitelore-tables-')), 'product.db')
  const product = await openDatabase(file)
  expect(tablesOf(opened.file, ours)).toEqual(tablesOf(file, ours))
  await product.close()
  await opened.close()
})
