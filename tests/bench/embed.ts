/**
 * Passages and pieces a second of the embedder, beside the bare runtime over as many pieces in as many threads in the same
 * run, in turns; then queries, alone and beside passages. Usage: npx tsx tests/bench/embed.ts
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createTransformersEmbedder } from '../../server/adapters/transformers'
import { createTokenizer } from '../../server/adapters/wordpiece'
import { percentile, timesOf } from './percentiles'

const threads = 2
const rounds = 3
const modelFolder = resolve(import.meta.dirname, '../../models/all-MiniLM-L6-v2')
const words = readFileSync(join(modelFolder, 'vocab.txt'), 'utf8')
  .split('\n')
  .filter((word) => /^[a-z]{3,}$/.test(word))
const tokenizer = createTokenizer(modelFolder)
let next = 0

function passage(pieces: number): string {
  return Array.from({ length: pieces - 2 }, () => {
    next = (next * 31 + 7_919) % words.length
    return words[next]
  }).join(' ')
}

const started = performance.now()
const embedder = await createTransformersEmbedder({ modelFolder, threads })
console.log(`${embedder.model}, loaded in ${Math.round(performance.now() - started)} ms`)
const bare = await Promise.all(Array.from({ length: threads }, startBare))
await embedder.embedPassages(Array.from({ length: 20 }, () => passage(60)))
const idle = await timesOf(200, (n) => embedder.embedQuery(`how do I change setting ${n}`))

for (const pieces of [58, 125, 195, 251]) {
  const count = Math.ceil(12_000 / pieces / threads) * threads
  let ours = 0
  let alone = 0
  for (let round = 0; round < rounds; round++) {
    const texts = Array.from({ length: count }, () => passage(pieces))
    alone += await timed(() => Promise.all(bare.map((worker) => run(worker, { passages: count / threads, pieces }))))
    ours += await timed(() => embedder.embedPassages(texts))
  }
  const rate = (ms: number) => (rounds * count * 1000) / ms
  console.log(
    `${pieces} pieces: ${rate(ours).toFixed(1)} passages/s, ${Math.round(rate(ours) * pieces)} pieces/s; ` +
      `the runtime alone ${Math.round(rate(alone) * pieces)} pieces/s: ${((100 * alone) / ours).toFixed(1)} %`,
  )
}

console.log(`a query: p50 ${percentile(idle, 0.5)}, p95 ${percentile(idle, 0.95)}`)
const passages = embedder.embedPassages(Array.from({ length: 100 }, () => passage(195)))
const busy = await timesOf(30, (n) => embedder.embedQuery(`how do I change setting ${n}`))
console.log(`a query beside passages: p50 ${percentile(busy, 0.5)}, p95 ${percentile(busy, 0.95)}`)
await passages
console.log(
  `memory of the process with ${threads + 1} sessions and ${threads} bare ones: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
)

const text = readFileSync(join(modelFolder, 'LICENSE'), 'utf8').repeat(200)
const counting = await timed(async () => tokenizer.count(text))
console.log(`counting pieces: ${(text.length / counting / 1000).toFixed(1)} million characters/s`)
await embedder.close()
for (const worker of bare) {
  worker.postMessage('close')
  await once(worker, 'exit')
}

async function startBare(): Promise<Worker> {
  const entry = new URL('./embed-runtime.ts', import.meta.url).href
  const worker = new Worker(new URL('../../workers/start.mjs', import.meta.url), {
    workerData: { entry, modelFolder },
    execArgv: [],
  })
  await once(worker, 'message')
  return worker
}

async function run(worker: Worker, work: { passages: number; pieces: number }): Promise<void> {
  worker.postMessage(work)
  await once(worker, 'message')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}
