import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { agentStatuses } from '../../../contract/values/enumerations'
import type { ChatEvent } from '../../../contract/views/chat/thread'
import { fragments as fragmentTable } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { collections } from '../../../db/schema/collections'
import { workers } from '../../../db/schema/jobs'
import { keychains } from '../../../db/schema/keychains'
import { messages, threads as threadTable } from '../../../db/schema/threads'
import { agentViews } from '../../../server/services/agents/agent-views'
import { keyHash } from '../../../server/services/keys/agent-keys'
import { usedInMonth } from '../../../server/services/usage/quota'
import { all, brass, chatWorld, person, sealer, viewer } from '../../support/providers/chat'

const { world, addOrganization, change, ask, answered, stored } = chatWorld()

describe('rejects a question before storing it or calling the model', () => {
  const refused = async (events: AsyncIterable<ChatEvent>) => {
    const error = await all(events).catch((reason) => reason)
    expect(await world.db.read.$count(threadTable)).toBe(0)
    expect(world.provider.requests).toHaveLength(0)
    return error
  }
  const noData = {
    code: 'not_found',
    details: { title: 'No data fragments found on Chat API' },
    message: 'Did you add your sources yet? Make sure to add them first!',
  }

  it('if the agent belongs to another organization, as not found', async () => {
    await addOrganization('o2')
    const stranger = person('admin', 'o2')
    const foreign = await refused(ask({}, { actor: stranger }))
    const missing = await refused(ask({}, { actor: stranger, organizationId: 'o2', agentId: 'nothing' }))
    const theirs = await refused(ask({}, { actor: stranger, organizationId: 'o2' }))
    expect(foreign).toMatchObject({ code: 'not_found' })
    expect(missing).toEqual(foreign)
    expect(theirs).toEqual(foreign)
  })

  it('if the agent has no collection', async () => {
    await change({ collectionId: null })
    expect(await refused(ask())).toMatchObject(noData)
  })

  it('if the collection has no fragments', async () => {
    await world.db.write((tx) => tx.delete(fragmentTable))
    expect(await refused(ask())).toMatchObject(noData)
  })

  it('if the collection was deleted', async () => {
    await world.db.write((tx) => tx.update(collections).set({ deletedAt: new Date() }))
    expect(await refused(ask())).toMatchObject(noData)
  })

  it('if the agent has no provider', async () => {
    await change({ provider: null, model: null })
    expect(await refused(ask())).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('no AI provider yet'),
    })
  })

  it('if the agent has no key', async () => {
    await change({ providerKey: null })
    expect(await refused(ask())).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('no API key for OpenAI yet'),
    })
  })

  it('if the key was sealed for another organization', async () => {
    await change({ providerKey: sealer.seal('agent-key-1234', 'o2:agents.provider_key') })
    expect(await refused(ask())).toMatchObject({ code: 'unavailable' })
  })

  it("longer than the agent's limit", async () => {
    expect(await refused(ask({ prompt: 'x'.repeat(513) }))).toMatchObject({
      code: 'invalid_input',
      details: {
        title: 'Failed to send message',
        fields: { prompt: ['A message to this agent can have at most 512 characters.'] },
      },
    })
  })

  it('if the thread does not exist', async () => {
    expect(await refused(ask({ threadId: 'nothing' }))).toMatchObject({ code: 'not_found' })
  })
})

