import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '../../../db/database'
import { engine } from '../../../db/engine'
import { createSqliteVectorIndex } from '../../../server/adapters/vector-index/vector-index'
import { type VectorIndex, vectorSetId } from '../../../server/engine/ports/search-index'
import { type IndexDatabase, openIndexDatabase } from '../../support/database/index-database'
import { cosine, createCopiedIndex, createVectors, nearest } from '../../support/embedding/vectors'

const dimensions = 64
const cacheBytes = 64 * 2 ** 20
const always = { minCachedChunks: 1, minIdleMs: 0 }

type Make = (opened: IndexDatabase) => VectorIndex<Transaction> & { close(): Promise<void> }
const paths: [string, Make][] = [
  ['the table', ({ search }) => createSqliteVectorIndex({ search })],
  ['a copy', ({ search }) => createCopiedIndex({ search, cacheBytes, tuning: { ...always, minParallelBlocks: 1e9 } })],
  [
    'a copy, by all threads',
    ({ search }) => createCopiedIndex({ search, cacheBytes, tuning: { ...always, minParallelBlocks: 1 } }),
  ],
]

describe.runIf(engine === 'sqlite').each(paths)('VectorIndex: SQLite, by %s', (_, make) => {
  let opened: IndexDatabase
  let index: ReturnType<Make>
  let number = 0
  let collection = ''
  const { next: randomVector, near, random } = createVectors(dimensions)

  beforeAll(async () => {
    opened = await openIndexDatabase({ threads: 2 })
    index = make(opened)
  })
  afterAll(async () => {
    await index.close()
    await opened.close()
  })
  beforeEach(() => {
    collection = crypto.randomUUID()
  })

  async function add(count: number, collectionId = collection, vectorOf = randomVector) {
    const rows = Array.from({ length: count }, () => ({ key: ++number, vector: vectorOf() }))
    await opened.database.write((tx) => index.add(tx, collectionId, rows))
    return rows
  }

  async function keysNear(vector: Float32Array, k = 10) {
    return (await index.search(collection, vector, k)).map(({ key }) => key)
  }

  const centres = Array.from({ length: 40 }, randomVector)
  test.each([
    ['far from each other', randomVector],
    ['close together', () => near(centres[Math.floor(random() * centres.length)] ?? [], 0.2)],
    ['hardly different', () => near(centres[0] ?? [], 0.002)],
  ])(
    'finds exactly the nearest of 10,000 vectors that are %s, best first, with their cosines',
    async (__, vectorOf) => {
      const rows = await add(10_000, collection, vectorOf)
      await add(300, 'neighbour', vectorOf)
      for (const query of [...Array.from({ length: 10 }, vectorOf), randomVector()]) {
        const expected = nearest(rows, query, 20)
        const hits = await index.search(collection, query, 20)
        for (const [n, { score }] of hits.entries()) expect(score).toBeCloseTo(expected[n]?.score ?? 0, 5)
        expect(new Set(hits.map(({ key }) => key)).size).toBe(20)
        for (const { key, score } of hits) {
          const row = rows.find((item) => item.key === key)
          expect(score).toBeCloseTo(row ? cosine(query, row.vector) : 0, 5)
        }
      }
    },
  )

  test('returns all vectors of a small collection, and none of an unknown one', async () => {
    await add(3)
    expect(await index.search(collection, randomVector(), 100)).toHaveLength(3)
    expect(await createSqliteVectorIndex(opened).search(collection, randomVector(), 100_000)).toHaveLength(3)
    expect(await index.search(collection, randomVector(), 0)).toEqual([])
    expect(await index.search('unknown', randomVector(), 10)).toEqual([])
  })

  test('returns the cosines of requested keys of this collection only', async () => {
    const rows = await add(5)
    const [foreign] = await add(1, 'neighbour')
    const query = randomVector()
    const keys = [rows[3]!.key, 999_999_999, rows[0]!.key, foreign!.key]
    const answer = new Map((await index.cosines(collection, query, keys)).map(({ key, score }) => [key, score]))
    expect([...answer.keys()].sort((a, b) => a - b)).toEqual([rows[0]!.key, rows[3]!.key])
    expect(answer.get(rows[3]!.key)).toBeCloseTo(cosine(query, rows[3]!.vector), 5)
    expect(await index.cosines(collection, query, [])).toEqual([])
  })

  test('does not find removed vectors', async () => {
    const rows = await add(1_000)
    const query = rows[0]!.vector
    await index.search(collection, query, 10)
    for (let round = 0; round < 20; round++) {
      const gone = await keysNear(query, 5)
      await opened.database.write((tx) => index.remove(tx, collection, [...gone, 999_999_999]))
      const left = await keysNear(query, 5)
      expect(left.filter((key) => gone.includes(key))).toEqual([])
      expect(await index.cosines(collection, query, gone)).toEqual([])
    }
    expect(await index.search(collection, query, 1_000)).toHaveLength(900)
    await opened.database.write((tx) => index.remove(tx, collection, []))
    const all = rows.map(({ key }) => key)
    await opened.database.write((tx) => index.remove(tx, collection, all.slice(1)))
    expect(await keysNear(query)).toEqual([])
    await add(2)
    expect(await keysNear(query)).toHaveLength(2)
  })

  test('finds added vectors at once, also in reused slots', async () => {
    const rows = await add(600)
    for (let round = 0; round < 12; round++) {
      const vector = randomVector()
      expect(await keysNear(vector, 1)).not.toEqual([number + 1])
      await add(1, collection, () => vector)
      expect(await keysNear(vector, 1)).toEqual([number])
      const gone = rows.splice(0, 40).map(({ key }) => key)
      await opened.database.write((tx) => index.remove(tx, collection, gone))
    }
    expect(await index.search(collection, randomVector(), 1_000)).toHaveLength(600 - 12 * 40 + 12)
  })

  test('replaces a vector that is added twice', async () => {
    const rows = await add(300)
    await index.search(collection, randomVector(), 1)
    const vector = randomVector()
    await opened.database.write((tx) => index.add(tx, collection, [{ key: rows[7]!.key, vector }]))
    const hits = await index.search(collection, vector, 1_000)
    expect(hits).toHaveLength(300)
    expect(hits[0]).toMatchObject({ key: rows[7]!.key, score: expect.closeTo(1, 5) })
  })

  test('does not confuse a vector with an earlier one of the same key and slot', async () => {
    const rows = await add(400)
    await index.search(collection, randomVector(), 1)
    // As after a change of model: all vectors are removed, then added in the same order.
    const keys = rows.map(({ key }) => key)
    await opened.database.write((tx) => index.remove(tx, collection, keys.slice(10)))
    const again = keys.slice(10).map((key) => ({ key, vector: randomVector() }))
    await opened.database.write((tx) => index.add(tx, collection, again))
    for (const { key, vector } of again.slice(0, 20)) expect(await keysNear(vector, 1)).toEqual([key])
  })

  test('searches only the given keys', async () => {
    const rows = await add(3_000)
    const foreign = await add(10, 'neighbour')
    for (const batch of [rows.slice(0, 3), rows.filter((__, n) => n % 2 === 0), rows]) {
      const among = new Set([...batch, ...foreign].map(({ key }) => key))
      const query = randomVector()
      const hits = await createOrSame().search(collection, query, 20, among)
      expect(hits.map(({ key }) => key)).toEqual(nearest(batch, query, 20).map(({ key }) => key))
    }
    expect(await createOrSame().search(collection, randomVector(), 20, new Set())).toEqual([])
    expect(await createOrSame().search(collection, randomVector(), 20, new Set([999_999_999]))).toEqual([])

    /** Few keys are looked up without a copy. */
    function createOrSame() {
      return 'searchOnce' in index ? { search: index.searchOnce as VectorIndex['search'] } : index
    }
  })

  test('accepts views of a larger buffer', async () => {
    const large = new Float32Array(3 * dimensions)
    large.set(randomVector(), dimensions)
    const part = large.subarray(dimensions, 2 * dimensions)
    await opened.database.write((tx) => index.add(tx, collection, [{ key: ++number, vector: part }]))
    expect((await index.search(collection, part, 1))[0]!.score).toBeCloseTo(1, 5)
  })

  test('ranks by angle, independent of length', async () => {
    const vector = randomVector()
    const rows = [0.001, 40].map((length) => ({
      key: ++number,
      vector: near(vector, 0.2).map((item) => item * length),
    }))
    await opened.database.write((tx) => index.add(tx, collection, rows))
    await add(500)
    const hits = await index.search(
      collection,
      vector.map((item) => item * 7),
      2,
    )
    expect(new Set(hits.map(({ key }) => key))).toEqual(new Set(rows.map(({ key }) => key)))
  })

  test('does not show a transaction that was rolled back, and shows a committed one at once', async () => {
    const vector = randomVector()
    const failing = opened.database.write(async (tx) => {
      await index.add(tx, collection, [{ key: ++number, vector }])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await index.search(collection, vector, 10)).toEqual([])
    for (let round = 1; round <= 5; round++) {
      await add(1)
      expect(await index.search(collection, vector, 10)).toHaveLength(round)
    }
  })

  test('accepts an empty list', async () => {
    await opened.database.write((tx) => index.add(tx, collection, []))
    expect(await index.search(collection, randomVector(), 10)).toEqual([])
  })

  test('keeps the second set of a collection apart from the first, with vectors of another width', async () => {
    const rows = await add(600)
    const second = vectorSetId(collection, 1)
    const { next: wideVector } = createVectors(96)
    const wide = rows.map(({ key }) => ({ key, vector: wideVector() }))
    await opened.database.write((tx) => index.add(tx, second, wide))
    const [query, wideQuery] = [randomVector(), wideVector()]
    const keysOf = (hits: { key: number }[]) => hits.map(({ key }) => key)
    expect(await keysNear(query)).toEqual(keysOf(nearest(rows, query, 10)))
    expect(keysOf(await index.search(second, wideQuery, 10))).toEqual(keysOf(nearest(wide, wideQuery, 10)))
    const [first] = wide
    if (!first) throw new Error('Nothing was added.')
    expect(await index.cosines(second, wideQuery, [first.key])).toEqual([
      { key: first.key, score: expect.closeTo(cosine(wideQuery, first.vector), 5) },
    ])
    expect(await index.read(1, [first.key])).toEqual([first])
    expect((await index.read(0, [first.key]))[0]?.vector).toHaveLength(dimensions)

    await opened.database.write((tx) => index.remove(tx, collection, keysOf(rows)))
    expect(await keysNear(query)).toEqual([])
    expect(keysOf(await index.search(second, wideQuery, 10))).toEqual(keysOf(nearest(wide, wideQuery, 10)))
    await opened.database.write((tx) => index.remove(tx, second, [first.key]))
    expect(keysOf(await index.search(second, first.vector, 600))).not.toContain(first.key)
  })
})
