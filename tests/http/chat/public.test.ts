import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { searchViewSchema } from '../../../contract/views/chat/search-results'
import { threadViewSchema, visitorThreadViewSchema } from '../../../contract/views/chat/thread'
import { problemSchema } from '../../../contract/views/problem'
import { threads } from '../../../db/schema/threads'
import { type ApiWorld, jsonInit, startApiWorld } from '../../support/api/api-world'
import { callWithKey, saveKey } from '../../support/api/key-calls'

let world: ApiWorld
let keys: { publicKey: string; privateKey: string }
const prompt = 'Which lamp is bright?'
const shop = 'https://shop.example'

beforeAll(async () => {
  world = await startApiWorld()
})
beforeEach(async () => {
  keys = await save({ regenerate: true, allowedIps: '', allowedOrigins: '', rateLimit: 6_000, dailyMessages: null })
})
afterAll(() => world.close())

const save = (body: object) => saveKey(world, body)
const call = (method: string, path: string, headers: Record<string, string>, body?: object, key = keys.publicKey) =>
  callWithKey(world, key, method, path, headers, body)
const ask = (body: object = { prompt }, headers: Record<string, string> = {}) =>
  call('POST', '/v1/public/chat', headers, body)

describe('a visitor', () => {
  // contract 9.2: Public API prefix /v1/public
  it('asks, reads the own thread again and rates the answer', async () => {
    const asked = await ask()
    expect(asked.status, asked.text).toBe(200)
    const { threadId, visitorToken, message } = asked.body as {
      threadId: string
      visitorToken: string
      message: { id: string }
    }
    const own = { 'x-visitor-token': visitorToken }
    const rated = await call('POST', `/v1/public/threads/${threadId}/messages/${message.id}/feedback`, own, {
      rating: 'down',
      comment: 'Too short.',
    })
    expect(rated.body).toEqual({ success: true })
    const read = await call('GET', `/v1/public/threads/${threadId}`, own)
    expect(read.status, read.text).toBe(200)
    const thread = visitorThreadViewSchema.parse((read.body as { thread: unknown }).thread)
    expect(thread.messages.map(({ role, feedback }) => [role, feedback])).toEqual([
      ['user', null],
      ['agent', 'down'],
    ])
    expect(thread.messages[1]?.sources[0]?.url).toMatch(/^http/)
    const inDashboard = await world.send(
      'admin',
      'GET',
      `/v1/${world.own.organization}/threads/${threadId}?messages=true`,
    )
    const seen = threadViewSchema.parse((inDashboard.body as { thread: unknown }).thread)
    expect(seen.messages?.[1]).toMatchObject({ feedback: 'down', feedback_comment: 'Too short.' })
  })

  it('cannot read or rate the thread of another one', async () => {
    const begin = async () => (await ask()).body as { threadId: string; visitorToken: string; message: { id: string } }
    const [own, second] = [await begin(), await begin()]
    for (const headers of [{}, { 'x-visitor-token': second.visitorToken }] as Record<string, string>[]) {
      const read = await call('GET', `/v1/public/threads/${own.threadId}`, headers)
      const path = `/v1/public/threads/${own.threadId}/messages/${own.message.id}/feedback`
      const rated = await call('POST', path, headers, { rating: 'up' })
      expect([read.status, rated.status]).toEqual([404, 404])
    }
    const mixed = `/v1/public/threads/${second.threadId}/messages/${own.message.id}/feedback`
    const rated = await call('POST', mixed, { 'x-visitor-token': second.visitorToken }, { rating: 'up' })
    expect(rated.status).toBe(404)
  })

  it("does not learn the name of the agent's provider, which has no key", async () => {
    const agent = `/v1/${world.own.organization}/agents/${world.own.agent}`
    const use = async (provider: string, model: string) =>
      expect((await world.sendJson('admin', 'PUT', agent, { provider, model })).status).toBe(200)
    const neutral = {
      code: 'conflict',
      title: 'Failed to process your request with Chat API',
      message: 'Please try again later. Contact support if issue persists.',
    }
    const begun = (await ask()).body as { threadId: string; visitorToken: string }
    await use('deepseek', 'deepseek-chat')
    try {
      const first = await ask()
      const continued = await ask({ prompt, threadId: begun.threadId }, { 'x-visitor-token': begun.visitorToken })
      const scoped = await call('POST', `${agent}/chat`, {}, { prompt })
      const streamed = await ask({ prompt }, { accept: 'text/event-stream' })
      for (const { status, body, text } of [first, continued, scoped, streamed]) {
        expect(status, text).toBe(409)
        expect(problemSchema.parse(body)).toMatchObject(neutral)
        expect(text).not.toMatch(/deepseek|key/i)
      }
      const privately = await call('POST', '/v1/public/chat', {}, { prompt }, keys.privateKey)
      expect(privately.status).toBe(409)
      expect(problemSchema.parse(privately.body).message).toContain('no API key for DeepSeek yet')
    } finally {
      await use('openai', 'gpt-4.1-mini')
    }
  })

  it('streams an answer', async () => {
    const streamed = await ask({ prompt }, { accept: 'text/event-stream' })
    const names = streamed.events.map(({ event }) => event)
    expect(names[0]).toBe('sources-found')
    expect(names.at(-1)).toBe('answer-end')
  })

  it('searches without a model', async () => {
    const found = await call('POST', '/v1/public/search', {}, { query: 'bright lamp', limit: 2 })
    expect(found.status, found.text).toBe(200)
    expect(searchViewSchema.parse(found.body).fragments.length).toBeGreaterThan(0)
    const empty = await call('POST', '/v1/public/search', {}, { query: ' ' })
    expect(empty.status).toBe(400)
  })

  // contract 3a.18: Thread: external_user_id, external_user_email, external_session_id, meta_*
  it('is whom the page says, unverified, and the address is kept without its last byte', async () => {
    const external = {
      external_user_id: 'customer-7',
      external_user_email: 'ada@shop.example',
      external_session_id: 'session-1',
    }
    const { threadId } = (await ask({ prompt, ...external }, { origin: shop })).body as { threadId: string }
    const { body } = await world.send('admin', 'GET', `/v1/${world.own.organization}/threads/${threadId}`)
    expect(threadViewSchema.parse((body as { thread: unknown }).thread)).toMatchObject({
      ...external,
      meta_origin: shop,
      meta_ip: '127.0.0.0',
    })
    const tooLong = await ask({ prompt, external_user_id: 'x'.repeat(129) })
    expect(tooLong.status).toBe(400)
  })
})

