import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initialPlans } from '../../../contract/organizations/plan'
import type { Plan, Usage } from '../../../contract/views/organizations/organization'
import { problemSchema } from '../../../contract/views/problem'
import { addresses } from '../../../db/schema/addresses'
import { organizations } from '../../../db/schema/organizations'
import { threads } from '../../../db/schema/threads'
import { addUse } from '../../../server/services/usage/quota'
import { type ApiResponse, type ApiWorld, type Caller, startApiWorld } from '../../support/api/api-world'
import { issueToken } from '../../support/people/access-token'
import { createPerson } from '../../support/people/people'

const { free } = initialPlans
let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())

interface Made {
  organization: { id: string; plan: Plan; created_by: string; onboarding: object | null }
}

async function found(caller: Caller, name: string) {
  const response = await world.sendJson(caller, 'POST', '/v1/organizations', { name })
  expect(response.status, response.text).toBe(201)
  return (response.body as Made).organization
}

async function usageOf(caller: Caller, id: string): Promise<Usage> {
  const { body } = await world.send(caller, 'GET', `/v1/organizations/${id}/currentUsage`)
  return (body as { usage: Usage }).usage
}

function expectOver(response: ApiResponse, message: string, title = 'Usage limit reached') {
  expect(response.status, response.text).toBe(429)
  expect(problemSchema.parse(response.body)).toMatchObject({ code: 'quota_exceeded', title, message })
  // The limit is not one of time: asking again does not help.
  expect(response.headers.get('retry-after')).toBeNull()
}

const statuses = (responses: ApiResponse[]) => responses.map(({ status }) => status).sort()

