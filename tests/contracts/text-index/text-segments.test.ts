import { afterEach, beforeEach, expect, test } from 'vitest'
import { SQLite } from '../../../db/sqlite-driver'
import { readStoredSegment } from '../../../server/adapters/text-index/read-stored-segment'
import { chunkBytes, placeOf } from '../../../server/adapters/text-index/segment-chunks'
import { createSqliteTextIndex, type SqliteTextIndex } from '../../../server/adapters/text-index/text-index'
import { parseQuery } from '../../../server/engine/search/query/parse-query'
import { type IndexDatabase, openIndexDatabase } from '../../support/database/index-database'
import { keysInTextIndex } from '../../support/database/indexed-keys'
import { testRandom } from '../../support/test-random'
import { until } from '../../support/until'

const collectionId = 'a'
const batchSize = 10
const intervalMs = 50

let opened: IndexDatabase
let index: SqliteTextIndex
beforeEach(async () => {
  opened = await openIndexDatabase({ threads: 2 })
  const { database, file } = opened
  index = createSqliteTextIndex({ search: opened.search, merging: { database, file, intervalMs } })
})
afterEach(async () => {
  await index.close()
  await opened.close()
})

function add(keys: number[]): Promise<void> {
  const rows = keys.map((key) => ({ key, collectionId, title: '', headings: '', text: `lamp ${key} is the same lamp` }))
  return opened.database.write((tx) => index.add(tx, rows))
}

function remove(keys: number[]): Promise<void> {
  return opened.database.write((tx) => index.remove(tx, collectionId, keys))
}

async function addBatches(first: number, batches: number): Promise<number[]> {
  const keys: number[] = []
  for (let n = 0; n < batches; n++) {
    const batch = Array.from({ length: batchSize }, (_, place) => first + n * batchSize + place)
    await add(batch)
    keys.push(...batch)
  }
  return keys
}

async function found(query: string): Promise<number[]> {
  const { hits } = await index.search(collectionId, parseQuery(query, { count: () => 1 }, []), 10_000)
  return hits.map(({ key }) => key).sort((first, second) => first - second)
}

async function countSegments(): Promise<number> {
  const [row] = await opened.search.all<{ count: number }>('select count(*) count from text_segments', [])
  return row?.count ?? -1
}

async function rowsWithoutSegment(): Promise<unknown[]> {
  return opened.search.all(
    `select place from text_segment_chunks where place / 65536 not in (select id from text_segments)
      union all select segment_id from text_deletions where segment_id not in (select id from text_segments)`,
    [],
  )
}

test('finds the same before, during and after its segments are merged', async () => {
  const keys = await addBatches(1, 100)
  expect(await found('lamp')).toEqual(keys)
  let isSettled = false
  const settled = index.settle().then(() => {
    isSettled = true
  })
  while (!isSettled) expect(await found('lamp')).toEqual(keys)
  await settled
  // Without merges in the background, which may begin before the last batch, there are six of sixteen batches and four of one.
  expect(await countSegments()).toBeLessThan(10)
  expect(await rowsWithoutSegment()).toEqual([])
  expect(keysInTextIndex(opened.file)).toEqual(keys)
})

test('follows any order of additions, removals and merges', async () => {
  const random = testRandom()
  const live = new Set<number>()
  let next = 1
  for (let step = 0; step < 150; step++) {
    if (random() < 0.6) for (const key of await addBatches(next, 1)) live.add(key)
    next += batchSize
    const removed = [...live].filter(() => random() < 0.05)
    await remove(removed)
    for (const key of removed) live.delete(key)
    // Some that are there, some that were removed.
    const again = Array.from({ length: 3 }, () => 1 + Math.floor(random() * next))
    await add([...new Set(again)])
    for (const key of again) live.add(key)
    if (step % 50 === 49) await index.settle()
    if (step % 10 === 0) expect(await found('lamp')).toEqual([...live].sort((first, second) => first - second))
  }
  expect(keysInTextIndex(opened.file)).toEqual([...live].sort((first, second) => first - second))
  expect(await rowsWithoutSegment()).toEqual([])
})

test('fragments that are deleted during a merge stay deleted', async () => {
  const keys = await addBatches(1, 100)
  const removed: number[] = []
  let isSettled = false
  const settled = index.settle().then(() => {
    isSettled = true
  })
  for (const key of keys) {
    if (isSettled || key > 900) break
    await remove([key])
    removed.push(key)
    await found('lamp')
  }
  await settled
  const kept = keys.filter((key) => !removed.includes(key))
  expect(keysInTextIndex(opened.file)).toEqual(kept)
  expect(await found('lamp')).toEqual(kept)
})

test('nothing is left of a collection whose fragments are all deleted', async () => {
  const keys = await addBatches(1, 40)
  for (let start = 0; start < keys.length; start += 7) await remove(keys.slice(start, start + 7))
  await index.settle()
  expect(await found('lamp')).toEqual([])
  const left = await opened.search.all(
    'select place from text_segment_chunks union all select id from text_segments union all select segment_id from text_deletions',
    [],
  )
  expect(left).toEqual([])
})

test('two processes that merge the same segments lose nothing', async () => {
  const second = createSqliteTextIndex({
    search: opened.search,
    merging: { database: opened.database, file: opened.file, intervalMs },
  })
  const keys = await addBatches(1, 100)
  await opened.database.write((tx) => second.remove(tx, collectionId, [3]))
  await Promise.all([index.settle(), second.settle()])
  await until(async () => (await rowsWithoutSegment()).length === 0)
  expect(await found('lamp')).toEqual(keys.filter((key) => key !== 3))
  await second.close()
})

test('the words of a deleted fragment are unknown words again', async () => {
  await add([1, 2])
  await opened.database.write((tx) =>
    index.add(tx, [{ key: 3, collectionId, title: '', headings: '', text: 'gaskets' }]),
  )
  await remove([3])
  const query = parseQuery('gaskat', { count: () => 1 }, [])
  expect((await index.search(collectionId, query, 10)).expansions).toEqual(new Map())
})

test('a search that fails leaves nothing to the next one', async () => {
  const damaged = await openIndexDatabase({ threads: 1, keywordCacheBytes: 0 })
  const text = createSqliteTextIndex({ search: damaged.search })
  const rows = Array.from({ length: 2_000 }, (_, n) => ({
    key: n + 1,
    collectionId,
    title: '',
    headings: '',
    text: `aardvark ${'n'.repeat(n % 7)} number${n} ${'zebra '.repeat(1 + (n % 3))}`,
  }))
  await damaged.database.write((tx) => text.add(tx, rows))
  const ask = () => text.search(collectionId, parseQuery('aardvark zebra', { count: () => 1 }, []), 100)
  const before = await ask()

  const connection = new SQLite(damaged.file)
  const stored = readStoredSegment(connection, 1)
  const entry = stored?.segment.find(Buffer.from('zebra'), 'zebra'.length)
  const place = placeOf(1, Math.floor((entry?.from ?? 0) / chunkBytes))
  const bytes = connection.prepare('select bytes from text_segment_chunks where place = ?').pluck().get(place)
  connection.prepare('delete from text_segment_chunks where place = ?').run(place)
  await expect(ask()).rejects.toThrow('lacks the chunk')
  connection.prepare('insert into text_segment_chunks values (?, ?)').run(place, bytes)
  expect(await ask()).toEqual(before)
  connection.close()
  await damaged.close()
})
