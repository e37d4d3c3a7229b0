/**
 * Writes and searches a collection of generated fragments (words by Zipf's law, vectors around random centres).
 * Usage: npx tsx tests/bench/search.ts [fragments, default 20000]
 */
import { statSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createSqliteTextIndex } from '../../server/adapters/text-index-sqlite'
import { createSqliteVectorIndex } from '../../server/adapters/vector-index-sqlite'
import { openIndexDatabase } from '../support/index-database'
import { percentile, timesOf } from './percentiles'

const total = Number(process.argv[2] ?? 20_000)
const dimensions = 384
const batch = 200
const rounds = 100
let seed = 42

function random(): number {
  seed = (seed * 16_807) % 2_147_483_647
  return seed / 2_147_483_647
}

const vocabulary = Array.from(
  { length: 30_000 },
  (_, n) => `w${((n * 7_919) % 30_011).toString(36)}${n % 3 === 0 ? 'ing' : ''}`,
)
// The first ranks of natural text are stop words, which a query does not hold.
const stopWords = 150
const word = (from = 0) => vocabulary[from - 1 + Math.floor((vocabulary.length - from) ** random())] ?? ''
const words = (count: number, from = 0) => Array.from({ length: count }, () => word(from)).join(' ')
const centres = Array.from({ length: 200 }, () => Array.from({ length: dimensions }, () => random() - 0.5))

function vector(): Float32Array {
  const centre = centres[Math.floor(random() * centres.length)] ?? []
  const values = centre.map((value) => value + 0.6 * (random() - 0.5))
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

const opened = await openIndexDatabase({ dimensions, rehearse: false })
const text = createSqliteTextIndex({
  search: opened.search,
  readQuery: (query) => ({ words: query.split(' '), english: true }),
})
const vectors = createSqliteVectorIndex({ search: opened.search })

let writing = 0
for (let start = 0; start < total; start += batch) {
  const rows = Array.from({ length: Math.min(batch, total - start) }, (_, n) => ({
    key: start + n + 1,
    collectionId: (start / batch) % 10 === 9 ? 'other' : 'main',
    title: words(4),
    headings: words(6),
    text: words(120),
    vector: vector(),
  }))
  const started = performance.now()
  await opened.database.write(async (tx) => {
    await text.add(tx, rows)
    await vectors.add(tx, rows[0]?.collectionId ?? 'main', rows)
  })
  writing += performance.now() - started
}
console.log(
  `${total} fragments, 9 of 10 in the collection searched, ${(statSync(opened.file).size / 1e6).toFixed(0)} MB`,
)
console.log(`write        ${Math.round((total / writing) * 1000)} fragments/s in batches of ${batch}`)

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const found = await report('words', () => text.search('main', words(6, stopWords), 1_000))
await report('vectors', () => vectors.search('main', vector(), 100))
const keys = found.slice(0, 100).map(({ key }) => key)
await report('cosines', () => vectors.cosines('main', vector(), keys))
delay.disable()
console.log(`event loop   p99 ${(delay.percentile(99) / 1e6).toFixed(2)} ms during these`)
const gone = (round: number) => Array.from({ length: 20 }, (_, n) => round * 20 + n + 1)
await report('-20 words', (round) => opened.database.write((tx) => text.remove(tx, gone(round))))
await report('-20 vectors', (round) => opened.database.write((tx) => vectors.remove(tx, 'main', gone(round))))
await opened.close()

async function report<Result>(name: string, work: (round: number) => Promise<Result>): Promise<Result> {
  const last = await work(0)
  const times = await timesOf(rounds, work)
  console.log(`${name.padEnd(12)} p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)}`)
  return last
}
