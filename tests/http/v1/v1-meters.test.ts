import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { initialPlans, type PlanChange } from '../../../contract/organizations/plan'
import type { Usage } from '../../../contract/views/organizations/organization'
import { problemSchema } from '../../../contract/views/problem'
import { organizations } from '../../../db/schema/organizations'
import { usage } from '../../../db/schema/usage'
import { system } from '../../../server/actor'
import { type ApiResponse, type ApiWorld, jsonInit, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())
beforeEach(() => world.app.db.write((tx) => tx.delete(usage)))

const used = (organization: string): Promise<Usage> => world.app.services.organizations.usage(system, organization)
const search = (query: string, caller: 'viewer' | 'stranger' | 'platform' = 'viewer') =>
  world.send(caller, 'GET', `/v1/${world.own.organization}/search?collectionId=${world.own.collection}&query=${query}`)
const list = () => world.send('viewer', 'GET', `/v1/${world.own.organization}/collections`)

/** Gives the own organization a plan with these limits alone. */
async function limitTo(change: PlanChange) {
  const { name: _, ...noLimits } = initialPlans.unlimited
  await world.app.services.plans.set(system, 'tested', { ...noLimits, ...change })
  await world.app.db.write((tx) =>
    tx.update(organizations).set({ plan: 'tested' }).where(eq(organizations.id, world.own.organization)),
  )
}

function expectUsedUp(response: ApiResponse, message: string) {
  expect(response.status, response.text).toBe(429)
  expect(problemSchema.parse(response.body)).toMatchObject({
    code: 'quota_exceeded',
    title: 'Usage limit reached',
    message,
  })
  // Asking again soon does not help.
  expect(response.headers.get('retry-after')).toBeNull()
}

const countOf = (responses: ApiResponse[], status: number) =>
  responses.filter((response) => response.status === status).length

describe('searches', () => {
  // contract 3b.6: Usage types searches and api_requests
  it('are counted, and refused over the limit, also when concurrent', async () => {
    await limitTo({ searches: 5 })
    const responses = await Promise.all(Array.from({ length: 12 }, () => search('lamp')))
    expect([countOf(responses, 200), countOf(responses, 429)]).toEqual([5, 7])
    expectUsedUp(
      await search('lamp'),
      'Your plan allows 5 searches a month; wait for the next month or ask the operator for a larger plan.',
    )
    const { body } = await world.send('viewer', 'GET', `/v1/organizations/${world.own.organization}/currentUsage`)
    expect((body as { usage: Usage }).usage).toMatchObject({ searches: 5, api_requests: 6, messages: 0 })
  })

  it('do not count without results or if they are refused for another reason', async () => {
    await limitTo({})
    expect((await search('')).status).toBe(200)
    expect((await search('lamp', 'stranger')).status).toBe(404)
    const path = `/v1/${world.own.organization}/search?collectionId=none&query=lamp`
    expect((await world.send('viewer', 'GET', path)).status).toBe(404)
    expect(await used(world.own.organization)).toMatchObject({ searches: 1 })
  })

  it('are not counted for an answer of a model', async () => {
    await limitTo({ searches: 1, messages: 1 })
    const path = `/v1/${world.own.organization}/agents/${world.own.agent}/chat`
    const response = await world.send(
      'viewer',
      'POST',
      path,
      jsonInit(JSON.stringify({ prompt: 'Which lamp is bright?' })),
    )
    expect(response.status, response.text).toBe(200)
    expect(await used(world.own.organization)).toMatchObject({ searches: 0, messages: 1 })
  })
})

describe('API requests', () => {
  it('are counted, and refused over the limit, also when concurrent', async () => {
    await limitTo({ api_requests: 20 })
    const responses = await Promise.all(Array.from({ length: 50 }, list))
    expect([countOf(responses, 200), countOf(responses, 429)]).toEqual([20, 30])
    expectUsedUp(
      await list(),
      'Your plan allows 20 API requests a month; wait for the next month or ask the operator for a larger plan.',
    )
    expect(await used(world.own.organization)).toMatchObject({ api_requests: 20 })
  })

  it('count for the organization that they concern alone', async () => {
    await limitTo({})
    expect((await search('lamp', 'stranger')).status).toBe(404)
    expect((await world.send('viewer', 'GET', '/v1/auth/me')).status).toBe(200)
    expect((await world.send('guest', 'GET', `/v1/${world.own.organization}/collections`)).status).toBe(401)
    const organization = `/v1/organizations/${world.own.organization}`
    expect((await world.send('viewer', 'GET', organization)).status).toBe(200)
    expect((await world.send('viewer', 'PUT', organization, jsonInit('{}'))).status).toBe(403)
    // A request that is refused is not counted.
    expect(await used(world.own.organization)).toMatchObject({ api_requests: 1 })
    expect(await used(world.foreign.organization)).toMatchObject({ api_requests: 0 })
  })

  it("count for the organization of an agent's key", async () => {
    await limitTo({ api_requests: 2 })
    const path = `/v1/${world.own.organization}/agents/${world.own.agent}/key`
    const { body } = await world.sendJson('admin', 'PUT', path, { regenerate: true })
    const { private_key } = (body as { created: { private_key: string } }).created
    const headers = { authorization: `Bearer ${private_key}`, 'content-type': 'application/json' }
    const init = { headers, body: JSON.stringify({ prompt: 'Which lamp is bright?' }) }
    expect((await world.send('guest', 'POST', '/v1/chat/simple', init)).status).toBe(200)
    expectUsedUp(
      await world.send('guest', 'POST', '/v1/chat/simple', init),
      'Your plan allows 2 API requests a month; wait for the next month or ask the operator for a larger plan.',
    )
  })
})
