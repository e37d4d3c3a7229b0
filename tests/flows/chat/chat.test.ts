import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { ThreadFilter } from '../../../contract/chat/thread-filter'
import { agents } from '../../../db/schema/agents'
import { organizations as organizationTable } from '../../../db/schema/organizations'
import { messages, threads as threadTable } from '../../../db/schema/threads'
import { system } from '../../../server/actor'
import { addUse, usedInMonth } from '../../../server/services/usage/quota'
import { all, brass, chatWorld, citedBrass, person, viewer } from '../../support/providers/chat'
import { until } from '../../support/until'

const { world, addOrganization, addAgent, change, ask, answered, stored } = chatWorld()

describe('an answer', () => {
  it('streams its sources, its text and its ids, and is stored with thread, question and fragments', async () => {
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
    expect(text).toContain('Brass lamps are wiped with a dry cloth. [1](https://lamps.example/care#brass)')

    const thread = await world.threads.get(viewer, { organizationId: 'o1', threadId: last.threadId })
    expect(thread).toMatchObject({
      title: 'How are brass lamps cleaned, and with what?',
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
      fragments: [citedBrass],
    })
    expect(last.threadId.length).toBeGreaterThanOrEqual(27)
  })

  it("uses the agent's settings and key", async () => {
    await change({ prompt: 'Talk like a pirate.' })
    await answered()
    expect(world.searched).toMatchObject([
      { collectionId: 'c-a1', query: 'How are brass lamps cleaned, and with what?', limit: 7, threshold: 0.4 },
    ])
    expect(world.provider.requests[0]).toMatchObject({
      key: 'agent-key-1234',
      body: { max_tokens: 1_024 },
    })
    expect(world.provider.requests[0]?.messages[0]?.content).toContain('Talk like a pirate.')
  })

  it("uses the server's key if the agent has none", async () => {
    await change({ providerKey: null })
    world.serverKeys.openai = { apiKey: 'server-key-1234' }
    await answered()
    expect(world.provider.requests[0]?.key).toBe('server-key-1234')
  })

  it('continues its thread with the conversation so far', async () => {
    const { threadId, message } = await answered()
    const second = await answered({ threadId, prompt: 'And steel?' })
    expect(second.threadId).toBe(threadId)
    expect(world.provider.requests[1]?.messages.slice(1, -1)).toEqual([
      { role: 'user', content: 'How are brass lamps cleaned, and with what?' },
      { role: 'assistant', content: message.content.replaceAll(' [1](https://lamps.example/care#brass)', '') },
    ])
    expect(world.searched[1]?.query).toBe('And steel?\nHow are brass lamps cleaned, and with what?')
    const thread = await world.threads.get(viewer, { organizationId: 'o1', threadId })
    expect(thread.messages.map(({ role }) => role)).toEqual(['user', 'agent', 'user', 'agent'])
  })

  it('reports that it reached the token limit', async () => {
    world.provider.next({ kind: 'answer', text: 'Wipe', finish: 'length' })
    expect((await answered()).message).toMatchObject({
      content: 'Wipe',
      status: 2,
      status_message: 'The answer reached the output token limit.',
    })
  })
})

