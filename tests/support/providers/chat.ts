import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach } from 'vitest'
import type { ChatInput } from '../../../contract/chat/thread'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { SearchExplanation } from '../../../contract/views/chat/search-results'
import type { ChatEvent } from '../../../contract/views/chat/thread'
import type { Database } from '../../../db/database'
import { addresses, fragments as fragmentTable } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { organizations as organizationTable } from '../../../db/schema/organizations'
import { messages } from '../../../db/schema/threads'
import type { Actor } from '../../../server/actor'
import { createChatModel } from '../../../server/adapters/chat-model/chat-model'
import { createOpenAiModerator } from '../../../server/adapters/chat-model/openai-moderator'
import { createTokenizer } from '../../../server/adapters/embedding/model-tokenizer'
import { noTelemetry } from '../../../server/engine/ports/telemetry'
import { createSealer } from '../../../server/sealing'
import { type Agents, createAgents } from '../../../server/services/agents/agents'
import { type Chat, createChat } from '../../../server/services/chat/chat'
import { createThreads, type Threads } from '../../../server/services/chat/threads/threads'
import type { ServerKeys } from '../../../server/services/keys/agent-keys'
import { createModeration } from '../../../server/services/moderation/moderation'
import { createOrganizations } from '../../../server/services/organizations/organizations'
import { createPlans } from '../../../server/services/organizations/plans'
import { createCitePassages } from '../../../server/services/search/cite-passages'
import type { SampledLanguages } from '../../../server/services/search/collection-languages'
import { createTranslateQuestion } from '../../../server/services/search/translate-question'
import { createUseCounters } from '../../../server/services/usage/use-counters'
import { openTestDatabase } from '../database/database'
import { type Provider, startProvider } from './provider'

export const brass: FragmentView = {
  id: 'f1',
  score: 0.81,
  url: 'https://lamps.example/care',
  link: 'https://lamps.example/care#brass',
  title: 'Care',
  headings: ['Brass'],
  content: 'Brass lamps are wiped with a dry cloth. Never use vinegar.',
}
/** As it is stored with an answer that says its first sentence. */
export const citedBrass: FragmentView = {
  ...brass,
  link: `${brass.link}:~:text=Brass%20lamps%20are%20wiped%20with%20a%20dry%20cloth.`,
  passage: { text: brass.content, highlights: [[0, 39]] },
}
const meta = { origin: 'https://ask.example', ip: '192.0.2.1', userAgent: 'Test' }
const never = new AbortController().signal

const tokenizer = createTokenizer('models/all-MiniLM-L6-v2')
export const sealer = createSealer([randomBytes(32)])

export interface ChatWorld {
  db: Database
  provider: Provider
  chat: Chat
  threads: Threads
  agents: Agents
  /** What every search finds, or how it fails. */
  found: FragmentView[]
  /** Fragments below the threshold with a word of the query. */
  closest: FragmentView[]
  /** What every search drops. */
  dropped: { id: string; url: string; title: string; similarity: number; reason: 'below-threshold' }[]
  searchFailure: Error | null
  searched: { collectionId: string; query: string; limit?: number; threshold?: number }[]
  /** Searches wait for it. */
  searchGate: Promise<void>
  /** Those of the collection; none, so that no question is translated. */
  collectionLanguages: SampledLanguages
  /** Whether the collection's model is. */
  isMultilingual: boolean
  logged: string[]
  serverKeys: ServerKeys
}

export function person(role: 'admin' | 'member' | 'viewer', organizationId = 'o1'): Actor {
  return { kind: 'person', userId: `user-${role}`, staff: false, memberships: [{ organizationId, role }] }
}
export const viewer = person('viewer')

