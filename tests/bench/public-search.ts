/**
 * Measures POST /v1/public/search on 127.0.0.1 with a public key, at a steady rate, beside the same searches called in the
 * process:
 *   npx tsx tests/bench/public-search.ts [fragments, default 100000] [a second, default 50] [data folder to reuse]
 * Requests start on time, whether earlier ones have been answered or not. Client and server share a process. Without the
 * manuals of Debian the fragments are those of the product's own manual, repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as route from '../../app/routes/v1+/public+/search'
import { keyRates } from '../../contract/limits'
import { system } from '../../server/actor'
import { createTransformersEmbedder } from '../../server/adapters/embedding/transformers'
import { AppError, isAppError } from '../../server/errors'
import { startWebSite } from '../support/web-site'
import { largeCollection } from './large-collection'
import { manualFragments, manualPages, modelFolder, ownFragments } from './manuals'
import { percentile } from './percentiles'

const [count = '100000', rate = '50', dataDir] = process.argv.slice(2)
const [total, perSecond] = [Number(count), Number(rate)]
const seconds = 20
/** Milliseconds at p95. */
const goal = 150

const texts = manualPages().length > 0 ? Array.from(manualFragments(20_000)) : ownFragments()
const embedder = await createTransformersEmbedder({ modelFolder })
const site = await startWebSite(
  { 'v1/public/search': route },
  { PUBLIC_REQUESTS_PER_MINUTE: '100000', ...(dataDir ? { DATA_DIR: dataDir } : {}) },
  { embedder: async () => embedder },
)
const { services } = site.app
const { organizationId, collectionId } = await largeCollection(site.app, { texts, embedder, total })
await site.app.startEmbedding()
const named = { name: 'Bench', description: '', useDefaults: false, collectionId }
const ref = { organizationId, agentId: (await services.agents.create(system, organizationId, named)).id }
const keys = { regenerate: false, rateLimit: keyRates.max }
const { public_key: key } = await services.keychains.save(system, ref, keys)

for (let n = 0; n < 40; n++) await search(-n - 1)
const bare = await atRate(search)
const called = await atRate(request)
const line = (what: string, times: number[]) => {
  const rejected = perSecond * seconds - times.length
  console.log(`${what}: p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)}, ${rejected} rejected`)
}
console.log(`${total} fragments of ${texts.length} texts, ${perSecond} searches a second for ${seconds} s`)
line('in the process       ', bare)
line(`/v1/public/search (${goal})`, called)
await site.close()
await embedder.close()

/** Starts `work` at the rate, and returns how long each took, without those that a full queue rejected. */
async function atRate(work: (n: number) => Promise<unknown>): Promise<number[]> {
  const began = performance.now()
  const running: Promise<number | null>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    await sleep(Math.max(0, began + (n * 1_000) / perSecond - performance.now()))
    const started = performance.now()
    const took = () => performance.now() - started
    running.push(work(n).then(took, (error) => (isRejection(error) ? null : Promise.reject(error))))
  }
  const times = await Promise.all(running)
  return times.filter((time) => time !== null)
}

function search(n: number): Promise<unknown> {
  return services.search.agent(system, ref, { query: queryOf(n) })
}

async function request(n: number): Promise<void> {
  const response = await fetch(`${site.listening}/v1/public/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: queryOf(n) }),
  })
  const text = await response.text()
  if (response.status === 429) throw new AppError('rate_limited', text)
  if (!response.ok) throw new Error(`${response.status} ${text}`)
}

function isRejection(error: unknown): boolean {
  return isAppError(error) && error.code === 'rate_limited'
}

/** Three words of one of the texts, as people search. */
function queryOf(n: number): string {
  const words = (texts[(Math.abs(n) * 97) % texts.length]?.text ?? '').split(/[^A-Za-z]+/)
  return `${words
    .filter((word) => word.length > 3)
    .slice(0, 3)
    .join(' ')} ${n % 7}`
}
