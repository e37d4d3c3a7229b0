/**
 * Queries, alone and while passages keep all their threads busy; the memory that this takes; passages and pieces a second,
 * beside the bare runtime over as many pieces in as many threads, in turns. Usage: npx tsx tests/bench/embed.ts
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { bundleForNode, workerEntries } from '../../scripts/lib/bundle.mjs'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { createTransformersEmbedder } from '../../server/adapters/embedding/transformers'
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

await printMemory()
const started = performance.now()
const embedder = await createTransformersEmbedder({ modelFolder, threads })
console.log(`${embedder.model}, loaded in ${Math.round(performance.now() - started)} ms`)
await embedder.embedPassages(Array.from({ length: 20 }, () => passage(60)))
const query = (n: number) => embedder.embedQuery(`how do I change setting ${n}`)
const idle = await timesOf(200, query)
console.log(`a query alone: p50 ${percentile(idle, 0.5)}, p95 ${percentile(idle, 0.95)}`)
const busy = await timesBesidePassages(300)
console.log(
  `a query beside passages: p50 ${percentile(busy, 0.5)}, p95 ${percentile(busy, 0.95)} (wanted: 40 ms at most)`,
)

const bare = await Promise.all(Array.from({ length: threads }, startBare))
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
      `the runtime alone ${Math.round(rate(alone) * pieces)} pieces/s: ${((100 * alone) / ours).toFixed(1)} % (wanted: 90 % at least)`,
  )
}

const text = readFileSync(join(modelFolder, 'LICENSE'), 'utf8').repeat(200)
const counting = await timed(async () => tokenizer.count(text))
console.log(`counting pieces: ${(text.length / counting / 1000).toFixed(1)} million characters/s`)
await embedder.close()
for (const worker of bare) {
  worker.postMessage('close')
  await once(worker, 'exit')
}

/** As an import does: the next passages are there before the last ones are done. Queries come now and then. */
async function timesBesidePassages(queries: number): Promise<number[]> {
  let isBusy = true
  const passages = async () => {
    while (isBusy) await embedder.embedPassages(Array.from({ length: 32 }, () => passage(195)))
  }
  const importing = Promise.all([passages(), passages()])
  const times: number[] = []
  for (let n = 0; n < queries; n++) {
    await sleep(Math.random() * 50)
    times.push(await timed(() => query(n)))
  }
  isBusy = false
  await importing
  return times
}

/** In a process of its own, bundled as in production: the loader for TypeScript takes as much again. */
async function printMemory(): Promise<void> {
  const outdir = 'node_modules/.cache/embed-memory'
  const entryPoints = { 'embed-memory': 'tests/bench/embed-memory.ts', ...workerEntries() }
  await bundleForNode({ entryPoints, outdir, splitting: true })
  const { stdout } = await promisify(execFile)(process.execPath, [
    `${outdir}/embed-memory.js`,
    modelFolder,
    `${threads}`,
  ])
  process.stdout.write(stdout)
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
