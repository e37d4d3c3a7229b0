/**
 * The bundle that `index.ts` runs: prints the result of each behaviour, the memory that all of them take, and the speed
 * that a healthy site keeps meanwhile. Exits with 1 if anything differs. Time limits of requests are 2 s (sitemaps: 10 s),
 * sizes are the real limits.
 */

import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createCollection } from '../support/sites/crawl'
import { behaviours } from './behaviours'
import { crawlPolitely } from './politeness'
import { type Result, runBehaviours, startProduct } from './run'
import { startServed } from './served'

const healthyPages = 60
const allowed = { memory: 150 * 2 ** 20, speed: 0.9 }

const { values } = parseArgs({ options: { seed: { type: 'string' }, only: { type: 'string' } } })
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6))
print(`seed ${seed}`)

const served = await startServed(seed, 3, healthyPages)
const test = await startProduct(2_000)
const problems: string[] = []
try {
  const chosen = behaviours.filter(({ name }) => !values.only || name.includes(values.only))
  // The first crawl loads code and threads; the second is the baseline for the third.
  await crawlHealthy(0)
  const baseline = await crawlHealthy(1)

  const before = await memoryAtRest()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 50)
  const requests = async () => (await served.counts()).requests
  const running = runBehaviours(test, chosen, served.hosts, requests, 150_000)
  const underLoad = await crawlHealthy(2)
  const results = await running
  clearInterval(watch)

  report(results)
  const { witness } = await served.counts()
  check(witness === 0, `the witness saw ${witness} connections`)
  const growth = peak - before
  check(growth < allowed.memory, `resident memory grew by up to ${mebibytes(growth)} (to ${mebibytes(peak)})`)
  check(
    underLoad >= baseline * allowed.speed,
    `a healthy site: ${baseline.toFixed(2)} pages/s without load, ${underLoad.toFixed(2)} under load, ${Math.round((underLoad / baseline) * 100)} %`,
  )
} finally {
  served.close()
  await test.close()
}
if (!values.only) await measurePoliteness()
for (const problem of problems) print(`WRONG: ${problem}`)
print(
  problems.length === 0
    ? 'Everything is as expected.'
    : `${problems.length} things differ; repeat with --seed ${seed}.`,
)
process.exitCode = problems.length === 0 ? 0 : 1

/** Returns pages per second from adding the source to its end, with the default crawl delay. */
async function crawlHealthy(number: number): Promise<number> {
  const collection = await createCollection({}, `Healthy ${number}`, test)
  const started = performance.now()
  const url = `${served.healthy[number]}/`
  const id = await collection.add({ type: 'domain', url, crawl_delay_ms: 200 }, false)
  for (;;) {
    const { last_run: run, status } = await collection.source(id)
    if (run?.finished_at) {
      check(
        status === 'idle' && run.fetched === healthyPages,
        `the healthy site is ${status}, ${run.fetched} pages read`,
      )
      return run.fetched / ((performance.now() - started) / 1000)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * Returns the resident bytes after garbage collection. The growth during the hostile crawls includes garbage and
 * further threads; the servers are in another process.
 */
async function memoryAtRest(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let times = 0; times < 5; times++) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return process.memoryUsage().rss
}

async function measurePoliteness(): Promise<void> {
  const { lines, wrong } = await crawlPolitely(10_000)
  for (const line of lines) print(line)
  problems.push(...wrong)
}

function report(results: Result[]): void {
  const width = (pick: (result: Result) => string) => Math.max(...results.map((result) => pick(result).length))
  const [names, states] = [width(({ name }) => name), width(({ expected }) => expected)]
  for (const { name, expected, got, seconds, differs } of results) {
    const verdict = differs.length === 0 ? 'as expected' : differs.join('; ')
    print(
      `${name.padEnd(names)}  ${expected.padEnd(states)}  ${got.padEnd(states)}  ${seconds.toFixed(1).padStart(6)} s  ${verdict}`,
    )
    if (differs.length > 0) problems.push(`${name}: ${differs.join('; ')}`)
  }
  const passed = results.filter(({ differs }) => differs.length === 0).length
  print(`${passed} of ${results.length} behaviours end as expected`)
}

function check(holds: boolean, what: string): void {
  print(what)
  if (!holds) problems.push(what)
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
