/**
 * Measures the time of a small crawl, alone and during the crawls of another organization:
 * npx tsx tests/bench/server/fairness.ts [--pages 30] [--large 6000] [--rounds 5]
 * Sites are served from other processes, and there is no embedding and no delay. Two crawls that share one processor fairly
 * take twice as long as one. In each round, the large crawls are paused while the small one runs alone.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { system } from '../../../server/actor'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { bundleProcesses, type SiteServer, startServer } from '../crawl/crawl-processes'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '30' },
    large: { type: 'string', default: '6000' },
    rounds: { type: 'string', default: '5' },
  },
})
const pollMs = 10
const words = ['lantern', 'harbor', 'meadow', 'anvil', 'glacier', 'orchard', 'violin', 'compass', 'kettle', 'ferry']
const count = { large: Number(values.large), small: Number(values.pages), rounds: Number(values.rounds) }

// Inside the checkout, where the bundle finds its packages.
await mkdir('.cache', { recursive: true })
const bundle = await mkdtemp(resolve('.cache/bench-fairness-'))
const folder = await mkdtemp(join(tmpdir(), 'sitelore-fairness-'))
const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
try {
  await bundleProcesses(bundle)
  await bench()
} finally {
  stopping.abort()
  await rm(bundle, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

async function bench(): Promise<void> {
  const small = await serve('small', count.small)
  const large = await createCollection({ CRAWL_CONCURRENCY: '4' })
  try {
    const second = await createCollection({}, 'Sorrel', large.test)
    // The first crawl starts the threads.
    await timeOf(second, small)
    for (const sources of [1, 5]) {
      const sites: SiteServer[] = []
      for (let number = 0; number < sources; number++) sites.push(await serve(`${sources}-${number}`, count.large))
      const ids: string[] = []
      for (const { url } of sites) ids.push(await large.add({ type: 'domain', url }, false))
      const pairs: { alone: number; during: number }[] = []
      for (let round = 0; round < count.rounds; round++) {
        await pauseAll(large, ids, sites)
        const alone = await timeOf(second, small)
        await resumeAll(large, ids)
        pairs.push({ alone, during: await timeOf(second, small) })
      }
      report(`during ${sources} of ${count.large} pages`, pairs)
      const runs = await Promise.all(ids.map((id) => large.source(id)))
      if (runs.some(({ last_run: run }) => run?.finished_at))
        process.stdout.write('  a large crawl finished early: use more pages\n')
      for (const id of ids) await end(large, id)
    }
  } finally {
    await large.test.close()
  }
}

async function serve(name: string, pages: number): Promise<SiteServer> {
  const address = join(folder, name)
  await mkdir(address)
  for (let number = 0; number < pages; number++) {
    await writeFile(join(address, number === 0 ? 'index.html' : `page-${number}.html`), pageOf(number, pages))
  }
  return startServer(bundle, address, stopping.signal)
}

/** A page with some paragraphs and links to three other pages. */
function pageOf(number: number, pages: number): string {
  const links = [1, 2, 3].map((child) => number * 3 + child).filter((child) => child < pages)
  const paragraphs = [0, 1, 2, 3].map((part) => {
    const sentences = Array.from({ length: 12 }, (_, line) => {
      const word = words[(number * 7 + part * 3 + line) % words.length]
      return `The ${word} of page ${number} has line ${line} in part ${part}.`
    })
    return `<h2>Part ${part} of page ${number}</h2><p>${sentences.join(' ')}</p>`
  })
  return `<!doctype html><html lang="en"><head><title>Page ${number}</title></head><body><main><h1>Page ${number}</h1>
${paragraphs.join('\n')}</main><ul>${links.map((to) => `<li><a href="/page-${to}.html">${to}</a></li>`).join('')}</ul></body></html>`
}

/** Seconds from adding the site as a source to the end of its run. Removes the source again. */
async function timeOf(collection: CrawledCollection, site: SiteServer): Promise<number> {
  const started = performance.now()
  const id = await collection.add({ type: 'domain', url: site.url }, false)
  collection.test.runner.wake()
  for (;;) {
    const { last_run: run } = await collection.source(id)
    if (run?.finished_at && run.new !== count.small) throw new Error(`${run.new} of ${count.small} pages were read.`)
    if (run?.finished_at) break
    await sleep(pollMs, undefined, { signal: stopping.signal })
  }
  const seconds = (performance.now() - started) / 1000
  await end(collection, id)
  return seconds
}

/** Pauses the crawls and resolves when the sites receive no more requests. */
async function pauseAll({ test, orgId, collectionId }: CrawledCollection, ids: string[], sites: SiteServer[]) {
  for (const id of ids)
    await test.app.services.runControl.pause(system, { organizationId: orgId, collectionId, sourceId: id })
  for (let last = -1, now = 0; now !== last; ) {
    last = now
    await sleep(500, undefined, { signal: stopping.signal })
    now = 0
    for (const site of sites) now += (await site.counts()).requests
  }
}

/** Resumes the crawls and resolves when the first one fetches pages. */
async function resumeAll(collection: CrawledCollection, ids: string[]): Promise<void> {
  const { test, orgId, collectionId } = collection
  const readOf = async () => (await collection.source(ids[0] ?? '')).last_run?.fetched ?? 0
  const before = await readOf()
  for (const id of ids)
    await test.app.services.runControl.resume(system, { organizationId: orgId, collectionId, sourceId: id })
  test.runner.wake()
  while ((await readOf()) < before + 20) await sleep(pollMs, undefined, { signal: stopping.signal })
}

async function end({ test, orgId, collectionId }: CrawledCollection, id: string): Promise<void> {
  await test.app.services.sources.remove(system, { organizationId: orgId, collectionId, sourceId: id })
}

function report(name: string, pairs: { alone: number; during: number }[]): void {
  const ratios = pairs.map(({ alone, during }) => during / alone)
  const all = pairs.map(({ alone, during }) => `${alone.toFixed(2)} ${during.toFixed(2)}`).join(', ')
  process.stdout.write(
    `${count.small} pages ${name}: ${medianOf(ratios).toFixed(2)} times as long as alone (seconds alone, during: ${all})\n`,
  )
}

function medianOf(times: number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}
