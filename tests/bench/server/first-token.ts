/**
 * Measures the time of a chat until its first token, without the time of the provider:
 * npx tsx tests/bench/server/first-token.ts [data folder] [collection name] [question ...]
 * Without a data folder, indexes the lamp shop of the tests.
 */
import { eq } from 'drizzle-orm'
import { collections } from '../../../db/schema/collections'
import { system } from '../../../server/actor'
import { createChatModel } from '../../../server/adapters/chat-model/chat-model'
import { startWorkers } from '../../../workers/index'
import { openTestApp } from '../../support/app'
import { startProvider } from '../../support/providers/provider'
import { lampQuestions } from '../../support/sites/lamp-pages'
import { lampSite } from '../../support/sites/site'
import { percentile } from '../percentiles'

const [folder, name, ...asked] = process.argv.slice(2)
const questions = folder ? asked : lampQuestions.map(({ question }) => question)
const rounds = 60
const provider = await startProvider()
const site = await lampSite()
const environment = {
  OPENAI_API_KEY: 'bench',
  OPENAI_BASE_URL: provider.baseUrl,
  ...(folder ? { DATA_DIR: folder } : {}),
}
const { app } = await openTestApp(environment, { embedder: undefined })
await app.startEmbedding()
const { organizationId, collectionId } = folder ? await existing() : await index()
const agent = await app.services.agents.create(system, organizationId, {
  name: 'Bench',
  description: '',
  useDefaults: true,
})
await app.services.agents.link(system, { organizationId, agentId: agent.id }, { collectionId })

const model = createChatModel({ provider: 'openai', baseUrl: provider.baseUrl })
const whole: number[] = []
const alone: number[] = []
for (let round = 0; round < rounds; round++) {
  const question = questions[round % questions.length] ?? ''
  whole.push(await untilFirst(ask(question), 'text-delta'))
  const messages = provider.requests.at(-1)?.messages as { role: 'system' | 'user'; content: string }[]
  const request = { model: 'gpt-4.1-nano', messages, maxOutputTokens: 512, apiKey: 'bench' }
  alone.push(await untilFirst(model.stream(request, new AbortController().signal), 'text'))
}
await app.services.agents.remove(system, { organizationId, agentId: agent.id })
print('chat until its first word', whole)
print('the provider by itself', alone)
print(
  'beyond the provider',
  whole.map((ms, round) => ms - (alone[round] ?? 0)),
)
await app.close()
await site.close()
await provider.close()

function ask(prompt: string) {
  const meta = { origin: null, ip: null, userAgent: null }
  return app.services.chat.reply(
    system,
    { organizationId, agentId: agent.id },
    { prompt },
    meta,
    new AbortController().signal,
  )
}

/** Milliseconds until the first event of this name. Reads the rest to the end. */
async function untilFirst(events: AsyncIterable<{ type?: string; kind?: string }>, name: string): Promise<number> {
  const started = performance.now()
  let first: number | null = null
  for await (const event of events) {
    if ((event.type ?? event.kind) === name) first ??= performance.now() - started
  }
  return first ?? Number.NaN
}

async function index() {
  const { id: organizationId } = await app.services.organizations.create(system, { name: 'Bench', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, organizationId, {
    name: 'Lamps',
    description: '',
  })
  await app.services.sources.create(
    system,
    { organizationId, collectionId },
    { type: 'domain', name: '', url: site.origin },
  )
  const runner = await startWorkers(app, 'cli')
  await runner.idle()
  await runner.stop()
  return { organizationId, collectionId }
}

async function existing() {
  const [row] = await app.db.read
    .select()
    .from(collections)
    .where(eq(collections.name, name ?? ''))
  if (!row) throw new Error(`There is no collection '${name}' in ${folder}.`)
  return { organizationId: row.organizationId, collectionId: row.id }
}

function print(what: string, times: number[]): void {
  process.stdout.write(`${what.padEnd(28)} p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)}\n`)
}
