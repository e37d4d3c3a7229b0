import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '../../db/database'
import { createSqliteVectorIndex } from '../../server/adapters/vector-index-sqlite'
import type { VectorIndex } from '../../server/engine/ports'
import { type IndexDatabase, openIndexDatabase } from '../support/index-database'

const dimensions = 64
let seed = 1

/** A unit vector; the sequence is the same in every run. */
function randomVector(): Float32Array {
  const values = Array.from({ length: dimensions }, () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647 - 0.5
  })
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * b[n]!, 0)
}

describe('VectorIndex: SQLite', () => {
  let opened: IndexDatabase
  let index: VectorIndex<Transaction>
  let number = 0
  let here = ''

  beforeAll(async () => {
    opened = await openIndexDatabase({ dimensions })
    index = createSqliteVectorIndex({ search: opened.search })
  })
  afterAll(() => opened.close())
  beforeEach(() => {
    here = crypto.randomUUID()
  })

  async function add(count: number, collectionId = here) {
    const rows = Array.from({ length: count }, () => ({ key: ++number, vector: randomVector() }))
    await opened.database.write((tx) => index.add(tx, collectionId, rows))
    return rows
  }

  test('finds exactly the nearest, best first, with their cosines', async () => {
    const rows = await add(500)
    await add(500, 'neighbour')
    for (let round = 0; round < 5; round++) {
      const query = randomVector()
      const expected = rows
        .map(({ key, vector }) => ({ key, score: cosine(query, vector) }))
        .sort((a, b) => b.score - a.score)
      const hits = await index.search(here, query, 20)
      expect(hits.map(({ key }) => key)).toEqual(expected.slice(0, 20).map(({ key }) => key))
      for (const [n, { score }] of hits.entries()) expect(score).toBeCloseTo(expected[n]!.score, 5)
    }
  })

  test('gives all there are when there are fewer, and nothing of an unknown collection', async () => {
    await add(3)
    expect(await index.search(here, randomVector(), 100)).toHaveLength(3)
    expect(await index.search(here, randomVector(), 100_000)).toHaveLength(3)
    expect(await index.search('unknown', randomVector(), 10)).toEqual([])
  })

  test('gives the cosines of named fragments of this collection alone', async () => {
    const rows = await add(5)
    const [foreign] = await add(1, 'neighbour')
    const query = randomVector()
    const keys = [rows[3]!.key, 999_999_999, rows[0]!.key, foreign!.key]
    const answer = new Map((await index.cosines(here, query, keys)).map(({ key, score }) => [key, score]))
    expect([...answer.keys()].sort((a, b) => a - b)).toEqual([rows[0]!.key, rows[3]!.key])
    expect(answer.get(rows[3]!.key)).toBeCloseTo(cosine(query, rows[3]!.vector), 5)
    expect(await index.cosines(here, query, [])).toEqual([])
  })

  test('never finds what was removed', async () => {
    const rows = await add(10)
    const gone = rows.slice(0, 9).map(({ key }) => key)
    await opened.database.write((tx) => index.remove(tx, here, gone))
    expect((await index.search(here, rows[0]!.vector, 10)).map(({ key }) => key)).toEqual([rows[9]!.key])
    expect(await index.cosines(here, rows[0]!.vector, gone)).toEqual([])
    await opened.database.write((tx) => index.remove(tx, here, [...gone, 999_999_999]))
    await opened.database.write((tx) => index.remove(tx, here, []))
  })

  test('replaces a vector that is added again', async () => {
    const [row] = await add(1)
    const vector = randomVector()
    await opened.database.write((tx) => index.add(tx, here, [{ key: row!.key, vector }]))
    const hits = await index.search(here, vector, 10)
    expect(hits).toHaveLength(1)
    expect(hits[0]!.score).toBeCloseTo(1, 5)
  })

  test('takes vectors that are parts of a larger buffer', async () => {
    const large = new Float32Array(3 * dimensions)
    large.set(randomVector(), dimensions)
    const part = large.subarray(dimensions, 2 * dimensions)
    await opened.database.write((tx) => index.add(tx, here, [{ key: ++number, vector: part }]))
    expect((await index.search(here, part, 1))[0]!.score).toBeCloseTo(1, 5)
  })

  test('shows nothing of a transaction that failed, and at once what is committed', async () => {
    const vector = randomVector()
    const failing = opened.database.write(async (tx) => {
      await index.add(tx, here, [{ key: ++number, vector }])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await index.search(here, vector, 10)).toEqual([])
    for (let round = 1; round <= 5; round++) {
      await add(1)
      expect(await index.search(here, vector, 10)).toHaveLength(round)
    }
  })

  test('adds nothing when there is nothing', async () => {
    await opened.database.write((tx) => index.add(tx, here, []))
    expect(await index.search(here, randomVector(), 10)).toEqual([])
  })
})
