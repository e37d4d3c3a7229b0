import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Provider as ProviderKind } from '../../contract/enumerations'
import type { ChatEvent, ChatInput, FragmentView } from '../../contract/thread'
import type { Database } from '../../db/database'
import { openDatabase } from '../../db/open'
import { addresses, fragments as fragmentTable } from '../../db/schema/addresses'
import { agents } from '../../db/schema/agents'
import { collections, sources } from '../../db/schema/collections'
import { organizations as organizationTable } from '../../db/schema/organizations'
import { messages, threads as threadTable } from '../../db/schema/threads'
import { type Actor, system } from '../../server/actor'
import { createOpenAiModel } from '../../server/adapters/openai'
import { createSealer } from '../../server/sealing'
import { type Chat, createChat } from '../../server/services/chat'
import { countMessages } from '../../server/services/message-usage'
import { createOrganizations } from '../../server/services/organizations'
import { createThreads, type Threads } from '../../server/services/threads'
import { type Provider, startProvider } from '../support/provider'

const brass: FragmentView = {
  id: 'f1',
  score: 0.81,
  url: 'https://lamps.example/care',
  link: 'https://lamps.example/care#brass',
  title: 'Care',
  headings: ['Brass'],
  content: 'Brass lamps are wiped with a dry cloth. Never use vinegar.',
}
const meta = { origin: 'https://ask.example', ip: '192.0.2.1', userAgent: 'Test' }
const never = new AbortController().signal

let folder: string
let db: Database
let provider: Provider
let chat: Chat
let threads: Threads
let found: FragmentView[]
let searchFailure: Error | null
let searched: { collectionId: string; query: string; limit: number; threshold?: number }[]
let logged: string[]
let serverKeys: Record<ProviderKind, string | null>
const sealer = createSealer([randomBytes(32)])

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sitelore-chat-'))
  db = await openDatabase(join(folder, 'test.db'), { rehearse: true })
  provider = await startProvider({ keys: ['agent-key-1234', 'server-key-1234'] })
  found = [brass]
  searchFailure = null
  searched = []
  logged = []
  serverKeys = { openai: null, anthropic: null, gemini: null, deepseek: null }
  const model = createOpenAiModel({
    provider: 'openai',
    baseUrl: provider.baseUrl,
  })
  const log = (details: object, message: string) => void logged.push(`${message} ${JSON.stringify(details)}`)
  chat = createChat({
    db,
    search: {
      find: async (query) => {
        searched.push(query)
        if (searchFailure) throw searchFailure
        return { fragments: found, waiting: 0, by_meaning: true }
      },
    },
    organizations: createOrganizations({ db, sealer }),
    sealer,
    models: { openai: model, anthropic: model, gemini: model, deepseek: model },
    serverKeys,
    log: { warn: log, error: log },
  })
  threads = createThreads({ db })
  await addOrganization('o1')
  await addAgent('a1', 'o1')
})

afterEach(async () => {
  await provider.close()
  await db.close()
  rmSync(folder, { recursive: true })
})

function person(role: 'admin' | 'member' | 'viewer', organizationId = 'o1'): Actor {
  return { kind: 'person', userId: `user-${role}`, staff: false, memberships: [{ organizationId, role }] }
}
const viewer = person('viewer')

async function addOrganization(id: string, plan: 'free' | 'unlimited' = 'free') {
  await db.write((tx) => tx.insert(organizationTable).values({ id, name: id, plan }))
}

