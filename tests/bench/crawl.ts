/**
 * A crawl of one site with embedding off, beside a plain loop that only fetches the same pages one after another:
 * npx tsx tests/bench/crawl.ts http://127.0.0.1:8000/
 * Prints pages/s of both, their ratio, memory, and the longest delay of the event loop.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { eq } from 'drizzle-orm'
import { request } from 'undici'
import { addresses } from '../../db/schema/addresses'
import { system } from '../../server/actor'
import { startWorkers } from '../../workers/index'
import { openTestApp } from '../support/app'

const address = process.argv[2]
if (!address)
  throw new Error('Name the address of a site on this machine: npx tsx tests/bench/crawl.ts http://127.0.0.1:8000/')

const { app } = await openTestApp()
const { id: orgId } = await app.organizations.create(system, { name: 'Bench', entity_name: '' })
const { id: collectionId } = await app.collections.create(system, orgId, { name: 'Site', description: '' })
const runner = await startWorkers(app, 'cli')

for (const what of ['first crawl', 'second crawl']) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const started = performance.now()
  await crawl()
  await runner.idle()
  const seconds = (performance.now() - started) / 1000
  delay.disable()
  const [source] = (await app.sources.list(system, orgId, collectionId, { page: 1, limit: 5 })).docs
  const { checked = 0, fetched = 0, unchanged = 0, fragments = 0 } = source?.last_run ?? {}
  print(
    what,
    `${(checked / seconds).toFixed(1)} pages/s: ${checked} checked, ${fetched} fetched, ${unchanged} unchanged, ${fragments} new fragments in ${seconds.toFixed(1)} s`,
  )
  print(
    '',
    `event loop p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms, longest ${(delay.max / 1e6).toFixed(0)} ms; memory ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
  )
}

const rows = await app.db.read.select({ url: addresses.url }).from(addresses).where(eq(addresses.status, 'idle'))
const started = performance.now()
for (const { url } of rows) await (await request(url)).body.arrayBuffer()
print(
  'fetching alone',
  `${(rows.length / ((performance.now() - started) / 1000)).toFixed(1)} pages/s: ${rows.length} pages one after another`,
)
await runner.stop()
await app.close()

async function crawl(): Promise<void> {
  const [source] = (await app.sources.list(system, orgId, collectionId, { page: 1, limit: 5 })).docs
  if (!source) await app.sources.create(system, orgId, collectionId, { type: 'domain', name: '', url: address ?? '' })
  else await app.sources.refresh(system, orgId, collectionId, source.id, { crawl: true, auto: false })
}

function print(what: string, figures: string): void {
  process.stdout.write(`${what.padEnd(16)} ${figures}\n`)
}
