import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engine } from '../../../db/engine'
import { vectorSetId } from '../../../server/engine/ports/search-index'
import { openSearchStore, type SearchStore } from '../../support/database/search-store'
import { cosine, createVectors, nearest } from '../../support/embedding/vectors'

// Unlike that of SQLite, the graph of OpenSearch is searched approximately.
describe.runIf(engine === 'postgres').each([64, 384, 1_024])('VectorIndex: OpenSearch, %i dimensions', (dimensions) => {
  let store: SearchStore
  let number = 0
  let collection = ''
  const { next: randomVector } = createVectors(dimensions)

  beforeAll(async () => {
    store = await openSearchStore()
  })
  afterAll(() => store.close())
  beforeEach(() => {
    collection = crypto.randomUUID()
  })

  async function add(count: number, collectionId = collection) {
    const rows = Array.from({ length: count }, () => ({ key: ++number, vector: randomVector() }))
    await store.database.write((tx) => store.vectorIndex.add(tx, collectionId, rows))
    return rows
  }

  async function search(vector: Float32Array, limit = 10, among?: ReadonlySet<number>) {
    await store.deliver()
    return store.vectorIndex.search(collection, vector, limit, among)
  }

  test('finds at least 95 % of the nearest, best first, with their cosines, in one collection', async () => {
    const rows = await add(2_000)
    await add(300, 'neighbor')
    let found = 0
    for (let round = 0; round < 10; round++) {
      const query = randomVector()
      const expected = new Set(nearest(rows, query, 20).map(({ key }) => key))
      const hits = await search(query, 20)
      expect(hits).toHaveLength(20)
      found += hits.filter(({ key }) => expected.has(key)).length
      const scores = hits.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((first, second) => second - first))
      for (const { key, score } of hits) {
        const row = rows.find((item) => item.key === key) ?? expect.fail(`${key} is of another collection`)
        expect(score).toBeCloseTo(cosine(query, row.vector), 5)
      }
    }
    expect(found / 200).toBeGreaterThanOrEqual(0.95)
  })

  test('finds a replaced vector, and no removed one', async () => {
    const [first, second] = await add(2)
    if (!first || !second) throw new Error('Nothing was added.')
    const vector = randomVector()
    await store.database.write((tx) => store.vectorIndex.add(tx, collection, [{ key: first.key, vector }]))
    expect((await search(vector))[0]).toMatchObject({ key: first.key, score: expect.closeTo(1, 5) })
    await store.database.write((tx) => store.vectorIndex.remove(tx, collection, [first.key]))
    expect((await search(vector)).map(({ key }) => key)).toEqual([second.key])
    expect(await store.vectorIndex.cosines(collection, vector, [first.key, second.key])).toMatchObject([
      { key: second.key },
    ])
  })

  test('searches only the given keys', async () => {
    const rows = await add(50)
    const among = new Set(rows.slice(3, 6).map(({ key }) => key))
    expect(new Set((await search(randomVector(), 10, among)).map(({ key }) => key))).toEqual(among)
    expect(await search(randomVector(), 10, new Set())).toEqual([])
  })

  test('does not show a transaction that was rolled back', async () => {
    const vector = randomVector()
    const failing = store.database.write(async (tx) => {
      await store.vectorIndex.add(tx, collection, [{ key: ++number, vector }])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await search(vector)).toEqual([])
  })

  test('finds nothing by a vector of another width, and leaves such vectors out', async () => {
    const [row] = await add(1)
    const wide = createVectors(dimensions + 64).next()
    expect(await search(wide)).toEqual([])
    await store.database.write((tx) => store.vectorIndex.add(tx, collection, [{ key: ++number, vector: wide }]))
    expect((await search(randomVector())).map(({ key }) => key)).toEqual([row?.key])
    expect(await store.vectorIndex.cosines(collection, randomVector(), [number])).toEqual([])
  })

  test('keeps the second set of a collection apart from the first, with vectors of another width', async () => {
    const rows = await add(30)
    const second = vectorSetId(collection, 1)
    const { next: wideVector } = createVectors(dimensions + 32)
    const wide = rows.map(({ key }) => ({ key, vector: wideVector() }))
    const [query, wideQuery] = [randomVector(), wideVector()]
    const searchSecond = async () => {
      await store.deliver()
      return (await store.vectorIndex.search(second, wideQuery, 5)).map(({ key }) => key)
    }
    expect(await searchSecond()).toEqual([])
    await store.database.write((tx) => store.vectorIndex.add(tx, second, wide))
    expect(await searchSecond()).toEqual(nearest(wide, wideQuery, 5).map(({ key }) => key))
    expect((await search(query, 5)).map(({ key }) => key)).toEqual(nearest(rows, query, 5).map(({ key }) => key))
    const keys = rows.map(({ key }) => key)
    expect(await store.vectorIndex.read(1, keys.slice(0, 1))).toEqual(wide.slice(0, 1))
    await store.database.write((tx) => store.vectorIndex.remove(tx, collection, keys))
    expect(await search(query, 5)).toEqual([])
    expect(await searchSecond()).toEqual(nearest(wide, wideQuery, 5).map(({ key }) => key))
  })
})