describe('a failure', () => {
  const failed = async () => {
    const last = (await all(ask())).at(-1)
    if (last?.type !== 'answer-error') throw new Error(`ended with ${JSON.stringify(last)}`)
    return last
  }

  it('is stored before the first text as an error with its reason', async () => {
    world.provider.next({ kind: 'status', status: 429, error: { message: 'no', code: 'insufficient_quota' } })
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

  it('stores the text of code that waited for its end', async () => {
    const body = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Brass `lamps are' } }] })}\n\n`
    world.provider.next({ kind: 'raw', body, contentType: 'text/event-stream' })
    expect((await failed()).partial).toMatchObject({ content: 'Brass `lamps are', status: 0 })
  })

  it('stores the partial text as incomplete, and the next question continues from it', async () => {
    world.provider.next({ kind: 'cut', words: 3 })
    const { partial, message, threadId } = await failed()
    expect(message).toBe('OpenAI disconnected. The answer is incomplete.')
    expect(partial).toMatchObject({
      role: 'agent',
      content: 'Brass lamps are',
      status: 0,
      status_message: message,
      fragments: [brass],
    })
    expect((await world.threads.get(viewer, { organizationId: 'o1', threadId })).messages[1]).toEqual(partial)
    await answered({ threadId })
    expect(world.provider.requests[1]?.messages[2]).toEqual({ role: 'assistant', content: 'Brass lamps are' })
  })

  it('because the prompt is too long asks once more with fewer fragments', async () => {
    world.found = [brass, { ...brass, id: 'f2', content: 'Glass lamps are wiped with vinegar.' }]
    world.provider.next({ kind: 'status', status: 413 })
    await answered()
    const prompts = world.provider.requests.map(({ messages }) => messages.at(-1)?.content ?? '')
    expect(prompts.map((prompt) => prompt.includes('Glass lamps'))).toEqual([true, false])
    expect(prompts[1]).toContain('Brass lamps')
    const step = { kind: 'status', status: 413 } as const
    world.provider.next(step, step)
    expect((await failed()).message).toContain('too long for the model')
    expect(world.provider.requests).toHaveLength(4)
  })

  it('marks the agent after a rejected key, wherever the key came from, until a key works', async () => {
    const refused = async () => {
      const [agent] = await world.db.read.select().from(agents)
      if (!agent) throw new Error('no agent')
      const [view] = await agentViews(world.db.read, { sealer, serverKeys: world.serverKeys }, viewer, [agent])
      return view?.status === agentStatuses.invalidProviderKey
    }
    await change({ providerKey: null })
    world.serverKeys.openai = { apiKey: 'wrong-key-1234' }
    expect((await failed()).message).toBe('OpenAI rejected the API key. Save a valid key in Agent Settings.')
    expect(await refused()).toBe(true)
    world.serverKeys.openai = { apiKey: 'server-key-1234' }
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
    await change({
      providerKey: sealer.seal('agent-key-1234', 'o1:agents.provider_key'),
      refusedKeyHash: keyHash('agent-key-1234'),
    })
    expect(await refused()).toBe(true)
    await answered()
    expect(await refused()).toBe(false)
    expect(JSON.stringify(await stored()) + world.logged.join()).not.toMatch(/wrong-key|5678/)
    expect(world.logged).toHaveLength(3)
  })

  it('keeps the thread and stores the reason if the search failed', async () => {
    world.searchFailure = new Error('disk')
    const [first, last] = await all(ask())
    const [question] = await stored()
    expect(first).toMatchObject({ type: 'sources-found', threadId: question?.threadId, fragments: [] })
    expect(last).toEqual({
      type: 'answer-error',
      threadId: question?.threadId,
      code: 'upstream_failed',
      title: 'Failed to process your request with Chat API',
      message: 'Please try again later. Contact support if issue persists.',
      partial: null,
    })
    expect(await stored()).toMatchObject([
      { role: 'user', status: 0, statusMessage: 'Not answered' },
      { role: 'error', statusMessage: 'Please try again later. Contact support if issue persists.' },
    ])
    expect(world.logged).toEqual([expect.stringContaining('An answer failed.')])
  })
})

describe('a stop', () => {
  it("ends the model's stream at once on abort and stores the partial text as incomplete", async () => {
    world.provider.next({ kind: 'stall', words: 3 })
    const stop = new AbortController()
    const events: ChatEvent[] = []
    for await (const event of ask({}, { signal: stop.signal })) {
      events.push(event)
      if (events.length === 4) stop.abort()
    }
    await world.provider.requests[0]?.closed
    const last = events.at(-1)
    expect(last).toMatchObject({
      type: 'answer-end',
      message: {
        role: 'agent',
        content: 'Brass lamps are',
        status: 2,
        status_message: 'Stopped before the end of the answer.',
        verdict: null,
      },
    })
  })

  it('leaves the question on abort before any text, which does not count', async () => {
    world.provider.next({ kind: 'hang' })
    const stop = new AbortController()
    const types: string[] = []
    for await (const event of ask({}, { signal: stop.signal })) {
      types.push(event.type)
      stop.abort()
    }
    expect(types).toEqual(['sources-found'])
    expect(await stored()).toMatchObject([{ role: 'user', status: 0, statusMessage: 'Stopped.' }])
    expect(await usedInMonth(world.db.read, 'o1', 'messages')).toBe(0)
  })

  it('ends the answer in the same way when the client disconnects', async () => {
    world.provider.next({ kind: 'answer', text: 'one two three four five', chunkDelayMs: 30 })
    for await (const event of ask()) if (event.type === 'text-delta') break
    await world.provider.requests[0]?.closed
    expect(await stored()).toMatchObject([
      { role: 'user', status: 2 },
      { role: 'agent', content: 'one', status: 2, statusMessage: 'Stopped before the end of the answer.' },
    ])
  })

  it('ends every answer with an event when the server stops, stores the partial text, and rejects new questions', async () => {
    world.provider.next({ kind: 'stall', words: 3 })
    const events = ask()
    const seen: ChatEvent[] = []
    for (let count = 0; count < 4; count++) seen.push((await events.next()).value)
    const rest = all(events)
    await world.chat.stop()
    expect((await stored()).map(({ role, status }) => ({ role, status }))).toEqual([
      { role: 'user', status: 2 },
      { role: 'agent', status: 0 },
    ])
    const last = (await rest).at(-1)
    expect(last).toMatchObject({
      type: 'answer-error',
      message: 'The server is stopping. Ask again in a moment.',
      partial: { content: 'Brass lamps are', status: 0, status_message: 'Stopped before the end of the answer.' },
    })
    await world.provider.requests[0]?.closed
    await expect(all(ask())).rejects.toMatchObject({ code: 'unavailable' })
    expect(await stored()).toHaveLength(2)
  })
})

describe('a question whose process was killed', () => {
  const later = () => new Date(Date.now() + 60_000)
  const lose = async () => {
    await answered()
    const lost = { status: 1, leasedUntil: new Date(Date.now() + 5_000) }
    await world.db.write((tx) => tx.update(messages).set(lost).where(eq(messages.role, 'user')))
  }
  const questions = async () => (await stored()).filter(({ role }) => role === 'user')
  const used = () => usedInMonth(world.db.read, 'o1', 'messages')

  it('fails once its lease has expired, and does not count against the plan', async () => {
    await lose()
    await world.chat.failOrphaned()
    expect(await questions()).toMatchObject([{ status: 1, statusMessage: null }])
    expect(await used()).toBe(1)
    for (let call = 0; call < 2; call++) await world.chat.failOrphaned(later())
    expect(await stored()).toMatchObject([
      { role: 'user', status: 0, statusMessage: 'Not answered' },
      { role: 'agent', status: 2, statusMessage: null },
    ])
    expect(await used()).toBe(0)
  })

  it('fails although other servers run', async () => {
    await lose()
    const row = { hostname: 'h', pid: 1, kind: 'server' as const, heartbeatAt: later() }
    for (const id of ['one', 'two']) await world.db.write((tx) => tx.insert(workers).values({ ...row, id }))
    await world.chat.failOrphaned(later())
    expect(await questions()).toMatchObject([{ status: 0 }])
  })

  it('does not fail while a process that lives is answering it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    try {
      world.provider.next({ kind: 'stall', words: 2 })
      const reader = new AbortController()
      const events = ask({}, { signal: reader.signal })
      await events.next()
      for (let beat = 0; beat < 12; beat++) {
        await vi.advanceTimersByTimeAsync(5_000)
        await world.chat.failOrphaned()
      }
      expect(await questions()).toMatchObject([{ status: 1 }])
      reader.abort()
      await all(events)
      expect(await questions()).toMatchObject([{ leasedUntil: null }])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['is answered after all', { kind: 'answer' }, { status: 2 }, 2],
    ['fails after all', { kind: 'status', status: 400 }, { status: 0 }, 1],
  ] as const)('counts once if it %s', async (_, answer, question, messagesUsed) => {
    await answered()
    let open = () => {}
    world.searchGate = new Promise((resolve) => (open = resolve))
    world.provider.next(answer)
    const events = all(ask())
    await vi.waitUntil(async () => (await questions()).length === 2)
    await world.chat.failOrphaned(later())
    expect((await questions())[1]).toMatchObject({ status: 0, statusMessage: 'Not answered' })
    expect(await used()).toBe(1)
    open()
    await events
    expect((await questions())[1]).toMatchObject(question)
    expect(await used()).toBe(messagesUsed)
  })

  it.each([
    ['is not answered', { kind: 'status', status: 400 }, 0],
    ['is answered after all', { kind: 'answer' }, 1],
  ] as const)("counts toward the agent's limit of a day only if it %s", async (_, answer, counted) => {
    const keys = { publicKey: 'public', privateKeyHash: 'hash', privateKey: 'sealed' }
    const row = { agentId: 'a1', organizationId: 'o1', ...keys, rateLimit: 60, dailyMessages: 1 }
    await world.db.write((tx) => tx.insert(keychains).values(row))
    const countedToday = async () => (await world.db.read.select().from(keychains))[0]?.countedMessages
    let open = () => {}
    world.searchGate = new Promise((resolve) => (open = resolve))
    world.provider.next(answer)
    const key = { kind: 'key', keyType: 'public', organizationId: 'o1', agentId: 'a1' } as const
    const events = all(ask({}, { actor: key }))
    await vi.waitUntil(async () => (await questions()).length === 1)
    expect(await countedToday()).toBe(1)
    await expect(all(ask({}, { actor: key }))).rejects.toMatchObject({ code: 'rate_limited' })
    await world.chat.failOrphaned(later())
    expect(await countedToday()).toBe(0)
    open()
    await events
    expect(await countedToday()).toBe(counted)
    if (counted === 1) await expect(all(ask({}, { actor: key }))).rejects.toMatchObject({ code: 'quota_exceeded' })
  })
})