export async function all(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const list: ChatEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

/** For each test a new database with organization 'o1' and its agent 'a1', and chat on it with a provider that speaks. */
export function chatWorld() {
  const world = {} as ChatWorld
  beforeEach(async () => {
    const db = (await openTestDatabase()).database
    const provider = await startProvider({ keys: ['agent-key-1234', 'server-key-1234'] })
    const serverKeys: ServerKeys = { openai: null, anthropic: null, gemini: null, deepseek: null }
    const model = createChatModel({ provider: 'openai', baseUrl: provider.baseUrl })
    const log = (details: object, message: string) => void world.logged.push(`${message} ${JSON.stringify(details)}`)
    await createPlans({ db }).createInitial()
    const organizations = createOrganizations({
      db,
      useCounters: createUseCounters({ db }),
      sealer,
      maxPerPerson: 5,
      defaultPlan: 'free',
    })
    const moderator = createOpenAiModerator({ baseUrl: provider.baseUrl })
    const moderation = createModeration({ db, sealer, moderator, serverKeys, log: { warn: log } })
    const chat = createChat({
      db,
      search: {
        find: async (_organizationId, query) => {
          world.searched.push(query)
          await world.searchGate
          if (world.searchFailure) throw world.searchFailure
          const dropped = world.dropped.map(droppedOf)
          const nearest = [...world.found, ...dropped].map(({ url, title }) => ({ url, title, language: 'en' }))
          return { fragments: world.found, closest: world.closest, dropped, nearest, isReranked: false }
        },
      },
      organizations,
      telemetry: noTelemetry,
      visitorIp: 'full',
      translateQuestion: createTranslateQuestion({
        models: { openai: model, anthropic: model, gemini: model, deepseek: model },
        languagesOf: async () => world.collectionLanguages,
        embedding: { isMultilingual: async () => world.isMultilingual },
        log: { warn: log },
      }),
      citePassages: createCitePassages({ tokenizer, embedding: { embedder: () => null }, log: { warn: log } }),
      sealer,
      models: { openai: model, anthropic: model, gemini: model, deepseek: model },
      moderation,
      serverKeys,
      log: { warn: log, error: log },
    })
    const threads = createThreads({ db })
    const agents = createAgents({
      db,
      sealer,
      organizations,
      moderation,
      serverKeys,
      suggestions: { ofAgent: async () => [] },
      defaultModel: () => 'gpt-4.1-mini',
    })
    const fresh = {
      found: [brass],
      closest: [],
      dropped: [],
      searchFailure: null,
      searched: [],
      searchGate: Promise.resolve(),
      collectionLanguages: { frequent: [], main: null, unknownToModel: null },
      isMultilingual: false,
      logged: [],
    }
    Object.assign(world, { db, provider, chat, threads, agents, serverKeys, ...fresh })
    await addOrganization('o1')
    await addAgent('a1', 'o1')
  })

  afterEach(async () => {
    await world.provider.close()
    await world.db.close()
  })

  async function addOrganization(id: string, plan: 'free' | 'unlimited' = 'free') {
    await world.db.write((tx) => tx.insert(organizationTable).values({ id, name: id, plan }))
  }

  /** An agent that can answer: a collection with one fragment, a provider, a model and a key. */
  async function addAgent(id: string, organizationId: string, changes: Partial<typeof agents.$inferInsert> = {}) {
    const collectionId = `c-${id}`
    const owner = { organizationId, collectionId }
    await world.db.write(async (tx) => {
      await tx.insert(collections).values({ id: collectionId, organizationId, name: 'Lamps' })
      await tx.insert(sources).values({ id: `s-${id}`, ...owner, type: 'url', name: 'Care', status: 'idle' })
      const address = { id: `u-${id}`, ...owner, sourceId: `s-${id}`, url: brass.url, status: 'idle' as const }
      await tx.insert(addresses).values(address)
      const text = { title: 'Care', headings: 'Brass', text: brass.content, hash: 'h', tokens: 12, ordinal: 0 }
      await tx.insert(fragmentTable).values({ ...owner, sourceId: `s-${id}`, addressId: `u-${id}`, ...text })
      await tx.insert(agents).values({
        id,
        organizationId,
        collectionId,
        name: 'Lamp agent',
        provider: 'openai',
        providerKey: sealer.seal('agent-key-1234', `${organizationId}:agents.provider_key`),
        model: 'gpt-4.1-mini',
        fragmentSimilarity: 0.4,
        fragmentLimit: 7,
        maxTotalOutputTokens: 1_024,
        historyLimit: 20,
        messageLength: 512,
        ...changes,
      })
    })
  }

  async function change(values: Partial<typeof agents.$inferInsert>) {
    await world.db.write((tx) => tx.update(agents).set(values).where(eq(agents.id, 'a1')))
  }

  function ask(
    input: Partial<ChatInput> = {},
    { actor = viewer as Actor, organizationId = 'o1', agentId = 'a1', signal = never } = {},
  ) {
    const question = { prompt: 'How are brass lamps cleaned, and with what?', ...input }
    return world.chat.reply(actor, { organizationId, agentId }, question, meta, signal)
  }

  async function answered(input: Partial<ChatInput> = {}) {
    const last = (await all(ask(input))).at(-1)
    if (last?.type !== 'answer-end') throw new Error(`ended with ${JSON.stringify(last)}`)
    return last
  }

  const stored = () => world.db.read.select().from(messages).orderBy(messages.createdAt)

  return { world, addOrganization, addAgent, change, ask, answered, stored }
}

function droppedOf(first: ChatWorld['dropped'][number]): SearchExplanation['dropped'][number] {
  const ranks = { keyword_rank: null, vector_rank: 1, bm25: 0, cosine: 0.2, fusion_score: 0, rerank_score: 0 }
  const reranker_score = null
  return {
    ...ranks,
    reranker_score,
    term_coverage: 0,
    weighted_term_coverage: 0,
    heading_match: 0,
    duplicate_of: null,
    ...first,
  }
}
