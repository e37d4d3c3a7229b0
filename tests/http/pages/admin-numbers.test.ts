import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AdminListName } from '../../../contract/admin'
import type { AdminOrganization, AdminSource } from '../../../contract/views/admin'
import type { OrganizationDetails, Usage } from '../../../contract/views/organizations/organization'
import { usage } from '../../../db/schema/usage'
import { system } from '../../../server/actor'
import { type ApiWorld, startApiWorld } from '../../support/api/api-world'
import { createPerson } from '../../support/people/people'

// The back office shows what the organization sees in its own dashboard, record by record.

type Row = { id: string } & Record<string, unknown>
interface Page {
  docs: Row[]
  total: number
}

let world: ApiWorld
let organization: string

beforeAll(async () => {
  world = await startApiWorld()
  organization = world.own.organization
  const { app, own } = world
  // The session of an administrator is no program, so only these count.
  const search = `/v1/${organization}/search?collectionId=${own.collection}&query=lamp`
  for (let times = 0; times < 3; times++) expect((await world.send('viewer', 'GET', search)).status).toBe(200)
  const earlier = {
    organizationId: organization,
    year: 2025,
    month: 12,
    crawls: 7,
    messages: 1_234,
    storage: 9_876_543,
  }
  await app.db.write((tx) => tx.insert(usage).values(earlier))
})
afterAll(() => world?.close())

async function read<Body>(caller: 'platform' | 'admin', path: string): Promise<Body> {
  const { status, body, text } = await world.send(caller, 'GET', path)
  expect(status, text).toBe(200)
  return body as Body
}

async function pageOf(caller: 'platform' | 'admin', path: string, field: string): Promise<Page> {
  const page = (await read<Record<string, Page>>(caller, path))[field]
  if (!page) throw new Error(`The answer has no field ${field}.`)
  return page
}

/** All rows of the organization in a list of the back office. */
async function listed(name: AdminListName): Promise<Page> {
  const where = encodeURIComponent(JSON.stringify({ organization_id: organization }))
  return pageOf('platform', `/v1/admin/${name}?limit=100&where=${where}`, name)
}

/** All rows of a list that the organization sees; of sources and addresses, those of all collections. */
async function seen(name: Exclude<AdminListName, 'users' | 'organizations'>): Promise<Page> {
  const inCollection = name === 'sources' || name === 'urls'
  if (!inCollection) return pageOf('admin', `/v1/${organization}/${name}?limit=100`, name)
  const { docs: collections } = await seen('collections')
  const pages = await Promise.all(
    collections.map(({ id }) => pageOf('admin', `/v1/${organization}/${name}/${id}?limit=100`, name)),
  )
  return { docs: pages.flatMap(({ docs }) => docs), total: pages.reduce((sum, { total }) => sum + total, 0) }
}

/** The fields that both have. The duration of a run that has not ended differs with each request. */
function shared(row: Row, otherRow: Row): Partial<Row> {
  const fields = Object.entries(row).filter(([key]) => key in otherRow && key !== 'abilities')
  return JSON.parse(JSON.stringify(Object.fromEntries(fields), (key, value) => (key === 'duration_ms' ? 0 : value)))
}

const lists = ['collections', 'sources', 'urls', 'agents', 'threads'] as const

