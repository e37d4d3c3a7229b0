import type { Worker } from 'node:worker_threads'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase } from '../../../db/database'
import { openSqlite } from '../../../db/sqlite'
import { bytesForBlocks, layoutOf } from '../../../server/adapters/vector-index/copies/layout'
import { learnProjection } from '../../../server/adapters/vector-index/projection/learn-projection'
import { storeProjection } from '../../../server/adapters/vector-index/projection/projection-store'
import {
  createSqliteVectorIndex,
  type SqliteVectorIndexOptions,
} from '../../../server/adapters/vector-index/vector-index'
import { type IndexDatabase, openIndexDatabase } from '../../support/database/index-database'
import { cosine, createCopiedIndex, createVectors, type KeyedVector, nearest } from '../../support/embedding/vectors'
import { until } from '../../support/until'

const started: Worker[] = []
const onWorker = (worker: Worker) => void started.push(worker)
beforeAll(() => void process.on('worker', onWorker))
afterAll(() => void process.off('worker', onWorker))

const dimensions = 64
const tuning = { minCachedChunks: 1, minParallelBlocks: 1e9, minIdleMs: 0 }
const megabyte = 2 ** 20
const vectors = createVectors(dimensions)

describe('cached copies of vectors', () => {
  let opened: IndexDatabase
  let index: ReturnType<typeof createCopiedIndex>
  let number = 0

  async function open(options: Partial<SqliteVectorIndexOptions> = {}) {
    opened = await openIndexDatabase({ threads: 2, rehearse: false })
    index = createCopiedIndex({ search: opened.search, cacheBytes: 64 * megabyte, tuning, ...options })
  }
  beforeEach(() => {
    number = 0
    started.length = 0
  })
  afterEach(async () => {
    await index.close()
    await opened.close()
  })

  async function add(count: number, collectionId: string, vectorOf = vectors.next): Promise<KeyedVector[]> {
    const rows = Array.from({ length: count }, () => ({ key: ++number, vector: vectorOf() }))
    await opened.database.write((tx) => index.add(tx, collectionId, rows))
    return rows
  }

  const keysOf = (hits: { key: number }[]) => hits.map(({ key }) => key)

  test('selects candidates by the first half of rotated vectors, and ranks by the whole', async () => {
    await open({ tuning: { ...tuning, minCoarseBlocks: 1, minParallelBlocks: 20 } })
    // The first half has nine tenths of the variance.
    const { near, next, random } = createVectors(dimensions, 5, (place) => Math.exp(-place / 28))
    const centres = Array.from({ length: 100 }, next)
    const vectorOf = () => near(centres[Math.floor(random() * 100)] ?? [], 0.3)
    const small = await add(4_000, 'small', vectorOf)
    const large = await add(10_000, 'large', vectorOf)
    for (const [name, rows] of [
      ['small', small],
      ['large', large],
    ] as const) {
      let found = 0
      for (let round = 0; round < 20; round++) {
        const query = vectorOf()
        const expected = new Set(keysOf(nearest(rows, query, 20)))
        found += keysOf(await index.search(name, query, 20)).filter((key) => expected.has(key)).length
      }
      expect(found / 400).toBeGreaterThanOrEqual(0.998)
    }
  })

  test.each([64, 384, 1_000, 4_096])('finds the nearest among vectors of %i numbers', async (width) => {
    await open({ tuning: { ...tuning, minParallelBlocks: 4 } })
    const { next, near } = createVectors(width, 3)
    // Numbers of equal size add up to the largest sums.
    const signs = () => next().map((value) => Math.sign(value) / Math.sqrt(width))
    const rows = [...(await add(600, 'here', next)), ...(await add(600, 'here', signs))]
    for (const query of [next(), signs(), near(rows[700]?.vector ?? [], 0.1), rows[900]?.vector ?? next()]) {
      const found = await index.search('here', query, 10)
      expect(keysOf(found)).toEqual(keysOf(nearest(rows, query, 10)))
    }
    expect(index.statuses.at(-1)).toBe('current')
  })

  test('learns a projection of large collections, and selects candidates by it', async () => {
    opened = await openIndexDatabase({ threads: 2, rehearse: false })
    const learning = { search: opened.search, stored: opened, cacheBytes: 64 * megabyte }
    index = createCopiedIndex({ ...learning, tuning: { ...tuning, minCoarseBlocks: 4, minParallelBlocks: 20 } })
    // No number says more than another, but their differences lie in a few directions.
    const turn = learnProjection([Array.from({ length: 500 }, createVectors(256, 9).next)], 256, 256)
    const { near, next, random } = createVectors(256, 5, (place) => Math.exp(-place / 16))
    const centres = Array.from({ length: 100 }, next)
    const turned = (vector: Float32Array) =>
      Float32Array.from(vector, (_, row) => cosine(turn.subarray(row * 256, (row + 1) * 256), vector))
    const vectorOf = () => turned(near(centres[Math.floor(random() * 100)] ?? [], 0.3))
    const rows = [...(await add(3_000, 'here', vectorOf)), ...(await add(3_000, 'here', vectorOf))]
    const projections = () =>
      opened.database.read.execute<{ bytes: number }>(sql`select length(matrix) bytes from vector_projections`)
    const probe = vectorOf()
    await until(async () => {
      await index.search('here', probe, 1)
      return (await projections()).length > 0
    })
    expect(await projections()).toEqual([{ bytes: 128 * 256 * 4 }])

    const recallOf = async (searched: typeof index) => {
      let found = 0
      for (let round = 0; round < 20; round++) {
        const query = vectorOf()
        const expected = new Set(keysOf(nearest(rows, query, 20)))
        found += keysOf(await searched.search('here', query, 20)).filter((key) => expected.has(key)).length
      }
      return found / 400
    }
    expect(await recallOf(index)).toBeGreaterThanOrEqual(0.998)
    // Changes reach the projected rows as well.
    const { key = 0, vector = vectorOf() } = rows.pop() ?? {}
    await opened.database.write((tx) => index.remove(tx, 'here', [key]))
    expect(keysOf(await index.search('here', vector, 1))).not.toEqual([key])
    rows.push(...(await add(500, 'here', vectorOf)))
    expect(await recallOf(index)).toBeGreaterThanOrEqual(0.998)

    // After a restart, the stored one is used.
    const later = createCopiedIndex({ ...learning, tuning: { ...tuning, minCoarseBlocks: 4 } })
    expect(await recallOf(later)).toBeGreaterThanOrEqual(0.998)
    await later.close()
    await opened.database.write((tx) =>
      index.remove(
        tx,
        'here',
        rows.map((row) => row.key),
      ),
    )
    expect(await projections()).toEqual([])
  })

  test('ignores a damaged projection', async () => {
    await open({ tuning: { ...tuning, minCoarseBlocks: 1 } })
    const rows = await add(3_000, 'here')
    await opened.database.write(async (tx) => {
      await storeProjection(tx, 'here', dimensions, new Float32Array(64 * dimensions))
      await tx.execute(sql`update vector_projections set checksum = 'another'`)
    })
    const query = vectors.next()
    expect(keysOf(await index.search('here', query, 20))).toEqual(keysOf(nearest(rows, query, 20)))
    expect(index.statuses.at(-1)).toBe('current')
  })

  test('keeps apart collections with equal vectors', async () => {
    await open()
    const centre = vectors.next()
    const collections = Array.from({ length: 100 }, (_, n) => `collection ${n}`)
    const owner = new Map<number, string>()
    for (const name of collections) {
      for (const { key } of await add(1_000, name, () => vectors.near(centre, 0.3))) owner.set(key, name)
    }
    for (const name of collections) await index.search(name, centre, 1)
    for (let round = 0; round < 2_000; round += 100) {
      // Closer to vectors of other collections than to any of its own.
      const asked = Array.from({ length: 100 }, () => collections[Math.floor(vectors.random() * 100)] ?? '')
      const answers = await Promise.all(asked.map((name) => index.searchOnce(name, vectors.near(centre, 0.3), 10)))
      for (const [n, hits] of answers.entries()) {
        expect(hits).toHaveLength(10)
        for (const { key } of hits) expect(owner.get(key)).toBe(asked[n])
      }
    }
    expect(index.statuses.filter((standing) => standing === 'current').length).toBeGreaterThan(1_500)
  })

  test('applies the writes of other processes', async () => {
    await open()
    await add(500, 'here')
    await index.search('here', vectors.next(), 1)
    const otherDatabase = createDatabase(openSqlite(opened.file))
    for (let round = 0; round < 5; round++) {
      const vector = vectors.next()
      const key = 1_000 + round
      await otherDatabase.write((tx) => index.add(tx, 'here', [{ key, vector }]))
      expect(keysOf(await index.search('here', vector, 1))).toEqual([key])
      await otherDatabase.write((tx) => index.remove(tx, 'here', [key]))
      expect(keysOf(await index.search('here', vector, 1))).not.toEqual([key])
    }
    await otherDatabase.close()
  })

  test('returns correct results during writes', async () => {
    await open({ tuning: { ...tuning, minParallelBlocks: 4 } })
    const rows = await add(2_000, 'here')
    const query = rows[0]?.vector ?? new Float32Array()
    const stays = nearest(rows, query, 30)
    const passing = rows.filter(({ key }) => stays.every((kept) => kept.key !== key))
    await index.search('here', query, 1)
    let isWriting = true
    let searches = 0
    let onSearch = () => {}
    const nextSearch = () =>
      new Promise<void>((resolve) => {
        onSearch = resolve
      })
    const writing = (async () => {
      while (passing.length > 0) {
        const gone = passing.splice(0, 60)
        await opened.database.write((tx) => index.remove(tx, 'here', keysOf(gone)))
        await add(40, 'here', () => vectors.near(query, 3))
        await nextSearch()
      }
      isWriting = false
    })()
    while (isWriting) {
      const hits = await index.searchOnce('here', query, 50)
      expect(new Set(keysOf(hits)).size).toBe(50)
      const last = hits.at(-1)?.score ?? 1
      // A vector that is there throughout is missing only if 50 others are closer.
      for (const { key, score } of stays) if (!keysOf(hits).includes(key)) expect(score).toBeLessThan(last + 1e-5)
      searches++
      onSearch()
    }
    await writing
    expect(searches).toBeGreaterThan(10)
    expect(index.statuses.slice(-searches)).toContain('current')
  })

  test('grows with its collection, also by many chunks at once', async () => {
    await open()
    const rows = await add(300, 'here')
    await index.search('here', vectors.next(), 1)
    for (const count of [200, 3_000, 12_000]) {
      rows.push(...(await add(count, 'here')))
      const query = vectors.next()
      // Searches use the table until the copy has caught up.
      for (const hits of [await index.searchOnce('here', query, 5), await index.search('here', query, 5)]) {
        expect(keysOf(hits)).toEqual(keysOf(nearest(rows, query, 5)))
      }
    }
  })

  test('replaces a thread that died, and recreates the copies', async () => {
    await open()
    const rows = await add(1_000, 'here')
    for (let round = 0; round < 3; round++) {
      const query = vectors.next()
      const expected = keysOf(nearest(rows, query, 5))
      expect(keysOf(await index.search('here', query, 5))).toEqual(expected)
      // Not a valid request, so that the thread fails with an uncaught error.
      started.at(-1)?.postMessage(null)
      const answers = await Promise.all(Array.from({ length: 10 }, () => index.searchOnce('here', query, 5)))
      for (const hits of answers) expect(keysOf(hits)).toEqual(expected)
    }
    expect(started.length).toBeGreaterThan(3)
  })

  test('closes while copies are being created', async () => {
    await open()
    await add(3_000, 'here')
    await index.searchOnce('here', vectors.next(), 1)
    await index.close()
    await opened.search.close()
    await expect(index.searchOnce('here', vectors.next(), 1)).rejects.toThrow('The server is stopping.')
  })

  describe('with limited memory', () => {
    const bytesOf = (chunks: number) => bytesForBlocks(layoutOf(dimensions, 2), chunks + 4)
    // Memory for three collections of four chunks.
    const cacheBytes = 3 * bytesOf(4)
    const statusOf = async (name: string) => {
      await index.searchOnce(name, vectors.next(), 1)
      return index.statuses.at(-1)
    }

    test('evicts the least recently searched collection', async () => {
      await open({ cacheBytes })
      for (const name of ['one', 'two', 'three', 'four']) await add(1_000, name)
      for (const name of ['one', 'two', 'three', 'one', 'four']) await index.search(name, vectors.next(), 1)
      for (const name of ['one', 'three', 'four']) expect(await statusOf(name)).toBe('current')
      expect(await statusOf('two')).toBe('unused')
    })

    test('does not evict collections in use', async () => {
      await open({ cacheBytes, tuning: { ...tuning, minIdleMs: 60_000 } })
      for (const name of ['one', 'two', 'three', 'four']) await add(1_000, name)
      for (const name of ['one', 'two', 'three']) await index.search(name, vectors.next(), 1)
      for (let round = 0; round < 20; round++) expect(await statusOf('four')).toBe('unused')
    })

    test('searches the table for a collection that does not fit', async () => {
      await open({ cacheBytes })
      const rows = await add(7_000, 'large')
      const query = vectors.next()
      for (let round = 0; round < 10; round++) {
        expect(keysOf(await index.searchOnce('large', query, 5))).toEqual(keysOf(nearest(rows, query, 5)))
      }
      expect(new Set(index.statuses)).toEqual(new Set(['unused']))
    })

    test('evicts a collection that outgrows the memory', async () => {
      await open({ cacheBytes: bytesOf(4) })
      const rows = await add(1_000, 'here')
      await index.search('here', vectors.next(), 1)
      rows.push(...(await add(5_000, 'here')))
      const query = vectors.next()
      for (let round = 0; round < 50; round++) {
        expect(keysOf(await index.searchOnce('here', query, 5))).toEqual(keysOf(nearest(rows, query, 5)))
      }
      expect(index.statuses.at(-1)).toBe('unused')
    })
  })

  describe('after a restart', () => {
    test('preloads the most recently searched collections that fit', async () => {
      opened = await openIndexDatabase({ threads: 2, rehearse: false })
      const { search } = opened
      index = createCopiedIndex({ search, stored: opened, cacheBytes: 64 * megabyte, tuning })
      for (const name of ['never', 'first', 'second', 'third']) await add(1_000, name)
      for (const name of ['first', 'second', 'third']) {
        await index.search(name, vectors.next(), 1)
        await index.search(name, vectors.next(), 1)
        // Their times are stored in milliseconds.
        const searchedAt = Date.now()
        await until(() => Date.now() > searchedAt, { everyMs: 1 })
      }
      await index.close()
      const cacheBytes = 2 * bytesForBlocks(layoutOf(dimensions, 2), 8)
      const later = createCopiedIndex({ search, stored: opened, cacheBytes, tuning: { ...tuning, minIdleMs: 60_000 } })
      await later.warm()
      for (const [name, standing] of [
        ['third', 'current'],
        ['second', 'current'],
        ['first', 'unused'],
        ['never', 'unused'],
      ] as const) {
        await later.searchOnce(name, vectors.next(), 1)
        expect([name, later.statuses.at(-1)]).toEqual([name, standing])
      }
      await later.close()
    })

    test('preloads nothing without searches or without memory', async () => {
      await open()
      await add(1_000, 'here')
      await createSqliteVectorIndex({ search: opened.search, stored: opened }).warm()
      await index.warm()
      await index.searchOnce('here', vectors.next(), 1)
      expect(index.statuses).toEqual(['unused'])
    })
  })
})