/** An agent that can answer: a collection with one fragment, a provider, a model and a key. */
async function addAgent(id: string, organizationId: string, changes: Partial<typeof agents.$inferInsert> = {}) {
  const collectionId = `c-${id}`
  const owner = { organizationId, collectionId }
  await db.write(async (tx) => {
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
  await db.write((tx) => tx.update(agents).set(values).where(eq(agents.id, 'a1')))
}

function ask(
  input: Partial<ChatInput> = {},
  { actor = viewer, organizationId = 'o1', agentId = 'a1', signal = never } = {},
) {
  return chat.reply(
    actor,
    organizationId,
    agentId,
    { prompt: 'How are brass lamps cleaned, and with what?', ...input },
    meta,
    signal,
  )
}

async function all(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const list: ChatEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

async function answered(input: Partial<ChatInput> = {}) {
  const last = (await all(ask(input))).at(-1)
  if (last?.type !== 'answer-end') throw new Error(`ended with ${JSON.stringify(last)}`)
  return last
}

const stored = () => db.read.select().from(messages).orderBy(messages.createdAt)

describe('an answer', () => {
  it('streams its sources, its text and what was stored, and is kept with thread, question and fragments', async () => {
    const events = await all(ask())
    const types = events.map(({ type }) => type)
    expect(types[0]).toBe('sources-found')
    expect(types.slice(-2)).toEqual(['text-end', 'answer-end'])
    expect(types.filter((type) => type === 'text-delta').length).toBeGreaterThan(3)

    const [first] = events
    const last = events.at(-1)
    if (first?.type !== 'sources-found' || last?.type !== 'answer-end') throw new Error('no answer')
    expect(first).toMatchObject({ fragments: [brass], threadId: last.threadId, messageId: last.message.id })
    const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
    expect(text).toContain('Brass lamps are wiped with a dry cloth. [1]')

    const thread = await threads.get(viewer, 'o1', last.threadId)
    expect(thread).toMatchObject({
      agent_id: 'a1',
      agent: { name: 'Lamp agent' },
      created_by: 'user-viewer',
      provider: 'openai',
      meta_origin: 'https://ask.example',
      meta_ip: '192.0.2.1',
      meta_user_agent: 'Test',
    })
    expect(thread.messages).toEqual([
      expect.objectContaining({
        role: 'user',
        content: 'How are brass lamps cleaned, and with what?',
        status: 2,
        fragments: [],
      }),
      last.message,
    ])
    expect(last.message).toMatchObject({
      role: 'agent',
      content: text,
      status: 2,
      status_message: null,
      provider: 'openai',
      model: 'gpt-4.1-mini',
      tokens_input: expect.any(Number),
      tokens_output: expect.any(Number),
      time_processing: expect.any(Number),
      fragments: [brass],
    })
    expect(last.threadId.length).toBeGreaterThanOrEqual(27)
  })

  it("goes by the agent's settings and its own key", async () => {
    await change({ prompt: 'Talk like a pirate.' })
    await answered()
    expect(searched).toEqual([
      { collectionId: 'c-a1', query: 'How are brass lamps cleaned, and with what?', limit: 7, threshold: 0.4 },
    ])
    expect(provider.requests[0]).toMatchObject({ authorization: 'Bearer agent-key-1234', body: { max_tokens: 1_024 } })
    expect(provider.requests[0]?.body.messages?.[0]?.content).toContain('Talk like a pirate.')
  })

  it("takes the server's key where the agent has none", async () => {
    await change({ providerKey: null })
    serverKeys.openai = 'server-key-1234'
    await answered()
    expect(provider.requests[0]?.authorization).toBe('Bearer server-key-1234')
  })

  it('goes on in its thread, with the conversation so far', async () => {
    const { threadId, message } = await answered()
    const second = await answered({ threadId, prompt: 'And steel?' })
    expect(second.threadId).toBe(threadId)
    expect(provider.requests[1]?.body.messages?.slice(1, -1)).toEqual([
      { role: 'user', content: 'How are brass lamps cleaned, and with what?' },
      { role: 'assistant', content: message.content },
    ])
    expect(searched[1]?.query).toBe('How are brass lamps cleaned, and with what?\nAnd steel?')
    const thread = await threads.get(viewer, 'o1', threadId)
    expect(thread.messages.map(({ role }) => role)).toEqual(['user', 'agent', 'user', 'agent'])
  })

  it('that reaches the token limit says so', async () => {
    provider.next({ kind: 'answer', text: 'Wipe', finish: 'length' })
    expect((await answered()).message).toMatchObject({
      content: 'Wipe',
      status: 2,
      status_message: 'The answer reached the output token limit.',
    })
  })
})

describe('a question is refused before anything is stored or asked', () => {
  const refused = async (events: AsyncIterable<ChatEvent>) => {
    const error = await all(events).catch((reason) => reason)
    expect(await db.read.$count(threadTable)).toBe(0)
    expect(provider.requests).toHaveLength(0)
    return error
  }
  const noData = {
    code: 'not_found',
    details: { title: 'No data fragments found on Chat API' },
    message: 'Did you add your sources yet? Make sure to add them first!',
  }

  it('from a stranger, as if there were nothing', async () => {
    await addOrganization('o2')
    const stranger = person('admin', 'o2')
    const foreign = await refused(ask({}, { actor: stranger }))
    const missing = await refused(ask({}, { actor: stranger, organizationId: 'o2', agentId: 'nothing' }))
    const theirs = await refused(ask({}, { actor: stranger, organizationId: 'o2' }))
    expect(foreign).toMatchObject({ code: 'not_found' })
    expect(missing).toEqual(foreign)
    expect(theirs).toEqual(foreign)
  })

  it('without a collection', async () => {
    await change({ collectionId: null })
    expect(await refused(ask())).toMatchObject(noData)
  })

  it('without fragments', async () => {
    await db.write((tx) => tx.delete(fragmentTable))
    expect(await refused(ask())).toMatchObject(noData)
  })

  it('with a deleted collection', async () => {
    await db.write((tx) => tx.update(collections).set({ deletedAt: new Date() }))
    expect(await refused(ask())).toMatchObject(noData)
  })

  it('without a provider', async () => {
    await change({ provider: null, model: null })
    expect(await refused(ask())).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('no AI provider yet'),
    })
  })

  it('without a key', async () => {
    await change({ providerKey: null })
    expect(await refused(ask())).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('no API key for OpenAI yet'),
    })
  })

  it('with a key that was refused before', async () => {
    await change({ providerKeyRefused: true })
    expect(await refused(ask())).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining("OpenAI refused this agent's API key"),
    })
  })

  it('with a key that was sealed for another organization', async () => {
    await change({ providerKey: sealer.seal('agent-key-1234', 'o2:agents.provider_key') })
    expect(await refused(ask())).toMatchObject({ code: 'unavailable' })
  })

  it("when it is longer than the agent's limit", async () => {
    expect(await refused(ask({ prompt: 'x'.repeat(513) }))).toMatchObject({
      code: 'invalid_input',
      details: {
        title: 'Failed to send message',
        fields: { prompt: ['A message to this agent can have at most 512 characters.'] },
      },
    })
  })

  it('in a thread that is missing', async () => {
    expect(await refused(ask({ threadId: 'nothing' }))).toMatchObject({ code: 'not_found' })
  })
})

