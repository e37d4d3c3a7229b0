import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keychainViewSchema } from '../../../contract/views/organizations/keychain'
import { type ApiWorld, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld
let client: OpenAI
let keys: { public_key: string; private_key: string }
const question = 'Which lamp is bright?'

beforeAll(async () => {
  world = await startApiWorld()
  const path = `/v1/${world.own.organization}/agents/${world.own.agent}/key`
  const { body } = await world.sendJson('admin', 'PUT', path, { rateLimit: 6_000 })
  keys = keychainViewSchema.parse((body as { created: unknown }).created)
  client = clientWith(keys.private_key)
})
afterAll(() => world.close())

function clientWith(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${world.listening}/v1/openai`, maxRetries: 0 })
}

describe("OpenAI's client", () => {
  it('finds the agent among the models', async () => {
    const { data } = await client.models.list()
    expect(data).toEqual([expect.objectContaining({ id: world.own.agent, object: 'model' })])
  })

  it('gets an answer with citations as Markdown and as annotations', async () => {
    const { choices, usage } = await client.chat.completions.create({
      model: world.own.agent,
      messages: [
        { role: 'system', content: 'Answer like a pirate.' },
        { role: 'user', content: [{ type: 'text', text: question }] },
      ],
      temperature: 0.2,
    })
    const [choice] = choices
    expect(choice?.finish_reason).toBe('stop')
    const { content, annotations } = choice?.message ?? {}
    const citation = annotations?.[0]?.url_citation
    expect(citation?.url).toMatch(/^http/)
    expect(content?.slice(citation?.start_index, citation?.end_index)).toMatch(/^\[1\]\(http/)
    expect(usage?.total_tokens).toBeGreaterThan(0)
  })

  it('streams an answer', async () => {
    const stream = await client.chat.completions.create({
      model: world.own.agent,
      messages: [{ role: 'user', content: question }],
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let finish: string | null = null
    let tokens = 0
    for await (const { choices, usage } of stream) {
      text += choices[0]?.delta.content ?? ''
      finish = choices[0]?.finish_reason ?? finish
      tokens = usage?.total_tokens ?? tokens
    }
    expect(text).toMatch(/\[1\]\(http/)
    expect([finish, tokens > 0]).toEqual(['stop', true])
  })

  it.each(['length', 'content_filter'] as const)('reads why an answer ended early (%s)', async (finish) => {
    const messages = [{ role: 'user' as const, content: question }]
    world.provider.next({ kind: 'answer', text: 'The storm', finish }, { kind: 'answer', text: 'The storm', finish })
    const { choices } = await client.chat.completions.create({ model: world.own.agent, messages })
    expect(choices[0]?.finish_reason).toBe(finish)
    const stream = await client.chat.completions.create({ model: world.own.agent, messages, stream: true })
    const reasons: (string | null)[] = []
    for await (const { choices } of stream) reasons.push(choices[0]?.finish_reason ?? null)
    expect(reasons.filter(Boolean)).toEqual([finish])
  })

  it('may send instructions of any length, and what it did with tools', async () => {
    const { choices } = await client.chat.completions.create({
      model: world.own.agent,
      messages: [
        { role: 'system', content: 'Answer like a pirate. '.repeat(2_000) },
        { role: 'user', content: 'What time is it?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call-1', type: 'function', function: { name: 'now', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call-1', content: 'noon' },
        { role: 'assistant', content: 'It is noon.' },
        { role: 'user', content: question },
      ],
    })
    expect(choices[0]?.message.content).toMatch(/\[1\]\(http/)
  })

  it('keeps the conversation itself', async () => {
    const messages = [
      { role: 'user' as const, content: question },
      { role: 'assistant' as const, content: 'The storm lamp.' },
      { role: 'user' as const, content: 'And how heavy is it?' },
    ]
    await client.chat.completions.create({ model: world.own.agent, messages, user: 'customer-7' })
    const { body } = await world.send('admin', 'GET', `/v1/${world.own.organization}/threads?limit=5`)
    const [thread] = (body as { threads: { docs: { id: string; external_user_id: string }[] } }).threads.docs
    expect(thread?.external_user_id).toBe('customer-7')
    const read = await world.send('admin', 'GET', `/v1/${world.own.organization}/threads/${thread?.id}?messages=true`)
    const { messages: stored } = (read.body as { thread: { messages: { query: string }[] } }).thread
    expect(stored[1]?.query).toContain(question)
  })

  it.each([
    ['another model', { model: 'gpt-4o', messages: [{ role: 'user', content: question }] }, 404],
    ['no message', { model: 'x', messages: [] }, 400],
    ['no question at the end', { model: 'x', messages: [{ role: 'assistant', content: 'Hello' }] }, 400],
    ['a picture', { model: 'x', messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }, 400],
    ['too long a conversation', { model: 'x', messages: [{ role: 'user', content: 'x'.repeat(20_001) }] }, 400],
    ['too long a question', { model: 'x', messages: [{ role: 'user', content: 'x'.repeat(3_000) }] }, 400],
  ] as const)('gets an error of its own kind for %s', async (_what, body, status) => {
    const failure = client.post('/chat/completions', { body })
    await expect(failure).rejects.toBeInstanceOf(OpenAI.APIError)
    await expect(failure).rejects.toMatchObject({ status, error: { message: expect.any(String) } })
  })

  it('reads in a stream where the reasoning of a model ends and its answer begins', async () => {
    const messages = [{ role: 'user' as const, content: question }]
    world.provider.next({ kind: 'answer', deltas: ['Secret ', 'thoughts.</think>', 'Turn the ring [1].'] })
    const stream = await client.chat.completions.create({ model: world.own.agent, messages, stream: true })
    let text = ''
    const citations: { start_index: number; end_index: number }[] = []
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta as { content?: string; annotations?: { url_citation: (typeof citations)[0] }[] }
      text += delta?.content ?? ''
      citations.push(...(delta?.annotations ?? []).map(({ url_citation }) => url_citation))
    }
    const [reasoning, answer] = text.split("\n\nThe text above is the model's reasoning. Its answer:\n\n")
    expect([reasoning, answer]).toEqual([
      expect.stringContaining('Secret'),
      expect.stringMatching(/^Turn the ring \[1\]/),
    ])
    expect(text.slice(citations[0]?.start_index, citations[0]?.end_index)).toMatch(/^\[1\]\(http\S+\)$/)
  })

  it.each(['public', 'unknown'])('cannot use a key that is %s', async (kind) => {
    const key = kind === 'public' ? keys.public_key : 'sitelore_private_unknown'
    await expect(clientWith(key).models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  })
})
