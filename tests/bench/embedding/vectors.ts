/**
 * Compares vector search to flat sqlite-vec and LanceDB in one run, on vectors of `make-vectors.ts`.
 * Usage: npx tsx tests/bench/embedding/vectors.ts FOLDER [vectors, default 10000] [dimensions, default 384] [--without-terms]
 * LanceDB is included if it is installed: npm install --prefix tests/bench/peers
 */
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { createSqliteTextIndex } from '../../../server/adapters/text-index/text-index'
import { blockSize, layoutOf } from '../../../server/adapters/vector-index/copies/layout'
import { createSqliteVectorIndex } from '../../../server/adapters/vector-index/vector-index'
import { type IndexDatabase, openIndexDatabase } from '../../support/database/index-database'
import { type LanceSearch, openLance } from './lance'
import { createRandom, readVectors, type VectorSource, vectorFile } from './vector-file'

const [folder = '', count = '10000', ...options] = process.argv.slice(2)
const total = Number(count)
const withTerms = !options.includes('--without-terms')
const dimensions = Number(options.find((option) => /^\d+$/.test(option)) ?? 384)
const modelDimensions = 384
/** Vectors from which a projection is learned. */
const minLearned = 20_480
const k = 20
const batch = 200
const warmUp = 50
const rounds = 200
const smallCount = 10_000
const random = createRandom(7)

type Search = (query: Float32Array) => Promise<number[]>
interface Measured {
  p50: number
  p95: number
  found: number[][]
}

async function main(source: VectorSource): Promise<void> {
  const { real, nearestDistance } = source
  console.log(
    `${total} vectors of ${dimensions} numbers, ${Math.min(real, total)} of them embedded by the model, the others derived from these by noise;`,
  )
  console.log(`median distance to the nearest neighbour ${nearestDistance.toFixed(3)}; k = ${k}`)
  const flat = await measureOurs(source)
  await measureLance(source, flat)
}

async function measureOurs(source: VectorSource): Promise<Measured> {
  const opened = await openIndexDatabase({ threads: 2, rehearse: false })
  const { search, database } = opened
  const text = createSqliteTextIndex({ search })
  const flat = createSqliteVectorIndex({ search })
  const ours = createSqliteVectorIndex({ search, stored: opened, cacheBytes: 2 ** 30 })
  const words = createWords()
  const times = { vectors: 0, words: 0 }

  async function add(collectionId: string, from: number, to: number, firstKey: number): Promise<void> {
    for (let start = from; start < to; start += batch) {
      const rows = Array.from({ length: Math.min(batch, to - start) }, (_, n) => ({
        key: firstKey + start + n,
        collectionId,
        title: words(4),
        headings: words(6),
        text: words(110),
        vector: source.at(start + n),
      }))
      // One transaction in the product; two here, to measure them separately.
      const started = performance.now()
      await database.write((tx) => ours.add(tx, collectionId, rows))
      const between = performance.now()
      if (withTerms) await database.write((tx) => text.add(tx, rows))
      times.vectors += between - started
      times.words += performance.now() - between
    }
  }

  await add('all', 0, Math.floor(total / 2), 1)
  if (total > smallCount) await add('small', 0, smallCount, total + 1)
  await add('all', Math.floor(total / 2), total, 1)
  const inserted = total > smallCount ? total + smallCount : total
  const rate = (time: number) => Math.round((inserted * 1_000) / time)
  console.log(`insert: ${rate(times.vectors)} vectors/s in batches of ${batch}`)
  if (withTerms) console.log(`        ${rate(times.vectors + times.words)} fragments/s with terms`)

  const searchBy = (index: typeof ours, name: string): Search => {
    return async (query) => (await index.search(name, query, k)).map(({ key }) => key)
  }
  await search.startAll()
  await search.vectors({ kind: 'size', setId: 'all' })
  const before = memory()
  const [first = new Float32Array(dimensions)] = source.queries
  const cold = await timed(() => searchBy(ours, 'all')(first))
  const filling = performance.now()
  await untilCopied(() => timed(() => searchBy(ours, 'all')(first)), cold)
  console.log(`first search of a cold collection: ${cold.toFixed(0)} ms; copied ${since(filling)} later`)
  await untilRenewed(opened, () => searchBy(ours, 'all')(first), filling)
  const oursMeasured = await measure(searchBy(ours, 'all'), source.queries)
  const grown = memory()
  const flatMeasured = await measure(searchBy(flat, 'all'), source.queries, total > 200_000 ? 40 : rounds)
  const { projectedWidth } = await search.vectors({ kind: 'size', setId: 'all' })
  const bytes = layoutOf(dimensions, search.count, { projectedWidth }).block.bytes / blockSize
  print('ours', oursMeasured, flatMeasured, `${grown.own - before.own} MB, ${bytes} bytes a vector in the copy`)
  print('sqlite-vec, flat', flatMeasured, flatMeasured, '')
  if (total > smallCount) await measureSmall(searchBy(ours, 'small'), source)
  await ours.close()
  await opened.close()
  return flatMeasured
}