describe('CORS', () => {
  const paths = () => [
    '/v1/public/chat',
    '/v1/chat/simple',
    `/v1/${world.own.organization}/agents/${world.own.agent}/chat`,
  ]

  it('leaves at most 300 characters of a header', async () => {
    const asked = await ask(
      { prompt },
      { 'user-agent': 'x'.repeat(8_000), origin: `https://${'x'.repeat(8_000)}.example` },
    )
    const { threadId } = asked.body as { threadId: string }
    const [stored] = await world.app.db.read.select().from(threads).where(eq(threads.id, threadId))
    expect([stored?.metaUserAgent?.length, stored?.metaOrigin?.length]).toEqual([300, 300])
  })

  it.each([
    ['/v1/public/chat', 'prompt', 2_048],
    ['/v1/chat/simple', 'prompt', 2_048],
    ['/v1/public/search', 'query', 10_000],
  ])('sends %s little more than its text', async (path, field, length) => {
    const escaped = `"${'\\u0061'.repeat(length)}"`
    const statusWith = async (beyond: number) => {
      const body = `{"${field}":${escaped},"unused":"${'x'.repeat(beyond)}"}`
      const { headers, ...init } = jsonInit(body)
      const sent = { ...headers, authorization: `Bearer ${keys.publicKey}` }
      return (await world.send('guest', 'POST', path, { ...init, headers: sent })).status
    }
    expect(await statusWith(8_000)).not.toBe(413)
    expect(await statusWith(8_200)).toBe(413)
  })

  it('lets any page of the web ask, and only allowed origins read answers', async () => {
    await save({ allowedOrigins: shop })
    for (const path of [...paths(), '/v1/PUBLIC/chat', '/v1/chat/simple/']) {
      const headers = { origin: 'https://other.example', 'access-control-request-method': 'POST' }
      const preflight = await world.send('guest', 'OPTIONS', path, { headers })
      expect(preflight.headers.get('access-control-allow-origin'), path).toBe('https://other.example')
      expect(preflight.headers.get('vary')).toContain('Origin')
      const allowed = await call('POST', path, { origin: shop }, { prompt })
      expect(allowed.status, allowed.text).toBe(200)
      expect(allowed.headers.get('access-control-allow-origin')).toBe(shop)
      expect(allowed.headers.get('vary')).toContain('Origin')
      expect(allowed.headers.has('access-control-allow-credentials')).toBe(false)
      const privately = await call('POST', path, { origin: 'https://other.example' }, { prompt }, keys.privateKey)
      expect(privately.status).toBe(200)
    }
  })

  it('lets any page of the web ask for what everybody can read', async () => {
    const headers = { origin: 'https://other.example', 'access-control-request-method': 'GET' }
    const preflight = await world.send('guest', 'OPTIONS', '/v1/public/threads/published/none', { headers })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  })

  it.each([
    'https://shop.example.evil.example',
    'https://evilshop.example',
    'https://sub.shop.example',
    'http://shop.example',
    'https://shop.example:444',
    'https://shop.example:443',
    'https://shop.example/',
    'https://shop.example.',
    'https://SHOP.example',
    'https://shop.example@evil.example',
    'https://shop.example%2eevil.example',
    'https://shop.example, https://evil.example',
    'https://xn--shp-zna.example',
    'null',
    'file://',
    'chrome-extension://abcdefgh',
    'https://',
    'shop.example',
    '*',
    'https://[::1]',
  ])('refuses %s before any work', async (origin) => {
    await save({ allowedOrigins: shop })
    const before = await world.stored()
    for (const path of paths()) {
      const refused = await call('POST', path, { origin }, { prompt })
      expect(refused.status, path).toBe(403)
      // The page reads why, and nothing else.
      expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
      expect(
        Object.keys(refused.body as object)
          .sort()
          .join(),
      ).toBe('code,detail,instance,message,status,title,type')
    }
    expect(await world.stored()).toBe(before)
  })

  it('lets a page read that its key does not exist', async () => {
    const refused = await call('POST', '/v1/public/search', { origin: shop }, { query: 'lamp' }, `${keys.publicKey}x`)
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, shop])
  })

  it('counts refused origins until they are allowed', async () => {
    await save({ allowedOrigins: shop })
    for (const origin of ['https://other.example', 'https://other.example', 'null']) await ask({ prompt }, { origin })
    const { view } = await save({})
    expect(view.refused_origins).toContainEqual(expect.objectContaining({ origin: 'https://other.example', count: 2 }))
    expect(view.refused_origins).not.toContainEqual(expect.objectContaining({ origin: 'null' }))
    const allowed = await save({ allowedOrigins: `${shop}, https://other.example` })
    expect(allowed.view.refused_origins).not.toContainEqual(
      expect.objectContaining({ origin: 'https://other.example' }),
    )
    for (let n = 0; n < 25; n++) await ask({ prompt }, { origin: `https://flood-${n}.example` })
    expect((await save({})).view.refused_origins).toHaveLength(20)
  })

  it('stays open to all for calls with a bearer', async () => {
    const otherApiResponse = await world.send('admin', 'GET', `/v1/${world.own.organization}/agents`, {
      headers: { origin: shop },
    })
    expect(otherApiResponse.headers.get('access-control-allow-origin')).toBe('*')
  })
})

// contract 3a.25: Option agent_widget_snippet with %PUBLIC_KEY%
// contract 7b.7: GET /options/agent_widget_snippet
it('gives the snippet of the widget', async () => {
  const { body } = await world.send('guest', 'GET', '/v1/options/agent_widget_snippet')
  const value = (body as { option: { value: string } }).option.value
  expect(value).toBe(`<script src="${world.app.config.publicUrl}/widget.js" data-key="%PUBLIC_KEY%" async></script>`)
})

it.each(['public', 'chat', 'options', 'admin', 'openai'])('reserves /v1/%s', async (name) => {
  const response = await world.send('admin', 'GET', `/v1/${name}/audit`)
  expect(response.status).toBe(404)
  expect(problemSchema.parse(response.body).message).toBe('The API has no such route.')
})