describe('an organization that a person creates', () => {
  it('has its creator as administrator and the free plan, at once', async () => {
    const { id, plan, created_by, onboarding } = await found('viewer', 'Begun by a viewer')
    expect([plan, onboarding]).toEqual([free, null])
    const me = await world.send('viewer', 'GET', '/v1/auth/me')
    expect(me.body).toMatchObject({
      user: {
        id: created_by,
        org_connections: [
          { organization_id: world.own.organization, role: 'viewer' },
          { organization_id: id, role: 'admin', organization: { name: 'Begun by a viewer' } },
        ],
      },
    })
    expect((await world.sendJson('viewer', 'PUT', `/v1/organizations/${id}`, { name: 'Renamed' })).status).toBe(200)
    for (const caller of ['admin', 'platform'] as const) {
      expect((await world.send(caller, 'GET', `/v1/organizations/${id}`)).status).toBe(404)
    }
    expect(await usageOf('viewer', id)).toMatchObject({ collections: 0, sources: 0, urls: 0, agents: 0, messages: 0 })
  })

  it('has no limits when a platform administrator creates it', async () => {
    expect((await found('platform', 'Of the platform')).plan).toEqual(initialPlans.unlimited)
  })

  it('is limited to five per person, also when created concurrently', async () => {
    const person = await createPerson(world.app, { [world.own.organization]: 'admin' })
    const token = await issueToken(world.app, person.email)
    const create = () =>
      fetch(`${world.listening}/v1/organizations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ name: 'One of many' }),
      })
    const created = await Promise.all(Array.from({ length: 8 }, create))
    expect(created.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(3).fill(429)])
    const refused = await create()
    expect(problemSchema.parse(await refused.json())).toMatchObject({
      code: 'quota_exceeded',
      message: 'An account can create 5 organizations; ask the operator of this site for more.',
    })
    // Organizations of others do not count.
    expect((await world.app.services.accounts.currentUser(person)).org_connections).toHaveLength(6)
  })

  it('stores the answers to the questions once', async () => {
    const { id } = await found('member', 'Asked once')
    const answers = {
      goals: ['other: lamps'],
      sector: 'other: lamps',
      position: 'sales',
      size: 'Solo (1)',
      source: 'search',
    }
    const path = `/v1/organizations/${id}/onboard`
    const both = await Promise.all([1, 2].map(() => world.sendJson('member', 'POST', path, answers)))
    expect(statuses(both)).toEqual([200, 409])
    const { body } = await world.send('member', 'GET', `/v1/organizations/${id}`)
    expect(body).toMatchObject({ organization: { onboarding: { ...answers, created_at: expect.any(String) } } })
  })
})

describe('the free plan', () => {
  it('counts collections, agents and sources, also when created concurrently', async () => {
    const { id } = await found('stranger', 'Full')
    const collections = `/v1/${id}/collections`
    const make = (path: string, body: object) => world.sendJson('stranger', 'POST', path, body)
    const burst = (
      path: string,
      count: number,
      body = (position: number): object => ({ name: `Number ${position}` }),
    ) => Promise.all(Array.from({ length: count }, (_, index) => make(path, body(index))))

    const created = await burst(collections, free.collections + 4)
    expect(statuses(created)).toEqual([...Array(free.collections).fill(201), ...Array(4).fill(429)])
    expectOver(
      await make(collections, { name: 'More' }),
      'Your plan allows 5 collections; delete one or ask the operator for a larger plan.',
    )

    expect(statuses(await burst(`/v1/${id}/agents`, free.agents + 2))).toEqual([201, 201, 201, 429, 429])
    expectOver(
      await make(`/v1/${id}/agents`, { name: 'More' }),
      'Your plan allows 3 agents; delete one or ask the operator for a larger plan.',
    )

    const { docs } = (
      (await world.send('stranger', 'GET', collections)).body as { collections: { docs: { id: string }[] } }
    ).collections
    const sources = docs.slice(0, 2).map((collection) => `/v1/${id}/sources/${collection.id}`)
    const page = (position: number) => ({ type: 'url', url: `https://lamps.example/${position}` })
    const added = (await Promise.all(sources.map((path) => burst(path, 7, page)))).flat()
    expect(statuses(added)).toEqual([...Array(free.sources).fill(201), ...Array(4).fill(429)])
    expectOver(
      await make(sources[0] ?? '', page(9)),
      'Your plan allows 10 sources; delete one or ask the operator for a larger plan.',
    )
    expect(await usageOf('stranger', id)).toMatchObject({ collections: 5, agents: 3, sources: 10 })

    // Room is given back.
    expect((await world.send('stranger', 'DELETE', `${collections}/${docs.at(-1)?.id}`)).status).toBe(204)
    expect((await make(collections, { name: 'Again' })).status).toBe(201)
    expect((await make(collections, { name: 'And again' })).status).toBe(429)
    // What is refused for its form is not counted, and what is refused for the limit is not stored.
    expect((await make(collections, { name: '' })).status).toBe(400)
    expect((await usageOf('stranger', id)).collections).toBe(5)
  })

  // contract URLs: Adding a source is not refused because of addresses over the limit
  it('counts the messages of a month, the threads and the addresses', async () => {
    const { organization, agent, collection, source, thread } = world.own
    const { db } = world.app
    const chat = (body: object, accept = 'application/json') =>
      world.send('viewer', 'POST', `/v1/${organization}/agents/${agent}/chat`, {
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({ prompt: 'Which lamp is bright?', ...body }),
      })
    await db.write((tx) => tx.update(organizations).set({ plan: 'free' }).where(eq(organizations.id, organization)))
    expect((await chat({})).status).toBe(200)

    const kept = await usageOf('viewer', organization)
    await db.write((tx) =>
      tx
        .insert(threads)
        .values(
          Array.from({ length: free.threads - kept.threads }, () => ({ organizationId: organization, title: 'Asked' })),
        ),
    )
    for (const accept of ['application/json', 'text/event-stream']) {
      // Viewers may not delete threads.
      expectOver(await chat({}, accept), 'Your plan allows 1000 threads; ask the operator for a larger plan.')
    }
    // A thread that is there goes on.
    expect((await chat({ threadId: thread })).status).toBe(200)

    const room = free.messages - kept.messages - 1
    await db.write((tx) => addUse(tx, organization, 'messages', room - 2))
    const last = await Promise.all([1, 2, 3, 4].map(() => chat({ threadId: thread })))
    expect(statuses(last)).toEqual([200, 200, 429, 429])
    for (const accept of ['application/json', 'text/event-stream']) {
      expectOver(
        await chat({ threadId: thread }, accept),
        'You can no longer send any more messages.',
        'Chat API usage limit reached',
      )
    }

    const listed = { organizationId: organization, collectionId: collection, sourceId: source, status: 'new' as const }
    const urls = Array.from({ length: free.urls - kept.urls }, (_, index) => ({
      ...listed,
      url: `https://lamps.example/${index}`,
    }))
    await db.write((tx) => tx.insert(addresses).values(urls))
    const path = `/v1/${organization}/sources/${collection}`
    // The run of a new source ignores addresses over the limit.
    const added = await world.sendJson('member', 'POST', path, { type: 'url', url: 'https://lamps.example/' })
    expect(added.status, added.text).toBe(201)
    expect(await usageOf('viewer', organization)).toMatchObject({ threads: 1000, messages: 500, urls: 2000 })
    // The limits of one organization are not those of another.
    expect(
      (await world.sendJson('stranger', 'POST', `/v1/${world.foreign.organization}/collections`, { name: 'Room' }))
        .status,
    ).toBe(201)
  })
})
