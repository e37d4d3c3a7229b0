import { describe, expect, it } from 'vitest'
import { agentStatuses } from '../../../contract/values/enumerations'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { ChatEvent } from '../../../contract/views/chat/thread'
import { collections } from '../../../db/schema/collections'
import { all, brass, chatWorld, person, viewer } from '../../support/providers/chat'

const { world, change, ask, answered, stored } = chatWorld()

const linkedBrass = '[1](https://lamps.example/care#brass)'
const steel: FragmentView = { ...brass, id: 'f2', url: 'steel.pdf', link: 'steel.pdf#page=3', title: 'Steel' }
const textOf = (events: ChatEvent[]) => events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')

describe('an answer', () => {
  // contract 9.22: Answers cite with hyperlinks
  it('links its citations and withholds its control line, in the stream and as stored', async () => {
    world.found = [brass, steel]
    world.provider.next({ kind: 'answer', text: 'Wipe it [2], dry [1] [7].\n\n`a[1]`\n\n<<partly>>' })
    const events = await all(ask())
    const text = `Wipe it [2], dry ${linkedBrass}.\n\n\`a[1]\``
    expect(textOf(events)).toBe(text)
    expect(events.at(-1)).toMatchObject({ type: 'answer-end', cited: [2, 1], message: { content: text } })
    expect(await stored()).toMatchObject([{}, { content: text, cited: [2, 1], verdict: 'partly' }])
  })

  it('withdraws text that turns out to be reasoning', async () => {
    world.provider.next({ kind: 'answer', deltas: ['Secret [1] ', 'thoughts.', '</think>', 'Wipe ', 'it.'] })
    const events = await all(ask())
    const discard = events.findIndex(({ type }) => type === 'text-discard')
    expect(textOf(events.slice(0, discard))).toContain('Secret')
    expect(textOf(events.slice(discard))).toBe('Wipe it.')
    expect(events.at(-1)).toMatchObject({ type: 'answer-end', cited: [], message: { content: 'Wipe it.' } })
    const next = await all(ask())
    expect(next.map(({ type }) => type)).not.toContain('text-discard')
  })

  it('stores, with each citation, the sentence on which it rests, to which its link leads', async () => {
    const long = { ...brass, content: `${'Lamps are sold in our shop. '.repeat(20)}${brass.content}` }
    world.found = [long, steel]
    world.provider.next({ kind: 'answer', text: 'Do not put vinegar on it [1]. Some say otherwise.' })
    const { message, threadId } = await answered()
    const [cited, second] = message.fragments
    const [start = 0, end = 0] = cited?.passage?.highlights[0] ?? []
    expect(cited?.passage?.text.slice(start, end)).toBe('Never use vinegar.')
    expect(cited?.passage?.text).toContain('wiped with a dry cloth. Never')
    expect(cited?.link).toBe('https://lamps.example/care#brass:~:text=Never%20use%20vinegar.')
    expect([second?.passage, second?.link]).toEqual([undefined, steel.link])
    const thread = await world.threads.get(viewer, { organizationId: 'o1', threadId })
    expect(thread.messages.at(-1)?.fragments).toEqual(message.fragments)
  })

  it('has the verdict of its citations without a control line', async () => {
    world.provider.next({ kind: 'answer', text: 'Wipe it dry [1].' }, { kind: 'answer', text: 'No idea.' })
    expect((await answered()).message.verdict).toBe('answered')
    expect((await answered()).message).toMatchObject({ verdict: 'not-found', cited: [] })
  })

  // contract 3a.18: Thread: provider_thread_id
  it('stores query, candidates, times, and the id of the response', async () => {
    world.dropped = [
      { id: 'f9', url: 'https://lamps.example/tin', title: 'Tin', similarity: 0.21, reason: 'below-threshold' },
    ]
    const { threadId, message } = await answered()
    const [candidate] = message.candidates
    expect(candidate).toEqual({
      id: 'f9',
      url: 'https://lamps.example/tin',
      title: 'Tin',
      score: 0.21,
      reason: 'below-threshold',
    })
    expect(message.query).toBe('How are brass lamps cleaned, and with what?')
    expect(message.time_search).toBeLessThanOrEqual(message.time_first_text ?? -1)
    expect(message.time_first_text).toBeLessThanOrEqual(message.time_processing ?? -1)
    const thread = await world.threads.get(viewer, { organizationId: 'o1', threadId })
    expect(thread.provider_thread_id).toBe('chatcmpl-local')
  })

  it('asks once more with half of the fragments if the prompt is too long', async () => {
    world.found = [brass, steel, { ...brass, id: 'f3' }]
    const tooLong = {
      kind: 'status',
      status: 400,
      error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' },
    } as const
    world.provider.next(tooLong)
    expect((await answered()).message.fragments.map(({ id }) => id)).toEqual([brass.id, steel.id])
    expect(world.provider.requests).toHaveLength(2)
    world.provider.next(tooLong, tooLong)
    expect((await all(ask())).at(-1)?.type).toBe('answer-error')
    expect(world.provider.requests).toHaveLength(4)
  })

  // contract 3a.22: Message status 3 Read
  it('becomes read when a person opens its thread', async () => {
    const { threadId, message } = await answered()
    expect(message.status).toBe(2)
    const ref = { organizationId: 'o1', threadId }
    expect((await world.threads.get(viewer, ref)).messages.map(({ status }) => status)).toEqual([2, 2])
    expect((await world.threads.open(viewer, ref)).messages.map(({ status }) => status)).toEqual([2, 3])
    expect((await stored()).map(({ status }) => status)).toEqual([2, 3])
  })
})

