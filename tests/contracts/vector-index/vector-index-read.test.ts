import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Transaction } from '../../../db/database'
import { createSqliteVectorIndex } from '../../../server/adapters/vector-index/vector-index'
import type { VectorIndex } from '../../../server/engine/ports/search-index'
import { type IndexDatabase, openIndexDatabase } from '../../support/database/index-database'

const dimensions = 8
const vectorOf = (first: number) => Float32Array.from({ length: dimensions }, (_, n) => first + n / 3)

describe('VectorIndex.read: SQLite', () => {
  let opened: IndexDatabase
  let index: VectorIndex<Transaction>
  beforeAll(async () => {
    opened = await openIndexDatabase()
    index = createSqliteVectorIndex({ search: opened.search })
    for (const [collectionId, first] of [
      ['one', 1],
      ['two', 101],
    ] as const) {
      const rows = Array.from({ length: 50 }, (_, n) => ({ key: first + n, vector: vectorOf(first + n) }))
      await opened.database.write((tx) => index.add(tx, collectionId, rows))
    }
  })
  afterAll(() => opened.close())

  test('returns the exact vectors of any collection by key', async () => {
    const found = await index.read(0, [103, 999, 7])
    expect(new Map(found.map(({ key, vector }) => [key, vector]))).toEqual(
      new Map([
        [7, vectorOf(7)],
        [103, vectorOf(103)],
      ]),
    )
    expect(await index.read(0, [])).toEqual([])
  })

  test('omits removed vectors', async () => {
    await opened.database.write((tx) => index.remove(tx, 'one', [8]))
    expect(await index.read(0, [8, 9])).toMatchObject([{ key: 9 }])
  })
})