describe('what the back office says of an organization', () => {
  it('has the usage, the limits, the members and the answers that it sees', async () => {
    const inside = (await read<{ organization: OrganizationDetails }>('admin', `/v1/organizations/${organization}`))
      .organization
    const { usage: used } = await read<{ usage: Usage }>('admin', `/v1/organizations/${organization}/currentUsage`)
    const detail = (
      await read<{ organization: AdminOrganization }>('platform', `/v1/admin/organizations/${organization}`)
    ).organization
    const [current, earlier, ...rest] = detail.usage_records
    const now = new Date()
    expect(current).toEqual({ ...used, embedding_tokens: 0, year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 })
    expect(earlier).toMatchObject({ year: 2025, month: 12, crawls: 7, messages: 1_234, storage: 9_876_543 })
    expect([earlier, ...rest]).toEqual(inside.usage_records?.slice(1))
    expect(used).toMatchObject({ collections: 2, agents: 2, threads: 2, searches: 3 })
    for (const meter of ['sources', 'urls', 'crawls', 'messages', 'api_requests', 'storage'] as const)
      expect(used[meter], meter).toBeGreaterThan(0)
    for (const field of ['plan', 'user_connections', 'created_by_user', 'onboarding', 'created_at'] as const)
      expect(detail[field], field).toEqual(inside[field])
  })

  it('has no usage records of a new organization', async () => {
    const input = { name: 'New', entity_name: '' }
    const { id } = await world.app.services.organizations.create(system, input)
    const detail = await read<{ organization: AdminOrganization }>('platform', `/v1/admin/organizations/${id}`)
    expect(detail.organization.usage_records).toEqual([])
  })

  // contract 2m.16: Organization: members
  it('counts all members, also those that it does not list', async () => {
    const { app } = world
    const path = `/v1/organizations/${organization}/members`
    const totalSeen = async () => (await read<{ members: Page }>('admin', path)).members.total
    const detail = async () =>
      (await read<{ organization: AdminOrganization }>('platform', `/v1/admin/organizations/${organization}`))
        .organization
    expect((await detail()).members).toBe(await totalSeen())
    for (let count = 0; count < 101; count++) await createPerson(app, { [organization]: 'viewer' })
    const { members, user_connections: connections } = await detail()
    expect(members).toBe(await totalSeen())
    expect(members).toBeGreaterThan(100)
    expect(connections).toHaveLength(100)
  })

  it.each(lists)('lists as many %s, with the same status and times', async (name) => {
    const [outside, inside] = [await listed(name), await seen(name)]
    expect(outside.total).toBe(inside.total)
    expect(outside.total).toBeGreaterThan(0)
    const own = new Map(inside.docs.map((row) => [row.id, row]))
    for (const row of outside.docs) {
      const ownRow = own.get(row.id)
      if (!ownRow) throw new Error(`The organization does not see ${row.id}.`)
      expect(shared(row, ownRow)).toEqual(shared(ownRow, row))
      for (const field of ['status', 'created_at']) expect(field in row).toBe(field in ownRow)
    }
  })

  it('has totals of lists that are its meters', async () => {
    const { usage: used } = await read<{ usage: Usage }>('admin', `/v1/organizations/${organization}/currentUsage`)
    for (const name of ['collections', 'sources', 'agents', 'threads'] as const)
      expect((await listed(name)).total, name).toBe(used[name])
    let bytes = 0
    for (const { id } of (await listed('sources')).docs)
      bytes += (await read<{ source: AdminSource }>('platform', `/v1/admin/sources/${id}`)).source.file?.bytes ?? 0
    expect(bytes).toBe(used.storage)
  })

  const paths: Record<(typeof lists)[number], (row: Row) => [path: string, field: string]> = {
    collections: ({ id }) => [`collections/${id}`, 'collection'],
    sources: ({ id, collection_id: collection }) => [`sources/${collection}/${id}`, 'source'],
    urls: ({ id, collection_id: collection }) => [`urls/${collection}/${id}/fragments`, 'address'],
    agents: ({ id }) => [`agents/${id}?includeCollection=true`, 'agent'],
    threads: ({ id }) => [`threads/${id}?messages=true`, 'thread'],
  }

  // contract 2m.19: Collection, source, URL, agent and thread: what they belong to
  // contract 7d.7: Admin records
  it.each(lists)('has the details of each of its %s', async (name) => {
    for (const row of (await listed(name)).docs) {
      const [path, field] = paths[name](row)
      const inside = (await read<Record<string, Row>>('admin', `/v1/${organization}/${path}`))[field]
      const outside = (await read<Record<string, Row>>('platform', `/v1/admin/${name}/${row.id}`))[name.slice(0, -1)]
      if (!inside || !outside) throw new Error(`There is no ${field} in an answer.`)
      expect(shared(outside, inside)).toEqual(shared(inside, outside))
      const hidden = ['abilities', 'provider_key', 'suggestions']
      expect(Object.keys(inside).filter((key) => !(key in outside) && !hidden.includes(key))).toEqual([])
    }
  })
})
