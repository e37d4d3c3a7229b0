import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminFilters, adminListNames, adminOrders } from '../../../contract/admin'
import type { AdminAgent } from '../../../contract/views/admin'
import { problemSchema } from '../../../contract/views/problem'
import { addresses } from '../../../db/schema/addresses'
import { auditEvents } from '../../../db/schema/audit'
import { sources } from '../../../db/schema/collections'
import { threads } from '../../../db/schema/threads'
import { users } from '../../../db/schema/users'
import { system } from '../../../server/actor'
import { type ApiWorld, startApiWorld } from '../../support/api/api-world'
import { createPerson } from '../../support/people/people'

let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world.close())

type Row = { id: string } & Record<string, unknown>

async function read<Body = Record<string, never>>(
  path: string,
  caller: 'platform' | 'admin' = 'platform',
): Promise<Body> {
  const { status, body, text } = await world.send(caller, 'GET', path)
  expect(status, text).toBe(200)
  return body as Body
}

async function list(name: string, query: Record<string, unknown> = {}) {
  const json = Object.entries(query).map(([key, value]) => [
    key,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  const answer = await read<Record<string, { docs: Row[]; total: number; pages: number }>>(
    `/v1/admin/${name}?${new URLSearchParams(json)}`,
  )
  const page = answer[name]
  if (!page) throw new Error(`The answer has no field ${name}.`)
  return page
}

/** A query that is refused, with what the answer says. */
async function refusal(path: string) {
  const { status, body, text } = await world.send('platform', 'GET', `/v1/admin/${path}`)
  expect(status, text).toBe(400)
  return problemSchema.parse(body)
}

describe('the lists of the back office', () => {
  // contract 9.5: Admin lists begin with page 1, sorted by created_at, descending
  it.each(adminListNames)('%s begin with what was created last', async (name) => {
    const { docs, total, pages } = await list(name, { limit: 100 })
    expect(total).toBe(docs.length)
    expect(pages).toBe(1)
    expect(docs.length).toBeGreaterThan(1)
    const times = docs.map(({ created_at: createdAt }) => String(createdAt))
    expect(times).toEqual([...times].sort().reverse())
  })

  // contract 7d.6: Admin lists: page, limit, order, where; docs, pages, total
  it.each(adminListNames)('%s have pages without a gap, in both directions', async (name) => {
    const all = await list(name, { limit: 100 })
    const ids: string[] = []
    for (let page = 1; ids.length < all.total; page++) {
      const { docs, pages } = await list(name, { page, limit: 5 })
      expect(pages).toBe(Math.ceil(all.total / 5))
      expect(docs.length).toBeGreaterThan(0)
      ids.push(...docs.map(({ id }) => id))
    }
    expect(ids).toEqual(all.docs.map(({ id }) => id))
    const reversed = await list(name, { limit: 100, order: [['created_at', 'ASC']] })
    expect(reversed.docs.map(({ id }) => id)).toEqual([...ids].reverse())
    expect((await list(name, { page: 900, limit: 5 })).docs).toEqual([])
  })

  it.each(adminListNames)('%s are sorted by each of their fields', async (name) => {
    for (const field of adminOrders[name])
      for (const direction of ['asc', 'desc']) {
        const order = [
          [field, direction],
          ['created_at', 'desc'],
        ]
        const { docs } = await list(name, { limit: 100, order })
        const values = docs.map((row) => row[field]).filter((value) => value !== null)
        if (!values.every((value) => typeof value === 'string')) continue
        const sorted = [...values].sort((first, second) => (first < second ? -1 : first > second ? 1 : 0))
        expect(values, `${field} ${direction}`).toEqual(direction === 'asc' ? sorted : sorted.reverse())
      }
  })

  // contract 5.29: Filters of the admin lists
  it.each(adminListNames.filter((name) => adminFilters[name].length > 0))('%s are filtered', async (name) => {
    const person = await createPerson(world.app, { [world.own.organization]: 'admin' })
    const ids = {
      created_by: person.userId,
      organization_id: world.own.organization,
      collection_id: world.own.collection,
      source_id: world.own.source,
      agent_id: world.own.agent,
    }
    const all = await list(name, { limit: 100 })
    for (const filter of adminFilters[name]) {
      const { docs, total } = await list(name, { limit: 100, where: { [filter]: ids[filter] } })
      const matching = all.docs.filter((row) => row[filter] === ids[filter])
      expect(docs.map(({ id }) => id)).toEqual(matching.map(({ id }) => id))
      expect(total).toBe(matching.length)
      if (filter !== 'created_by') expect(total).toBeGreaterThan(0)
      expect(await list(name, { where: { [filter]: 'nobody' } })).toEqual({ docs: [], total: 0, pages: 0 })
    }
  })

  it('finds what a person created', async () => {
    const { services } = world.app
    const person = await createPerson(world.app)
    const { id: organizationId } = await services.organizations.create(person, { name: 'Made', entity_name: '' })
    const actor = { ...person, memberships: [{ organizationId, role: 'admin' as const }] }
    const named = { name: 'Made', description: '' }
    const collection = await services.collections.create(actor, organizationId, named)
    const ref = { organizationId, collectionId: collection.id }
    const source = await services.sources.create(actor, ref, { type: 'url', name: '', url: 'https://made.example/' })
    const agent = await services.agents.create(actor, organizationId, { ...named, useDefaults: true })
    const where = { created_by: person.userId }
    for (const [name, id] of [
      ['organizations', organizationId],
      ['collections', collection.id],
      ['sources', source.id],
      ['agents', agent.id],
    ] as const)
      expect((await list(name, { where })).docs.map((row) => row.id)).toEqual([id])
    expect((await list('threads', { where })).total).toBe(0)
    expect((await list('urls', { where })).total).toBe(0)

    const { db } = world.app
    const [address, thread] = await db.write(async (tx) => {
      const url = { ...ref, sourceId: source.id, url: 'https://made.example/', status: 'idle' as const }
      const asked = { organizationId, agentId: agent.id, title: 'Asked', createdBy: person.userId }
      return [
        ...(await tx.insert(addresses).values(url).returning({ id: addresses.id })),
        ...(await tx.insert(threads).values(asked).returning({ id: threads.id })),
      ]
    })
    const rowsOf = async (name: string) => (await list(name, { where })).docs
    expect((await rowsOf('threads')).map((row) => [row.id, row.created_by])).toEqual([[thread?.id, person.userId]])
    // The creator of an address is that of its source.
    expect((await rowsOf('urls')).map((row) => [row.id, row.source_id])).toEqual([[address?.id, source.id]])
    const { url } = await read<{ url: Row }>(`/v1/admin/urls/${address?.id}`)
    expect(url).toMatchObject({ created_by: person.userId, created_by_user: { id: person.userId } })
  })

  it('leave out what is deleted', async () => {
    const { services } = world.app
    const { organization } = world.own
    const collection = await services.collections.create(system, organization, { name: 'Gone', description: '' })
    const ref = { organizationId: organization, collectionId: collection.id }
    const input = { type: 'url', name: '', url: 'https://gone.example/' } as const
    const source = await services.sources.create(system, ref, input)
    const before = { urls: await list('urls'), sources: await list('sources') }
    await services.sources.remove(system, { ...ref, sourceId: source.id })
    expect((await list('sources')).total).toBe(before.sources.total - 1)
    expect((await list('urls')).docs.some((row) => row.source_id === source.id)).toBe(false)
    const responses = await Promise.all(
      [`sources/${source.id}`, 'urls/nothing', 'users/nothing'].map((path) =>
        world.send('platform', 'GET', `/v1/admin/${path}`),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('refuse what they cannot sort or filter by, and name it', async () => {
    for (const name of adminListNames) {
      const unknown = await refusal(`${name}?where=${encodeURIComponent('{"password":"x"}')}`)
      expect(Object.keys(unknown.errors ?? {})).toEqual(['where.password'])
      expect(unknown.message).toContain('password')
      const field = await refusal(`${name}?order=${encodeURIComponent('[["password","asc"]]')}`)
      expect(field.message).toContain('Sort by')
    }
    for (const where of ['[]', '7', 'null', '{', '"x"', '{"organization_id":7}', '{"organization_id":["x"]}'])
      expect(Object.keys((await refusal(`urls?where=${encodeURIComponent(where)}`)).errors ?? {})[0]).toMatch(/^where/)
    for (const order of ['{}', '["created_at"]', '[["created_at"]]', '[["created_at","up"]]', '[', '[[7,"asc"]]'])
      expect(Object.keys((await refusal(`urls?order=${encodeURIComponent(order)}`)).errors ?? {})[0]).toMatch(/^order/)
    const where = JSON.stringify({ organization_id: world.own.organization, __proto__: 1, collection: 'x' })
    expect(Object.keys((await refusal(`urls?where=${encodeURIComponent(where)}`)).errors ?? {})).toEqual([
      'where.collection',
    ])
  })

  it('take parameters that they do not know', async () => {
    await read('/v1/admin/users?raw=true')
    await read(`/v1/admin/users/${world.own.person}?raw=true&1`)
    await read('/v1/admin/stats/charts/userGrowth?flag')
  })
})

describe('the details of the back office', () => {
  it('say whether there are keys, and show none', async () => {
    const { own } = world
    const { services } = world.app
    const ref = { organizationId: own.organization, agentId: own.agent }
    const path = `/v1/admin/agents/${own.agent}`
    expect((await read<{ agent: AdminAgent }>(path)).agent.has_provider_key).toBe(false)
    const settings = { provider: 'openai', provider_key: 'sk-secret-9876', model: 'gpt-4.1' }
    expect((await world.sendJson('admin', 'PUT', `/v1/${own.organization}/agents/${own.agent}`, settings)).status).toBe(
      200,
    )
    await services.organizations.update(system, own.organization, {
      default_agent_provider: 'openai',
      default_agent_provider_key: 'sk-secret-9876',
    })
    expect((await read<{ agent: AdminAgent }>(path)).agent.has_provider_key).toBe(true)
    const keys = await services.keychains.get(system, ref)
    const everything = [
      ...adminListNames,
      ...[`users/${own.person}`, `organizations/${own.organization}`, `agents/${own.agent}`, `threads/${own.thread}`],
    ].map((name) => world.send('platform', 'GET', `/v1/admin/${name}`))
    const text = (await Promise.all(everything)).map((response) => response.text).join('\n')
    expect(text).toContain('"has_default_agent_provider_key":true')
    for (const secret of ['9876', '••••', keys?.public_key, keys?.private_key, 'key-of-the-test'])
      expect(text).not.toContain(secret)
  })

  // contract 6.9: The admin mode of inspection uses its own route
  // contract 7d.1: GET /admin/messages/{messageId}/fragments
  it('write what is opened of its content into the log of an organization', async () => {
    const { own, app } = world
    const reads = () =>
      app.db.read
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.organizationId, own.organization), eq(auditEvents.action, 'content.read')))
    const before = (await reads()).length
    for (const name of adminListNames) await read(`/v1/admin/${name}`)
    for (const path of [`users/${own.person}`, `organizations/${own.organization}`, `sources/${own.source}`])
      await read(`/v1/admin/${path}`)
    expect((await reads()).length).toBe(before)
    await read(`/v1/admin/threads/${own.thread}`)
    await read(`/v1/admin/messages/${own.message}/fragments`)
    const { agent } = await read<{ agent: Row }>(`/v1/admin/agents/${own.agent}`)
    const { collection } = await read<{ collection: Row }>(`/v1/admin/collections/${own.collection}`)
    const { url } = await read<{ url: Row }>(`/v1/admin/urls/${own.address}`)
    const recorded = (await reads()).slice(before)
    expect(recorded.map(({ subjectId, subjectName }) => [subjectId, subjectName])).toEqual([
      [own.thread, ''],
      [own.message, ''],
      [own.agent, agent.name],
      [own.collection, collection.name],
      [own.address, url.url],
    ])
    expect(recorded.every(({ actorEmail }) => actorEmail?.endsWith('@example.com'))).toBe(true)
    const inside = await read<{ events: { action: string }[] }>(`/v1/${own.organization}/audit`, 'admin')
    expect(inside.events[0]?.action).toBe('content.read')
  })

  it('are refused to a token that is limited', async () => {
    const { services, db } = world.app
    const staff = await createPerson(world.app, {}, { staff: true })
    const limits = { name: 'Limited', organization_id: null, days: 1 }
    const send = async (role: 'viewer' | null) => {
      const { token } = await services.accessTokens.create(system, staff.userId, { ...limits, role })
      const headers = { authorization: `Bearer ${token}` }
      return (await world.send('guest', 'GET', '/v1/admin/users', { headers })).status
    }
    expect(await send('viewer')).toBe(404)
    expect(await send(null)).toBe(200)
    await db.write((tx) => tx.update(users).set({ type: 0 }).where(eq(users.id, staff.userId)))
    expect(await send(null)).toBe(404)
  })
})

describe('the health of the installation', () => {
  it('names the process, the disk, the jobs and what fails, for staff alone', async () => {
    const { services, db } = world.app
    const { own } = world
    await db.write((tx) =>
      tx.update(sources).set({ status: 'fail', message: 'Gone' }).where(eq(sources.id, own.source)),
    )
    const input = { type: 'url', name: '', url: 'https://waiting.example/' } as const
    const ref = { organizationId: own.organization, collectionId: own.collection }
    await services.sources.create(system, ref, input)
    const health = await services.admin.health(await createPerson(world.app, {}, { staff: true }))
    expect(health.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(health.pid).toBe(process.pid)
    expect(health.disk.total).toBeGreaterThan(health.disk.free)
    expect(health.database.bytes).toBeGreaterThan(0)
    expect(health.failing_sources.docs).toContainEqual(expect.objectContaining({ id: own.source, message: 'Gone' }))
    const crawl = health.jobs.find(({ kind }) => kind === 'crawl-source')
    expect(crawl?.queued).toBeGreaterThan(0)
    expect(Date.parse(crawl?.oldest_at ?? '')).toBeLessThanOrEqual(Date.now())
    expect(health.outbound.map(({ why }) => why).join()).toContain('OpenAI')
    expect(JSON.stringify(health)).not.toContain('key-of-the-test')
    expect(await services.admin.jobs(system)).toEqual(health.jobs)
    const stranger = await createPerson(world.app, { [own.organization]: 'admin' })
    await expect(services.admin.health(stranger)).rejects.toMatchObject({ code: 'not_found' })
    await expect(services.admin.jobs(stranger)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the growth of users', () => {
  // contract 3a.29: User growth point: date, count
  // contract 7d.5: userGrowth as {date, count}
  it('counts the people of each day', async () => {
    const { db } = world.app
    const { userId } = await createPerson(world.app)
    const growth = () => read<{ date: string; count: number }[]>('/v1/admin/stats/charts/userGrowth')
    const early = new Date('2021-02-03T23:59:59.999Z')
    await db.write((tx) => tx.update(users).set({ createdAt: early }).where(eq(users.id, userId)))
    const points = await growth()
    expect(points[0]).toEqual({ date: '2021-02-03', count: 1 })
    const total = points.reduce((sum, { count }) => sum + count, 0)
    expect(total).toBe(await db.read.$count(users))
  })
})