describe('a question that nothing answers', () => {
  it('gets a message without a model, with links to the nearest pages', async () => {
    world.found = []
    world.dropped = [
      { id: 'f9', url: 'https://lamps.example/tin', title: 'Tin', similarity: 0.21, reason: 'below-threshold' },
      { id: 'f8', url: 'steel.pdf', title: 'Steel', similarity: 0.2, reason: 'below-threshold' },
    ]
    const events = await all(ask({ prompt: 'Wie pflege ich eine Lampe aus Zinn?' }))
    const content = 'Dazu habe ich nichts gefunden. Diese Seiten könnten helfen:\n\n- [Tin](https://lamps.example/tin)'
    expect(events).toMatchObject([
      { type: 'sources-found', fragments: [] },
      { type: 'text-delta', text: content },
      { type: 'text-end' },
      { type: 'answer-end', cited: [], message: { content, status: 2, verdict: 'not-found', model: null } },
    ])
    expect(world.provider.requests).toHaveLength(0)
    expect((await stored()).map(({ status }) => status)).toEqual([2, 2])
  })

  it('is decided by the model if pages below the threshold contain a word of it', async () => {
    const near = world.found.map((fragment, n) => ({ ...fragment, id: `near${n}`, score: 0.2 }))
    world.closest = Array.from({ length: 8 }, (_, n) => near.map((item) => ({ ...item, id: `near${n}` }))).flat()
    world.dropped = [
      { id: 'near1', url: 'https://lamps.example/care', title: 'Care', similarity: 0.2, reason: 'below-threshold' },
      { id: 'f8', url: 'steel.pdf', title: 'Steel', similarity: 0.1, reason: 'below-threshold' },
    ]
    world.found = []
    const { message } = await answered()
    expect(message).toMatchObject({ model: 'gpt-4.1-mini', verdict: 'answered' })
    expect(message.fragments.map(({ id }) => id)).toEqual(['near0', 'near1', 'near2', 'near3', 'near4'])
    expect(world.provider.requests).toHaveLength(1)
  })

  it('gets the same message if the model writes nothing but its control line', async () => {
    world.provider.next({ kind: 'answer', text: '<<not found>>' })
    const { message } = await answered()
    expect(message).toMatchObject({ verdict: 'not-found', model: 'gpt-4.1-mini' })
    expect(message.content).toContain('- [Care](https://lamps.example/care)')
  })

  it('names the question alone where it searched for the one before, too', async () => {
    const { threadId } = await answered({ prompt: 'Who won the regatta?' })
    world.found = []
    const { message } = await answered({ threadId, prompt: 'How heavy is it?' })
    expect(world.searched.at(-1)?.query).toContain('Who won the regatta?')
    expect(message.content).toBe("I couldn't find anything about this.")
  })
})

