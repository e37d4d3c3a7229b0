/**
 * Measures POST /v1/public/search of the built server on 127.0.0.1 with a public key, at a steady rate:
 *   npm run bench -- public-search [fragments, default 100000] [a second, default 80] [data folder to reuse]
 * Requests start on time, whether earlier ones have been answered or not. Without the manuals of Debian the fragments are
 * those of the product's own manual, repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureBuilt } from '../../../scripts/lib/build.mjs'
import { newDataFolder } from '../../support/database/data-folder'
import { startBuiltServer } from '../../support/web/server'
import { manualFragments, manualPages, ownFragments } from '../manuals'
import { percentile } from '../percentiles'
import { publicAgent, queryOf } from './public-agent'

const [count = '100000', rate = '80', reused] = process.argv.slice(2)
const [total, perSecond] = [Number(count), Number(rate)]
const seconds = 20
/** Milliseconds at p95. */
const goal = 80

await ensureBuilt(['pages', 'server'])
const texts = manualPages().length > 0 ? Array.from(manualFragments(total)) : ownFragments()
const folder = reused ?? (await newDataFolder())
const { key } = await publicAgent(folder, texts, total)
const server = await startBuiltServer({
  DATA_DIR: folder,
  PUBLIC_REQUESTS_PER_MINUTE: '100000',
})
for (let n = 1; n <= 100; n++) await request(-n)
const times = await atRate(request)
const rejected = perSecond * seconds - times.length
console.log(`${total} fragments of ${texts.length} texts, ${perSecond} searches a second for ${seconds} s`)
console.log(`p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)} (goal ${goal} ms), ${rejected} rejected`)
await server.stop()

/** Starts `work` at the rate, and returns how long each took, without those that were rejected. */
async function atRate(work: (n: number) => Promise<boolean>): Promise<number[]> {
  const began = performance.now()
  const running: Promise<number | null>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    await sleep(Math.max(0, began + (n * 1_000) / perSecond - performance.now()))
    const started = performance.now()
    running.push(work(n).then((isAnswered) => (isAnswered ? performance.now() - started : null)))
  }
  const times = await Promise.all(running)
  return times.filter((time) => time !== null)
}

/** Whether the search was answered, and not rejected by a full queue. */
async function request(n: number): Promise<boolean> {
  const response = await fetch(`${server.origin}/v1/public/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: queryOf(texts, n) }),
  })
  const text = await response.text()
  if (response.status === 429) return false
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return true
}
