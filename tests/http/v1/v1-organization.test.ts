import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrganizationDetails } from '../../../contract/views/organizations/organization'
import { organizations } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import { type ApiWorld, type Caller, startApiWorld } from '../../support/api/api-world'

let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())

async function details(caller: Caller): Promise<OrganizationDetails> {
  const { status, body, text } = await world.send(caller, 'GET', `/v1/organizations/${world.own.organization}`)
  expect(status, text).toBe(200)
  return (body as { organization: OrganizationDetails }).organization
}

describe('GET /v1/organizations/{id}', () => {
  // contract 3a.8: Organization: created_by_user, user_connections, usage records
  it('has the creator, the people and the usage by month for administrators', async () => {
    const { db, services } = world.app
    const { user_id: id } = (await details('admin')).user_connections?.find(({ role }) => role === 'admin') ?? {}
    const [ada] = await db.read
      .select()
      .from(users)
      .where(eq(users.id, id ?? ''))
    const organization = eq(organizations.id, world.own.organization)
    await db.write((tx) =>
      tx
        .update(organizations)
        .set({ createdBy: id ?? null })
        .where(organization),
    )
    await services.usageRecords.record(new Date('2026-03-31T23:00:00Z'))

    const shown = await details('admin')
    expect(shown.created_by_user).toEqual({ id, email: ada?.email, auth0_id: ada?.subject })
    expect(shown.user_connections?.map(({ role }) => role).sort()).toEqual([
      'admin',
      'member',
      'viewer',
      'viewer',
      'viewer',
    ])
    expect(shown.user_connections).toContainEqual({
      user_id: id,
      user: { email: ada?.email },
      role: 'admin',
      created_at: expect.any(String),
    })
    expect(shown.usage_records).toHaveLength(2)
    const [current, earlier] = shown.usage_records ?? []
    expect(current).toMatchObject({ collections: 2, agents: 2, threads: 2, messages: 2 })
    expect(earlier).toMatchObject({ year: 2026, month: 3, collections: 2, agents: 2, threads: 2, messages: 0 })
    expect(earlier?.storage).toBeGreaterThan(0)
  })

  it.each(['member', 'viewer'] as const)('has none of it for a %s', async (caller) => {
    const shown = await details(caller)
    expect(shown.name).toBe('Fennel')
    for (const field of ['created_by_user', 'user_connections', 'usage_records'])
      expect(shown).not.toHaveProperty(field)
  })
})

// contract 3a.11: Collection: organization{name}
// contract 3a.14: Url: source{name}, collection{name}, organization{name}
// contract 3a.19: Thread: organization{name}
it('collections, addresses and threads name what they belong to', async () => {
  const { organization, collection, thread, address } = world.own
  const named = { organization: { name: 'Fennel' } }
  const docs = async (path: string) => (await world.send('viewer', 'GET', `/v1/${organization}/${path}`)).body
  expect(await docs('collections')).toMatchObject({ collections: { docs: [named, named] } })
  expect(await docs(`collections/${collection}`)).toMatchObject({ collection: named })
  const parents = { ...named, collection: { name: 'Of the test' }, source: { name: expect.stringMatching(/./) } }
  expect(await docs(`urls/${collection}`)).toMatchObject({ urls: { docs: [parents] } })
  expect(await docs(`urls/${collection}/${address}/fragments`)).toMatchObject({ address: parents })
  expect(await docs('threads')).toMatchObject({
    threads: { docs: [named, { ...named, agent: { name: 'Of the test' } }] },
  })
  expect(await docs(`threads/${thread}?messages=true`)).toMatchObject({ thread: named })
  const shared = await world.send('guest', 'GET', `/v1/public/threads/published/${thread}`)
  expect((shared.body as { thread: object }).thread).not.toHaveProperty('organization')
})
