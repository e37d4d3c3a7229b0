/**
 * Measures the time of queries, alone and during an import, the memory of the sessions, and the throughput of passages next
 * to that of the bare runtime on as many tokens and threads, alternating. Usage: npx tsx tests/bench/embedding/embed.ts
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { bundleForNode, workerEntries } from '../../../scripts/lib/bundle.mjs'
import { createTokenizer } from '../../../server/adapters/embedding/model-tokenizer'
import { createTransformersEmbedder } from '../../../server/adapters/embedding/transformers'
import { percentile, timesOf } from '../percentiles'

const threads = 2
const rounds = 3
const modelFolder = resolve(import.meta.dirname, '../../../models/all-MiniLM-L6-v2')
const words = readFileSync(join(modelFolder, 'vocab.txt'), 'utf8')
  .split('\n')
  .filter((word) => /^[a-z]{3,}$/.test(word))
const tokenizer = createTokenizer(modelFolder)
let next = 0

function passage(tokens: number): string {
  return Array.from({ length: tokens - 2 }, () => {
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
const busy = await timesDuringImport(300)
console.log(
  `a query during an import: p50 ${percentile(busy, 0.5)}, p95 ${percentile(busy, 0.95)} (goal: at most 40 ms)`,
)

const bare = await Promise.all(Array.from({ length: threads }, startBare))
for (const tokens of [58, 125, 195, 251]) {
  const count = Math.ceil(12_000 / tokens / threads) * threads
  let ours = 0
  let alone = 0
  for (let round = 0; round < rounds; round++) {
    const texts = Array.from({ length: count }, () => passage(tokens))
    alone += await timed(() => Promise.all(bare.map((worker) => run(worker, { passages: count / threads, tokens }))))
    ours += await timed(() => embedder.embedPassages(texts))
  }
  const rate = (ms: number) => (rounds * count * 1000) / ms
  console.log(
    `${tokens} tokens: ${rate(ours).toFixed(1)} passages/s, ${Math.round(rate(ours) * tokens)} tokens/s; ` +
      `the runtime alone ${Math.round(rate(alone) * tokens)} tokens/s: ${((100 * alone) / ours).toFixed(1)} % (goal: at least 90 %)`,
  )
}

const text = readFileSync(join(modelFolder, 'LICENSE'), 'utf8').repeat(200)
const counting = await timed(async () => tokenizer.count(text))
console.log(`counting tokens: ${(text.length / counting / 1000).toFixed(1)} million characters/s`)
await embedder.close()
for (const worker of bare) {
  worker.postMessage('close')
  await once(worker, 'exit')
}

/** Embeds passages without pause, as an import does, and sends queries at random intervals. */
async function timesDuringImport(queries: number): Promise<number[]> {
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

/** In a bundled process, because a TypeScript loader would double the memory. */
async function printMemory(): Promise<void> {
  const outdir = 'node_modules/.cache/embed-memory'
  const entryPoints = { 'embed-memory': 'tests/bench/embedding/embed-memory.ts', ...workerEntries() }
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
  const worker = new Worker(new URL('../../../workers/start.mjs', import.meta.url), {
    workerData: { entry, modelFolder },
    execArgv: [],
  })
  await once(worker, 'message')
  return worker
}

async function run(worker: Worker, work: { passages: number; tokens: number }): Promise<void> {
  worker.postMessage(work)
  await once(worker, 'message')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}
