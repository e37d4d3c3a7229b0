import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { simpleChatViewSchema } from '../../../contract/views/chat/thread'
import { keychainViewSchema } from '../../../contract/views/organizations/keychain'
import { problemSchema } from '../../../contract/views/problem'
import { keychains } from '../../../db/schema/keychains'
import { type ApiResponse, type ApiWorld, jsonInit, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld
let keys: { publicKey: string; privateKey: string }
const prompt = 'Which lamp is bright?'

beforeAll(async () => {
  world = await startApiWorld()
})
beforeEach(async () => {
  keys = await save({ regenerate: true, allowedIps: '', allowedOrigins: '', rateLimit: 6_000 })
})
afterAll(() => world.close())

const keyPath = () => `/v1/${world.own.organization}/agents/${world.own.agent}/key`
const chatPath = (agent = world.own.agent) => `/v1/${world.own.organization}/agents/${agent}/chat`

async function save(body: object) {
  const response = await world.sendJson('admin', 'PUT', keyPath(), body)
  expect(response.status, response.text).toBe(200)
  const created = keychainViewSchema.parse((response.body as { created: unknown }).created)
  return { publicKey: created.public_key, privateKey: created.private_key, view: created }
}

function call(key: string, path: string, body: object, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const init = jsonInit(JSON.stringify(body))
  return world.send('guest', 'POST', path, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${key}`, ...headers },
  })
}
const ask = (key: string, headers: Record<string, string> = {}) => call(key, '/v1/chat/simple', { prompt }, headers)

describe('a keychain', () => {
  // contract 3a.17: Keychain: public_key, private_key, allowed_ips, allowed_origins, rate_limit
  // contract 7c.18: GET /{orgId}/agents/{id}/key
  it('does not exist until an administrator creates it', async () => {
    const path = `/v1/${world.own.organization}/agents/${world.sibling.agent}/key`
    expect((await world.send('admin', 'GET', path)).body).toEqual({ keychain: null })
    const result = await world.sendJson('admin', 'PUT', path, {})
    const { keychain } = (await world.send('admin', 'GET', path)).body as { keychain: unknown }
    expect(result.body).toEqual({ created: keychain })
    expect(keychainViewSchema.parse(keychain)).toMatchObject({ allowed_ips: '', allowed_origins: '', rate_limit: 240 })
  })

  // contract 7c.19: PUT /{orgId}/agents/{id}/key
  it('regenerates both keys, or one of them', async () => {
    const before = await save({})
    expect(before.publicKey).toBe(keys.publicKey)
    expect(before.privateKey).toBe(keys.privateKey)
    const onlyPublic = await save({ regenerate: 'public' })
    expect(onlyPublic.publicKey).not.toBe(before.publicKey)
    expect(onlyPublic.privateKey).toBe(before.privateKey)
    const onlyPrivate = await save({ regenerate: 'private' })
    expect(onlyPrivate.publicKey).toBe(onlyPublic.publicKey)
    expect(onlyPrivate.privateKey).not.toBe(onlyPublic.privateKey)
    const both = await save({ regenerate: true })
    expect(both.publicKey).not.toBe(onlyPrivate.publicKey)
    expect(both.privateKey).not.toBe(onlyPrivate.privateKey)
    for (const key of [before.publicKey, before.privateKey, onlyPrivate.publicKey, onlyPrivate.privateKey])
      expect((await ask(key)).status).toBe(401)
    for (const key of [both.publicKey, both.privateKey]) expect((await ask(key)).status).toBe(200)
  })

  it('keeps the fields that a change leaves out', async () => {
    await save({ allowedIps: '203.0.113.7', allowedOrigins: 'https://shop.example', rateLimit: 90 })
    expect((await save({ rateLimit: 91 })).view).toMatchObject({
      allowed_ips: '203.0.113.7',
      allowed_origins: 'https://shop.example',
      rate_limit: 91,
    })
  })

  it('is stored without the private key in plain text', async () => {
    const rows = await world.app.db.read.select().from(keychains).where(eq(keychains.agentId, world.own.agent))
    expect(JSON.stringify(rows)).toContain(keys.publicKey)
    expect(JSON.stringify(rows)).not.toContain(keys.privateKey)
  })
})

describe('a key', () => {
  // contract 1.10: Agents can be queried through a chat API
  // contract 7b.8: POST /chat/simple with the agent keychain
  it.each(['publicKey', 'privateKey'] as const)('searches and asks the own agent (%s)', async (name) => {
    const response = await ask(keys[name])
    expect(response.status, response.text).toBe(200)
    const { message, fragments } = simpleChatViewSchema.parse(response.body)
    expect(message).not.toBe('')
    expect(fragments[0]?.url).toMatch(/^http/)
    expect((await call(keys[name], chatPath(), { prompt })).status).toBe(200)
  })

  // contract 3a.26: Smart search answers message and fragments
  it('gets the fragments alone while the agent cannot answer', async () => {
    world.provider.next({ kind: 'status', status: 400 })
    const response = await ask(keys.publicKey)
    expect(response.status, response.text).toBe(200)
    const { message, fragments } = simpleChatViewSchema.parse(response.body)
    expect(message).toBeNull()
    expect(fragments[0]?.url).toMatch(/^http/)
  })

  it('opens no other agent and nothing of the organization', async () => {
    const absent = await call(keys.privateKey, chatPath('00000000-0000-4000-8000-000000000005'), { prompt })
    expect(absent.status).toBe(404)
    expect((await call(keys.privateKey, chatPath(world.sibling.agent), { prompt })).status).toBe(404)
    const authorization = `Bearer ${keys.privateKey}`
    for (const path of ['collections', 'agents', 'threads', `agents/${world.own.agent}/key`]) {
      const response = await world.send('guest', 'GET', `/v1/${world.own.organization}/${path}`, {
        headers: { authorization },
      })
      expect(response.status, path).toBe(401)
    }
  })

  // contract 5.28: Allowed origins: a comma-separated list, exact; empty for any
  it('works from allowed origins only if it is public', async () => {
    await save({ allowedOrigins: 'https://shop.example, http://localhost:8080' })
    expect((await ask(keys.publicKey, { origin: 'https://shop.example' })).status).toBe(200)
    for (const origin of ['https://shop.example.evil.example', 'http://shop.example', 'https://shop.example:444']) {
      const refused = await ask(keys.publicKey, { origin })
      expect(refused.status, origin).toBe(403)
      expect(problemSchema.parse(refused.body).message).toBe(
        `This public key does not accept calls from ${origin}. Add the origin in API Settings.`,
      )
    }
    const sandboxed = await ask(keys.publicKey, { origin: 'null' })
    expect(sandboxed.status).toBe(403)
    expect(problemSchema.parse(sandboxed.body).message).toContain('sandboxed pages. Add allow-same-origin')
    expect((await ask(keys.publicKey)).status).toBe(403)
    expect((await ask(keys.privateKey)).status).toBe(200)
    await save({ allowedOrigins: '' })
    expect((await ask(keys.publicKey, { origin: 'https://any.example' })).status).toBe(200)
    expect((await ask(keys.publicKey)).status).toBe(200)
  })

  it('works from the pages of this server if it is public, whatever it allows', async () => {
    await save({ allowedOrigins: 'https://shop.example' })
    expect((await ask(keys.publicKey, { origin: world.origin })).status).toBe(200)
    expect((await ask(keys.publicKey, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await ask(keys.publicKey, { 'sec-fetch-site': 'same-site' })).status).toBe(403)
    const forged = { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }
    expect((await ask(keys.publicKey, forged)).status).toBe(403)
  })

  // contract 5.28: Allowed IPs: a comma-separated list; empty for any
  it('works from allowed addresses only if it is private', async () => {
    await save({ allowedIps: '203.0.113.0/24, 2001:db8::/32' })
    const refused = await ask(keys.privateKey)
    expect(refused.status).toBe(403)
    expect(problemSchema.parse(refused.body).message).toMatch(
      /^This private key does not accept calls from .*127\.0\.0\.1\./,
    )
    expect((await ask(keys.publicKey)).status).toBe(200)
    await save({ allowedIps: '203.0.113.7, 127.0.0.0/8' })
    expect((await ask(keys.privateKey)).status).toBe(200)
    await save({ allowedIps: '203.0.113.7' })
    expect((await ask(keys.privateKey)).status).toBe(403)
    await save({ allowedIps: '' })
    expect((await ask(keys.privateKey)).status).toBe(200)
  })

  // contract 9.10: Each key is limited to its rate_limit a minute
  it('has a rate of its own', async () => {
    await save({ regenerate: true, rateLimit: 2 })
    const { publicKey, privateKey } = await save({})
    const rateOf = async (key: string) =>
      (await Promise.all([ask(key), ask(key), ask(key)])).map(({ status }) => status)
    // Earlier tests have used up more than two calls of the agent's keys within the minute.
    for (const key of [publicKey, privateKey])
      expect((await rateOf(key)).filter((status) => status === 429)).toHaveLength(3)
    const refused = await ask(privateKey)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(problemSchema.parse(refused.body).message).toMatch(/^This key may send 2 requests a minute\./)
  })

  it.each(['sitelore_public_none', 'sitelore_private_none', 'sitelore_'])(
    '%s that nobody has gets 401',
    async (key) => {
      const refused = await ask(key)
      expect(refused.status).toBe(401)
      expect(problemSchema.parse(refused.body).message).toContain('This key does not exist or was regenerated.')
    },
  )
})
