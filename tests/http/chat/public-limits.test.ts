import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keychainViewSchema } from '../../../contract/views/organizations/keychain'
import { problemSchema } from '../../../contract/views/problem'
import { keychains } from '../../../db/schema/keychains'
import { system } from '../../../server/actor'
import { environmentSchema } from '../../../server/config/config'
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

describe('the limits', () => {
  it('say what is left of the key and of the address', async () => {
    await save({ rateLimit: 4_000 })
    const { headers } = await ask()
    expect(headers.get('ratelimit-policy')).toBe('"address";q=100000;w=60, "key";q=4000;w=60')
    expect(headers.get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+, "key";r=\d+;t=\d+$/)
  })

  it('tell pages that a key allows how long to wait after the limit of the key, and no others', async () => {
    await save({ regenerate: true, allowedOrigins: shop, rateLimit: 1 })
    keys = await save({})
    const search = (origin: string) => call('POST', '/v1/public/search', { origin }, { query: 'lamp' })
    await search(shop)
    const { status, headers } = await search(shop)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([429, shop])
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    const refused = await search('https://other.example')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, null])
  })

  it("leave three quarters of a key's limit to other networks, and a rejected call costs its network only", async () => {
    const small = await startApiWorld(undefined, { PUBLIC_REQUESTS_PER_MINUTE: '1000', TRUSTED_PROXIES: '127.0.0.1' })
    try {
      const path = `/v1/${small.own.organization}/agents/${small.own.agent}/key`
      const saved = await small.sendJson('admin', 'PUT', path, { rateLimit: 8, allowedOrigins: shop })
      const { public_key: key } = keychainViewSchema.parse((saved.body as { created: unknown }).created)
      const statusFrom = async (address: string, body: object = { query: 'lamp' }, origin = shop) => {
        const { headers, ...init } = jsonInit(JSON.stringify(body))
        const sent = { ...headers, origin, 'x-forwarded-for': address, authorization: `Bearer ${key}` }
        return (await small.send('guest', 'POST', '/v1/public/search', { ...init, headers: sent })).status
      }
      const several = async (count: number, ...call: Parameters<typeof statusFrom>) => {
        const statuses: number[] = []
        for (let n = 0; n < count; n++) statuses.push(await statusFrom(...call))
        return statuses
      }
      expect(await several(4, '203.0.113.1')).toEqual([200, 200, 429, 429])
      expect(await several(4, '203.0.113.2', { query: 1 })).toEqual([400, 400, 429, 429])
      expect(await several(3, '203.0.113.3', undefined, 'https://other.example')).toEqual([403, 403, 403])
      // Only the first two have counted for the key, so six are left.
      for (const network of [4, 5, 6]) expect(await several(2, `203.0.113.${network}`)).toEqual([200, 200])
      expect(await several(1, '203.0.113.7')).toEqual([429])
    } finally {
      await small.close()
    }
  })

  it('do not count rejected calls toward the plan', async () => {
    const used = () => world.app.services.organizations.usage(system, world.own.organization)
    const before = (await used()).api_requests
    expect((await call('POST', '/v1/public/search', {}, { query: 1 })).status).toBe(400)
    expect((await ask({ prompt, threadId: 'none' }, { 'x-visitor-token': 'none' })).status).toBe(404)
    const path = `/v1/${world.own.organization}/collections/none`
    expect((await world.send('viewer', 'GET', path)).status).toBe(404)
    expect((await used()).api_requests).toBe(before)
    expect((await call('POST', '/v1/public/search', {}, { query: 'lamp' })).status).toBe(200)
    expect((await used()).api_requests).toBe(before + 1)
  })

  it('end the answers of a day, not the searches', async () => {
    const [counted] = await world.app.db.read
      .select({ today: keychains.countedMessages })
      .from(keychains)
      .where(eq(keychains.agentId, world.own.agent))
    await save({ dailyMessages: (counted?.today ?? 0) + 1 })
    expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(problemSchema.parse(refused.body).message).toBe(
      'This agent has reached its limit of answers for today. Try again tomorrow.',
    )
    expect((await call('POST', '/v1/public/search', {}, { query: 'lamp' })).status).toBe(200)
    const path = `/v1/${world.own.organization}/agents/${world.own.agent}/chat`
    expect((await world.sendJson('viewer', 'POST', path, { prompt })).status).toBe(200)
  })

  it('hold for the address that a configured proxy names, of IPv6 for its /64', async () => {
    const environment = { PUBLIC_REQUESTS_PER_MINUTE: '2', TRUSTED_PROXIES: '127.0.0.1' }
    const small = await startApiWorld(undefined, environment)
    const statusFrom = async (address: string) => {
      const headers = { 'x-forwarded-for': address, authorization: 'Bearer sitelore_public_unknown' }
      return (await small.send('guest', 'POST', '/v1/public/search', { headers })).status
    }
    try {
      const statuses: number[] = []
      for (const address of ['2001:db8:1:1::1', '2001:db8:1:1:ffff::2', '2001:db8:1:1::3', '2001:db8:1:2::1'])
        statuses.push(await statusFrom(address))
      expect(statuses).toEqual([401, 401, 429, 401])
      expect([await statusFrom('203.0.113.1'), await statusFrom('::ffff:203.0.113.1')]).toEqual([401, 401])
      expect([await statusFrom('203.0.113.1'), await statusFrom('203.0.113.2')]).toEqual([429, 401])
    } finally {
      await small.close()
    }
  })

  it('tell pages that a key allows how long to wait after the limit of an address, and no others', async () => {
    const small = await startApiWorld(undefined, { PUBLIC_REQUESTS_PER_MINUTE: '1' })
    try {
      const path = `/v1/${small.own.organization}/agents/${small.own.agent}/key`
      const saved = await small.sendJson('admin', 'PUT', path, { allowedOrigins: shop })
      const { public_key: key } = keychainViewSchema.parse((saved.body as { created: unknown }).created)
      const allowedOriginFor = async (origin: string) => {
        const headers = { origin, authorization: `Bearer ${key}` }
        const response = await small.send('guest', 'POST', '/v1/public/search', { headers })
        expect(response.headers.get('vary')).toContain('Origin')
        return [response.status, response.headers.get('access-control-allow-origin')]
      }
      expect(await allowedOriginFor(shop)).toEqual([400, shop])
      expect(await allowedOriginFor(shop)).toEqual([429, shop])
      expect(await allowedOriginFor('https://other.example')).toEqual([429, null])
    } finally {
      await small.close()
    }
  })

  // contract 9.9: Public endpoints: 100 requests a minute per IP
  it('hold for an address, whatever key it sends and whatever it says', async () => {
    expect(environmentSchema.shape.PUBLIC_REQUESTS_PER_MINUTE.parse(undefined)).toBe(100)
    const small = await startApiWorld(undefined, { PUBLIC_REQUESTS_PER_MINUTE: '5' })
    try {
      const statuses: number[] = []
      for (let n = 0; n < 7; n++) {
        const headers = { authorization: `Bearer sitelore_public_${n}`, 'x-forwarded-for': `203.0.113.${n}` }
        const { status } = await small.send('guest', 'POST', '/v1/public/search', { headers })
        statuses.push(status)
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
      const refused = await small.send('guest', 'GET', '/v1/public/threads/published/none')
      expect(refused.status).toBe(429)
      for (const spelling of [
        '/v1/PUBLIC/threads/published/none',
        '/v1/public/threads/published/none/',
        // Everybody may call these, too.
        '/v1/openapi.json',
        '/v1/options/agent_widget_snippet',
      ]) {
        const { status } = await small.send('guest', 'GET', spelling)
        expect(status, spelling).toBe(429)
      }
      expect((await small.send('guest', 'GET', '/v1/%70ublic/threads/published/none')).status).toBe(404)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await small.send('admin', 'GET', `/v1/${small.own.organization}/agents`)).status).toBe(200)
    } finally {
      await small.close()
    }
  })
})
