import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishedThreadViewSchema } from '../../../contract/views/chat/thread'
import { keychainViewSchema } from '../../../contract/views/organizations/keychain'
import { type ApiResponse, type ApiWorld, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld
let publicKey: string
let privateKey: string

beforeAll(async () => {
  world = await startApiWorld()
  const path = `/v1/${world.own.organization}/agents/${world.own.agent}/key`
  const { body } = await world.sendJson('admin', 'PUT', path, { rateLimit: 6_000 })
  const created = keychainViewSchema.parse((body as { created: unknown }).created)
  publicKey = created.public_key
  privateKey = created.private_key
})
afterAll(() => world.close())

function call(
  key: string,
  method: string,
  path: string,
  visitorToken: string | null,
  body?: object,
): Promise<ApiResponse> {
  return world.send('guest', method, path, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(visitorToken === null ? {} : { 'x-visitor-token': visitorToken }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

const chatPath = () => `/v1/${world.own.organization}/agents/${world.own.agent}/chat`
const threadPath = (threadId: string) => `/v1/public/${world.own.organization}/threads/${threadId}`
const prompt = 'Which lamp is bright?'

async function begin(key = publicKey) {
  const response = await call(key, 'POST', chatPath(), null, { prompt })
  expect(response.status, response.text).toBe(200)
  const { threadId, visitorToken } = response.body as { threadId: string; visitorToken: string }
  expect(visitorToken).toMatch(/^[\w-]{43}$/)
  return { threadId, visitorToken }
}

describe('a visitor', () => {
  it('continues the own thread, and gets the token once', async () => {
    const { threadId, visitorToken } = await begin()
    const again = await call(publicKey, 'POST', chatPath(), visitorToken, { prompt, threadId })
    expect(again.status, again.text).toBe(200)
    expect(again.body).toMatchObject({ threadId })
    expect(again.body).not.toHaveProperty('visitorToken')
  })

  it.each(['public', 'private'] as const)('needs the token of that thread (%s key)', async (type) => {
    const key = type === 'public' ? publicKey : privateKey
    const [own, second] = [await begin(key), await begin(key)]
    const absent = await call(key, 'POST', chatPath(), own.visitorToken, {
      prompt,
      threadId: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA',
    })
    expect(absent.status).toBe(404)
    for (const token of [null, '', 'x', second.visitorToken]) {
      const { status } = await call(key, 'POST', chatPath(), token, { prompt, threadId: own.threadId })
      expect(status).toBe(404)
      expect((await call(key, 'POST', `${threadPath(own.threadId)}/share`, token)).status).toBe(404)
      expect((await call(key, 'DELETE', threadPath(own.threadId), token)).status).toBe(404)
    }
    // A thread of a person has no token.
    expect((await call(key, 'POST', `${threadPath(world.own.thread)}/share`, own.visitorToken)).status).toBe(404)
  })

  // contract 7d.2: POST /v1/public/{organizationId}/threads/{threadId}/share
  // contract 7d.4: GET /v1/public/threads/published/{threadId}
  it('shares the own thread, which everybody reads without private fields, and ends that', async () => {
    const { threadId, visitorToken } = await begin()
    const read = () => world.send('guest', 'GET', `/v1/public/threads/published/${threadId}`)
    const missing = await read()
    expect(missing.status).toBe(404)
    expect(missing.body).toMatchObject({ message: 'Thread not found or is no longer public' })
    expect((await call(publicKey, 'POST', `${threadPath(threadId)}/share`, visitorToken)).status).toBe(200)
    const shared = await read()
    expect(shared.status).toBe(200)
    const { thread } = shared.body as { thread: unknown }
    const { title, messages } = publishedThreadViewSchema.parse(thread)
    expect(title).toBe(prompt)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'agent'])
    expect((await call(publicKey, 'DELETE', `${threadPath(threadId)}/share`, visitorToken)).status).toBe(200)
    expect((await read()).status).toBe(404)
  })

  // contract 7d.3: DELETE /v1/public/{organizationId}/threads/{threadId}
  it('deletes the own thread', async () => {
    const { threadId, visitorToken } = await begin()
    expect((await call(publicKey, 'DELETE', threadPath(threadId), visitorToken)).status).toBe(204)
    expect((await call(publicKey, 'DELETE', threadPath(threadId), visitorToken)).status).toBe(404)
  })

  it('sees nothing of providers and costs with a public key, but does with a private key', async () => {
    const { body } = await call(publicKey, 'POST', chatPath(), null, { prompt })
    const { message } = body as { message: object }
    expect(message).toMatchObject({ role: 'agent', provider: null, model: null, tokens_input: null, query: null })
    expect(message).toMatchObject({ candidates: [], verdict: 'answered' })
    const own = await call(privateKey, 'POST', chatPath(), null, { prompt })
    expect((own.body as { message: object }).message).toMatchObject({ provider: 'openai', query: expect.any(String) })
  })
})