describe('a greeting', () => {
  it('is answered without a search or a model, and does not join the next search', async () => {
    const { threadId, message } = await answered({ prompt: 'Guten Tag!' })
    expect(message).toMatchObject({
      content: 'Hallo! Was möchten Sie wissen?',
      verdict: null,
      query: null,
      model: null,
    })
    expect(world.searched).toEqual([])
    expect(world.provider.requests).toEqual([])
    await answered({ threadId, prompt: 'What is brass?' })
    expect(world.searched).toMatchObject([{ query: 'What is brass?' }])
  })
})

const statusOfAgent = async () =>
  (await world.agents.get(person('admin'), { organizationId: 'o1', agentId: 'a1' })).status

describe("an agent's settings", () => {
  it("are the collection's model and prompt if it has none", async () => {
    await world.db.write((tx) => tx.update(collections).set({ agentModel: 'gpt-4o-mini', agentPrompt: 'Speak Latin.' }))
    await change({ model: null })
    expect((await answered()).message.model).toBe('gpt-4o-mini')
    const system = () => world.provider.requests.at(-1)?.messages[0]?.content
    expect(system()).toMatch(/^Speak Latin\.\n\n.*BEGIN DATA.*<<answered>>/s)
    await change({ prompt: 'Speak Greek.' })
    await answered()
    expect(system()).toContain('Speak Greek.')
    expect(world.provider.requests.at(-1)?.body.model).toBe('gpt-4o-mini')
  })

  // contract 4.7: Agent status 5 Disabled and 6 Archived
  it('end its answers if it is disabled or archived', async () => {
    await change({ disabled: true })
    expect(await statusOfAgent()).toBe(5)
    await expect(all(ask())).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('disabled') })
    await change({ disabled: false, archivedAt: new Date() })
    expect(await statusOfAgent()).toBe(6)
    await expect(all(ask())).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('archived') })
    expect(await stored()).toEqual([])
  })
})

describe("an agent's status", () => {
  const fail = async (code: number) => {
    const error = { message: 'no', code: code === 401 ? 'invalid_api_key' : 'insufficient_quota' }
    world.provider.next({ kind: 'status', status: code, error })
    await all(ask())
  }

  // contract 4.7: Agent status 0 Error
  it('is Error after three failed answers, until one succeeds', async () => {
    await fail(429)
    await fail(429)
    expect(await statusOfAgent()).toBe(agentStatuses.operational)
    await answered()
    for (const _ of [1, 2, 3]) await fail(429)
    expect(await statusOfAgent()).toBe(agentStatuses.error)
    await answered()
    expect(await statusOfAgent()).toBe(agentStatuses.operational)
  })

  it('is InvalidProviderKey, not Error, after a refused key', async () => {
    await fail(429)
    await fail(429)
    await fail(401)
    expect(await statusOfAgent()).toBe(agentStatuses.invalidProviderKey)
  })
})

describe('a thread that a key begins', () => {
  const key = { kind: 'key', keyType: 'public', organizationId: 'o1', agentId: 'a1' } as const

  it('gives its visitor a token, and goes on only with the visitor', async () => {
    const [first] = await all(ask({}, { actor: key }))
    if (first?.type !== 'sources-found') throw new Error('no answer')
    const { threadId, visitorToken } = first
    expect(visitorToken).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(await world.threads.get(viewer, { organizationId: 'o1', threadId }))).not.toContain(
      visitorToken,
    )
    const visitor = { ...key, kind: 'visitor', threadId } as const
    const [next] = await all(ask({ threadId }, { actor: visitor }))
    expect(next).toMatchObject({ type: 'sources-found', threadId })
    expect(next).not.toHaveProperty('visitorToken')
    await expect(all(ask({ threadId }, { actor: key }))).rejects.toMatchObject({ code: 'not_found' })
    const second = { ...visitor, threadId: 'other' }
    await expect(all(ask({ threadId }, { actor: second }))).rejects.toMatchObject({ code: 'not_found' })
  })
})