describe('a thread', () => {
  it('is not found from another organization or agent', async () => {
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
    const list = async (filter: ThreadFilter = {}, paging = { page: 1, limit: 100 }) =>
      world.threads.list(viewer, 'o1', { ...paging, ...filter })
    expect(await list()).toMatchObject({ docs: [{ id: second.threadId }, { id: first.threadId }], total: 2, pages: 1 })
    expect(await list({ agentId: 'a1' })).toMatchObject({
      docs: [{ id: first.threadId, agent: { name: 'Lamp agent' } }],
      total: 1,
    })
    expect(await list({ createdBy: 'user-admin' })).toMatchObject({ docs: [{ id: second.threadId }], total: 1 })
    await world.db.write((tx) =>
      tx.update(messages).set({ verdict: 'partly' }).where(eq(messages.id, first.message.id)),
    )
    expect(await list({ verdict: 'partly' })).toMatchObject({
      docs: [{ id: first.threadId, verdict: 'partly' }],
      total: 1,
    })
    expect(await list({ question: 'no such words' })).toMatchObject({ docs: [], total: 0 })
    const { title } = (await list()).docs[0] ?? { title: '' }
    expect((await list({ question: title.slice(2, 9).toUpperCase() })).total).toBe(2)
    expect(await list({}, { page: 2, limit: 1 })).toMatchObject({ docs: [{ id: first.threadId }], total: 2, pages: 2 })
  })

  it('remains after its agent is deleted, and accepts no more messages', async () => {
    const { threadId } = await answered()
    await world.db.write((tx) => tx.delete(agents))
    expect(await world.threads.get(viewer, { organizationId: 'o1', threadId })).toMatchObject({
      agent_id: null,
      agent: null,
      messages: [{}, {}],
    })
    await expect(all(ask({ threadId }))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is deleted with its messages, by administrators only', async () => {
    const { threadId } = await answered()
    await expect(world.threads.remove(person('member'), { organizationId: 'o1', threadId })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(world.threads.remove(person('admin', 'o2'), { organizationId: 'o2', threadId })).rejects.toMatchObject(
      {
        code: 'not_found',
      },
    )
    await world.threads.remove(person('admin'), { organizationId: 'o1', threadId })
    expect(await stored()).toEqual([])
    await expect(world.threads.remove(person('admin'), { organizationId: 'o1', threadId })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(world.threads.get(viewer, { organizationId: 'o1', threadId })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('returns the fragments of its own messages only', async () => {
    const first = await answered()
    const second = await answered()
    expect(
      await world.threads.messageFragments(
        viewer,
        { organizationId: 'o1', threadId: first.threadId },
        first.message.id,
      ),
    ).toEqual([citedBrass])
    await expect(
      world.threads.messageFragments(viewer, { organizationId: 'o1', threadId: first.threadId }, second.message.id),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('stays deleted if it is deleted during an answer', async () => {
    const events = ask()
    const first = (await events.next()).value
    if (first?.type !== 'sources-found') throw new Error('no answer')
    await world.threads.remove(system, { organizationId: 'o1', threadId: first.threadId })
    expect((await all(events)).at(-1)?.type).toBe('answer-end')
    expect(await stored()).toEqual([])
  })
})

describe('the plan', () => {
  const used = () => usedInMonth(world.db.read, 'o1', 'messages')
  const use = (count: number, time?: Date) => world.db.write((tx) => addUse(tx, 'o1', 'messages', count, time))

  it("rejects messages over the limit with the contract's text, and counts only this month's", async () => {
    await use(499)
    await use(10, new Date(Date.now() - 32 * 86_400_000))
    await answered()
    expect(await used()).toBe(500)
    await expect(all(ask())).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: 'You can no longer send any more messages.',
      details: { title: 'Chat API usage limit reached' },
    })
    expect(await used()).toBe(500)
    await world.db.write((tx) => tx.update(organizationTable).set({ plan: 'unlimited' }))
    await answered()
  })

  it('admits no more concurrent messages than the plan allows, and gives a failed one back', async () => {
    await use(498)
    world.provider.next({ kind: 'status', status: 429, error: { message: 'no', code: 'insufficient_quota' } })
    // What is given back admits another message, so no answer may fail before all four are admitted or rejected.
    let openGate = () => {}
    world.searchGate = new Promise((resolve) => {
      openGate = resolve
    })
    const rejected: unknown[] = []
    const asked = [1, 2, 3, 4].map(() => all(ask()).catch((error) => rejected.push(error)))
    await until(() => rejected.length + world.searched.length === 4)
    // One message is left, as the failed answer will show, so they are not told that all are used up.
    const pending = {
      code: 'rate_limited',
      message: 'All messages that are left are being answered. Try again in a moment.',
      details: { retryAfterSeconds: 5 },
    }
    expect(rejected).toEqual([expect.objectContaining(pending), expect.objectContaining(pending)])
    openGate()
    await Promise.all(asked)
    expect(rejected).toHaveLength(2)
    expect(await used()).toBe(499)
    await answered()
    await expect(all(ask())).rejects.toMatchObject({ code: 'quota_exceeded' })
  })

  it('tells a burst that the limit of a plan that was made smaller is reached', async () => {
    await use(510)
    const held = {
      threadId: 't-held',
      role: 'user' as const,
      content: 'Held',
      status: 1,
      leasedUntil: new Date(Date.now() + 60_000),
    }
    await world.db.write(async (tx) => {
      await tx.insert(threadTable).values({ id: 't-held', organizationId: 'o1', title: 'Held' })
      await tx.insert(messages).values([held, held])
    })
    await expect(all(ask())).rejects.toMatchObject({ code: 'quota_exceeded' })
  })

  // contract Messages: Deleting a thread does not lower the month's count
  it('keeps counting the messages of a deleted thread', async () => {
    await answered()
    await world.db.write((tx) => tx.delete(threadTable))
    expect(await used()).toBe(1)
  })
})