describe('a thread', () => {
  it('of another organization or of another agent is a missing one', async () => {
    await addOrganization('o2')
    await addAgent('a2', 'o2')
    await addAgent('a3', 'o1')
    const { threadId } = await answered()
    const errors = await Promise.all([
      all(ask({ threadId }, { actor: person('admin', 'o2'), organizationId: 'o2', agentId: 'a2' })).catch(
        (error) => error,
      ),
      all(ask({ threadId }, { agentId: 'a3' })).catch((error) => error),
      all(ask({ threadId: 'nothing' })).catch((error) => error),
    ])
    expect(errors[0]).toMatchObject({ code: 'not_found' })
    expect(errors[1]).toEqual(errors[0])
    expect(errors[2]).toEqual(errors[0])
    expect(await stored()).toHaveLength(2)
  })

  it('is listed newest first, by agent and by person', async () => {
    await addAgent('a3', 'o1')
    const first = await answered()
    const [second] = await all(ask({}, { agentId: 'a3', actor: person('admin') }))
    if (second?.type !== 'sources-found') throw new Error('no answer')
    const list = async (filter: { agentId?: string; createdBy?: string } = {}, paging = { page: 1, limit: 100 }) =>
      threads.list(viewer, 'o1', { ...paging, ...filter })
    expect(await list()).toMatchObject({ docs: [{ id: second.threadId }, { id: first.threadId }], total: 2, pages: 1 })
    expect(await list({ agentId: 'a1' })).toMatchObject({
      docs: [{ id: first.threadId, agent: { name: 'Lamp agent' } }],
      total: 1,
    })
    expect(await list({ createdBy: 'user-admin' })).toMatchObject({ docs: [{ id: second.threadId }], total: 1 })
    expect(await list({}, { page: 2, limit: 1 })).toMatchObject({ docs: [{ id: first.threadId }], total: 2, pages: 2 })
  })

  it('outlives its agent and then takes no more messages', async () => {
    const { threadId } = await answered()
    await db.write((tx) => tx.delete(agents))
    expect(await threads.get(viewer, 'o1', threadId)).toMatchObject({ agent_id: null, agent: null, messages: [{}, {}] })
    await expect(all(ask({ threadId }))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is removed with its messages by an administrator only', async () => {
    const { threadId } = await answered()
    await expect(threads.remove(person('member'), 'o1', threadId)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(threads.remove(person('admin', 'o2'), 'o2', threadId)).rejects.toMatchObject({ code: 'not_found' })
    await threads.remove(person('admin'), 'o1', threadId)
    expect(await stored()).toEqual([])
    await expect(threads.remove(person('admin'), 'o1', threadId)).rejects.toMatchObject({ code: 'not_found' })
    await expect(threads.get(viewer, 'o1', threadId)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('gives the fragments of its messages, and of no other thread', async () => {
    const one = await answered()
    const other = await answered()
    expect(await threads.messageFragments(viewer, 'o1', one.threadId, one.message.id)).toEqual([brass])
    await expect(threads.messageFragments(viewer, 'o1', one.threadId, other.message.id)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('that is deleted during an answer stays deleted', async () => {
    const events = ask()
    const first = (await events.next()).value
    if (first?.type !== 'sources-found') throw new Error('no answer')
    await threads.remove(system, 'o1', first.threadId)
    expect((await all(events)).at(-1)?.type).toBe('answer-end')
    expect(await stored()).toEqual([])
  })
})

describe('a failure', () => {
  const failed = async () => {
    const last = (await all(ask())).at(-1)
    if (last?.type !== 'answer-error') throw new Error(`ended with ${JSON.stringify(last)}`)
    return last
  }

  it('to find anything is the 404 of the contract and is noted in the thread', async () => {
    found = []
    await expect(all(ask())).rejects.toMatchObject({
      code: 'not_found',
      details: { title: 'No data fragments found on Chat API' },
    })
    expect(provider.requests).toHaveLength(0)
    expect(await stored()).toMatchObject([
      { role: 'user', status: 0 },
      { role: 'error', status: 0, statusMessage: 'No data fragments found on Chat API' },
    ])
  })

  it('without a word of an answer is kept as an error with its reason', async () => {
    provider.next({ kind: 'status', status: 429, error: { message: 'no', code: 'insufficient_quota' } })
    expect(await failed()).toMatchObject({
      title: 'Failed to process your request with Chat API',
      message: 'The account at OpenAI has no credit left. Top it up there, then try again.',
      partial: null,
    })
    expect(await stored()).toMatchObject([
      { role: 'user', status: 0, statusMessage: 'Not answered' },
      {
        role: 'error',
        status: 0,
        content: '',
        statusMessage: 'The account at OpenAI has no credit left. Top it up there, then try again.',
      },
    ])
  })

  it('in mid-answer keeps what came, marked, and the next question goes on from there', async () => {
    provider.next({ kind: 'cut', words: 3 })
    const { partial, message, threadId } = await failed()
    expect(message).toBe('The connection to OpenAI broke in the middle of the answer.')
    expect(partial).toMatchObject({
      role: 'agent',
      content: 'Brass lamps are',
      status: 0,
      status_message: message,
      fragments: [brass],
    })
    expect((await threads.get(viewer, 'o1', threadId)).messages[1]).toEqual(partial)
    await answered({ threadId })
    expect(provider.requests[1]?.body.messages?.[2]).toEqual({ role: 'assistant', content: 'Brass lamps are' })
  })

  it("by a refused key marks the agent, unless the key is the server's or was changed meanwhile", async () => {
    const refused = async () => (await db.read.select({ refused: agents.providerKeyRefused }).from(agents))[0]?.refused
    await change({ providerKey: null })
    serverKeys.openai = 'wrong-key-1234'
    expect((await failed()).message).toBe('OpenAI refused the API key. Save a valid key in Agent Settings.')
    expect(await refused()).toBe(false)

    const wrong = sealer.seal('wrong-key-5678', 'o1:agents.provider_key')
    await change({ providerKey: wrong })
    const events = ask()
    await events.next()
    await change({ providerKey: sealer.seal('agent-key-1234', 'o1:agents.provider_key') })
    await all(events)
    expect(await refused()).toBe(false)

    await change({ providerKey: wrong })
    await failed()
    expect(await refused()).toBe(true)
    expect(JSON.stringify(await stored()) + logged.join()).not.toMatch(/wrong-key|5678/)
    expect(logged).toHaveLength(3)
  })

  it('of the search leaves a reason too', async () => {
    searchFailure = new Error('disk')
    await expect(all(ask())).rejects.toThrow('disk')
    expect(await stored()).toMatchObject([
      {},
      { role: 'error', statusMessage: 'Please try again later. Contact support if issue persists.' },
    ])
    expect(logged).toEqual([expect.stringContaining('An answer failed.')])
  })
})

describe('a stop', () => {
  it('by the signal ends the model at once and keeps what came, marked', async () => {
    provider.next({ kind: 'stall', words: 3 })
    const stop = new AbortController()
    const events: ChatEvent[] = []
    for await (const event of ask({}, { signal: stop.signal })) {
      events.push(event)
      if (events.length === 4) stop.abort()
    }
    await provider.requests[0]?.closed
    const last = events.at(-1)
    expect(last).toMatchObject({
      type: 'answer-end',
      message: {
        role: 'agent',
        content: 'Brass lamps are',
        status: 0,
        status_message: 'Stopped before the end of the answer.',
      },
    })
  })

  it('by a reader who leaves does the same', async () => {
    provider.next({ kind: 'answer', text: 'one two three four five', paceMs: 30 })
    for await (const event of ask()) if (event.type === 'text-delta') break
    await provider.requests[0]?.closed
    expect(await stored()).toMatchObject([
      { role: 'user', status: 2 },
      { role: 'agent', content: 'one', status: 0 },
    ])
  })
})

describe('the plan', () => {
  const fill = async (many: number, status: number, ago = 0) => {
    const createdAt = new Date(Date.now() - ago)
    await db.write(async (tx) => {
      const [thread] = await tx.insert(threadTable).values({ organizationId: 'o1', agentId: 'a1' }).returning()
      const row = { threadId: thread!.id, role: 'user' as const, content: 'x', status, createdAt }
      for (let start = 0; start < many; start += 50)
        await tx.insert(messages).values(Array.from({ length: Math.min(50, many - start) }, () => row))
    })
  }

  it('ends messages with the text of the contract, and counts only this month and what was answered', async () => {
    await fill(499, 2)
    await fill(10, 0)
    await fill(10, 2, 32 * 86_400_000)
    expect(await countMessages(db.read, 'o1')).toBe(499)
    await answered()
    await expect(all(ask())).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: 'You can no longer send any more messages.',
      details: { title: 'Chat API usage limit reached' },
    })
    await db.write((tx) => tx.update(organizationTable).set({ plan: 'unlimited' }))
    await answered()
  })

  it('lets no more through when many ask at once, and gives a failed one back', async () => {
    await fill(498, 2)
    provider.next({ kind: 'status', status: 429, error: { message: 'no', code: 'insufficient_quota' } })
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => all(ask())))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2)
    expect(await countMessages(db.read, 'o1')).toBe(499)
    await answered()
  })

  it('does not count a question that was lost with its process for ever', async () => {
    await fill(1, 1)
    expect(await countMessages(db.read, 'o1')).toBe(1)
    expect(await countMessages(db.read, 'o1', new Date(Date.now() + 6 * 60_000))).toBe(0)
  })
})
