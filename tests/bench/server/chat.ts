/**
 * Measures the chat over HTTP, with a provider on 127.0.0.1 that speaks OpenAI's protocol:
 *   npx tsx --expose-gc tests/bench/server/chat.ts [fragments, default 100000] [data folder to reuse]
 * The time from a request to the provider's first byte, the client's first text beyond the provider's own time with 50
 * streams, the memory of 200 open streams, and what 1,000 dropped clients leave. Client, server and provider share a
 * process, so times and memory are those of all three.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { messageStatuses } from '../../../contract/values/enumerations'
import { agents } from '../../../db/schema/agents'
import { messages } from '../../../db/schema/threads'
import { system } from '../../../server/actor'
import { createTransformersEmbedder } from '../../../server/adapters/embedding/transformers'
import { issueToken } from '../../support/people/access-token'
import { createPerson } from '../../support/people/people'
import { startProvider } from '../../support/providers/provider'
import { apiRoutes } from '../../support/web/api-routes'
import { startWebSite } from '../../support/web/web-site'
import { largeCollection } from '../large-collection'
import { manualFragments, manualPages, modelFolder, noManuals } from '../manuals'
import { percentile } from '../percentiles'

const [count = '100000', dataDir] = process.argv.slice(2)
const total = Number(count)
const providerMs = 300
/** A token may send 600 requests a minute. */
const requestsOfToken = 300

if (manualPages().length === 0) console.log(noManuals)
else await main()

async function main(): Promise<void> {
  const asked = new Map<string, number>()
  const provider = await startProvider({
    onRequest: (request) => {
      const question = /Question:\n(.*)$/s.exec(request.messages.at(-1)?.content ?? '')?.[1]
      if (question) asked.set(question, performance.now())
    },
  })
  const embedder = await createTransformersEmbedder({ modelFolder })
  const site = await startWebSite(
    apiRoutes,
    { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: provider.baseUrl, ...(dataDir ? { DATA_DIR: dataDir } : {}) },
    { embedder: async () => embedder },
  )
  const { app } = site
  const texts = Array.from(manualFragments(20_000))
  const { organizationId, collectionId } = await largeCollection(app, { texts, embedder, total })
  await app.startEmbedding()
  const agent = await app.services.agents.create(system, organizationId, {
    name: 'Bench',
    description: '',
    useDefaults: true,
  })
  const ref = { organizationId, agentId: agent.id }
  await app.services.agents.link(system, ref, { collectionId })
  // Many texts have the vector of another one, which is not similar to questions about them.
  await app.db.write((tx) => tx.update(agents).set({ fragmentSimilarity: 0.1 }).where(eq(agents.id, agent.id)))
  let requests = 0
  let token = ''
  const address = `${site.listening}/v1/${organizationId}/agents/${agent.id}/chat`

  for (let n = 0; n < 20; n++) await (await open(`warm up ${n} ${questionOf(n)}`)).rest()

  const untilProvider: number[] = []
  for (let n = 0; n < 100; n++) {
    const question = `${n} ${questionOf(n)}`
    const startedAt = performance.now()
    await (await open(question)).rest()
    const reachedAt = asked.get(question)
    if (reachedAt !== undefined) untilProvider.push(reachedAt - startedAt)
  }
  print(`request to provider, ${untilProvider.length} questions`, untilProvider, 60)

  const beyond = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      // An organization may have 32 searches under way.
      await sleep(n * 50)
      provider.next({ kind: 'answer', delayMs: providerMs, chunkDelayMs: 100 })
      const startedAt = performance.now()
      const stream = await open(`stream ${n} ${questionOf(n)}`)
      await stream.until('text-delta')
      const took = performance.now() - startedAt
      await stream.rest()
      return took - providerMs
    }),
  )
  print('first text beyond the provider, 50 streams', beyond, 120)

  global.gc?.()
  const before = process.memoryUsage().rss
  const streams = []
  for (let n = 0; n < 200; n++) {
    provider.next({ kind: 'stall', words: 3 })
    const stream = await open(`open ${n} ${questionOf(n)}`)
    await stream.until('text-delta')
    streams.push(stream)
  }
  global.gc?.()
  const grown = (process.memoryUsage().rss - before) / 1e6
  console.log(`200 open streams: ${grown.toFixed(0)} MB (150)`)
  for (const stream of streams) stream.drop()

  for (let n = 0; n < 1_000; n++) {
    provider.next({ kind: 'stall', words: 3 })
    const stream = await open(`dropped ${n} ${questionOf(n)}`)
    await stream.until(n % 2 === 0 ? 'text-delta' : 'sources-found')
    stream.drop()
  }
  const calls = await Promise.all(
    provider.requests.map(({ closed }) => Promise.race([closed.then(() => 0), sleep(10_000, 1)])),
  )
  await sleep(2_000)
  const unfinished = await app.db.read.$count(messages, eq(messages.status, messageStatuses.sent))
  const openCalls = calls.reduce<number>((sum, isOpen) => sum + isOpen, 0)
  console.log(`1,000 dropped clients: ${openCalls} open calls (0), ${unfinished} unfinished messages (0)`)

  await site.close()
  await provider.close()
  await embedder.close()

  /** A client of the stream that can read on, or drop the connection. */
  async function open(prompt: string) {
    if (requests++ % requestsOfToken === 0) {
      const { email } = await createPerson(app, { [organizationId]: 'viewer' })
      token = await issueToken(app, email)
    }
    const leave = new AbortController()
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: prompt.slice(0, 500) }),
      signal: leave.signal,
    })
    if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    return {
      async until(event: string): Promise<void> {
        while (!text.includes(`event: ${event}\n`)) {
          const { done, value } = await reader.read()
          if (done) throw new Error(`There was no ${event}.`)
          text += value
        }
      },
      async rest(): Promise<void> {
        while (!(await reader.read()).done);
      },
      drop(): void {
        leave.abort()
        reader.closed.catch(() => {})
      },
    }
  }

  /** Eight words of one of the texts. */
  function questionOf(n: number): string {
    const words = (texts[(n * 97) % texts.length]?.text ?? '').split(/[^A-Za-z]+/).filter((word) => word.length > 2)
    return `What about ${words.slice(0, 8).join(' ')}?`
  }
}

function print(what: string, times: number[], goal: number): void {
  console.log(`${what}: p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)} (${goal})`)
}