/** Compares a collection in a large index to the same one alone. */
async function measureSmall(inside: Search, source: VectorSource): Promise<void> {
  const opened = await openIndexDatabase({ threads: 2, rehearse: false })
  const alone = createSqliteVectorIndex({ search: opened.search, stored: opened, cacheBytes: 2 ** 28 })
  for (let start = 0; start < smallCount; start += batch) {
    const rows = Array.from({ length: batch }, (_, n) => ({ key: start + n + 1, vector: source.at(start + n) }))
    await opened.database.write((tx) => alone.add(tx, 'small', rows))
  }
  const searchAlone: Search = async (query) => (await alone.search('small', query, k)).map(({ key }) => key)
  await Promise.all([inside, searchAlone].map((search) => search(source.queries[0] ?? new Float32Array(dimensions))))
  await sleep(2_000)
  const [measured, otherMeasured] = [await measure(inside, source.queries), await measure(searchAlone, source.queries)]
  const ratio = (measured.p50 / otherMeasured.p50).toFixed(2)
  console.log(
    `10,000 among all: p50 ${measured.p50.toFixed(2)} ms, alone ${otherMeasured.p50.toFixed(2)} ms: ${ratio} times`,
  )
  await alone.close()
  await opened.close()
}

async function measureLance(source: VectorSource, flat: Measured): Promise<void> {
  const before = memory()
  const lance = await openLance(dimensions)
  if (!lance) return console.log('LanceDB is not installed.')
  for (let start = 0; start < total; start += 20_000) {
    const amount = Math.min(20_000, total - start)
    const vectors = new Float32Array(amount * dimensions)
    for (let n = 0; n < amount; n++) vectors.set(source.at(start + n), n * dimensions)
    await lance.add(
      Float64Array.from({ length: amount }, (_, n) => start + n + 1),
      vectors,
    )
  }
  const settings: ['HNSW_SQ' | 'IVF_PQ', LanceSearch[]][] = [
    ['HNSW_SQ', [{}, { ef: 100 }, { ef: 200, refine: 2 }, { ef: 1_000, refine: 10 }]],
    ['IVF_PQ', [{}, { nprobes: 40, refine: 10 }]],
  ]
  for (const [kind, searches] of settings) {
    const building = performance.now()
    await lance.index(kind)
    const built = since(building)
    for (const how of searches) {
      const measured = await measure((query) => lance.search(query, k, how), source.queries)
      const name = `LanceDB ${kind} ${Object.entries(how).join(' ').replaceAll(',', ' ')}`
      print(name, measured, flat, `${memory().own - before.own} MB, built in ${built}`)
    }
  }
  lance.close()
}

async function measure(search: Search, queries: Float32Array[], amount = rounds): Promise<Measured> {
  for (const query of queries.slice(rounds, rounds + Math.min(amount, warmUp))) await search(query)
  const times: number[] = []
  const found: number[][] = []
  for (const query of queries.slice(0, amount)) {
    const started = performance.now()
    found.push(await search(query))
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const node = (share: number) => times[Math.floor(share * times.length)] ?? Number.NaN
  return { p50: node(0.5), p95: node(0.95), found }
}

function print(name: string, measured: Measured, flat: Measured, more: string): void {
  const { p50, p95, found } = measured
  const parts = flat.found.map((exact, n) => exact.filter((key) => found[n]?.includes(key)).length / exact.length)
  const recall = parts.reduce((sum, part) => sum + part, 0) / parts.length
  const ratio = `${(flat.p50 / p50).toFixed(1)} times as fast as flat`
  const line = [`p50 ${p50.toFixed(2)} ms`, `p95 ${p95.toFixed(2)} ms`, ratio, `recall@${k} ${recall.toFixed(4)}`, more]
  console.log(`${name.padEnd(28)} ${line.filter(Boolean).join(', ')}`)
}

/** Repeats a search until it is much faster than the first time. */
async function untilCopied(search: () => Promise<number>, cold: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if ((await search()) < cold / 4) return
    await sleep(10)
  }
}

/** Waits for the projection of the collection, if one is learned, and for the copy that has it. */
async function untilRenewed({ database }: IndexDatabase, search: () => Promise<unknown>, began: number): Promise<void> {
  if (dimensions === modelDimensions || total < minLearned) return
  const learned = async () =>
    (await database.read.execute(sql`select 1 from vector_projections where set_id = 'all'`)).length > 0
  while (!(await learned())) {
    await search()
    await sleep(100)
  }
  console.log(`projection learned ${since(began)} after the first search`)
  // The times of searches tell that the second copy is in use: they are steady then.
  for (let steady = 0, last = Number.POSITIVE_INFINITY; steady < 40; ) {
    const time = await timed(search)
    steady = time > last * 0.7 ? steady + 1 : 0
    last = Math.min(last, time)
    await sleep(200)
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function since(started: number): string {
  return `${((performance.now() - started) / 1_000).toFixed(2)} s`
}

/** Private memory of this process in MB, without mapped files. */
function memory(): { own: number } {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const own = Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? process.memoryUsage().rss / 1_024)
  return { own: Math.round(own / 1_024) }
}

/** Words distributed by Zipf's law. */
function createWords(): (amount: number) => string {
  const vocabulary = Array.from(
    { length: 30_000 },
    (_, n) => `w${((n * 7_919) % 30_011).toString(36)}${n % 3 ? '' : 'ing'}`,
  )
  const word = () => vocabulary[Math.floor(vocabulary.length ** random.next()) - 1] ?? ''
  return (amount) => Array.from({ length: amount }, word).join(' ')
}

if (existsSync(vectorFile(folder))) await main(readVectors(folder, dimensions))
else console.log('Pass the folder that tests/bench/embedding/make-vectors.ts has filled.')
