import { afterAll, beforeAll, expect, it } from 'vitest'
import { sources } from '../../../db/schema/collections'
import { system } from '../../../server/actor'
import { startSession } from '../../support/people/credentials'
import { createPerson } from '../../support/people/people'
import { startWebSite, type WebSite } from '../../support/web/web-site'

// The filters of a collection offer 100 of its sources, and beyond those what is chosen and what is searched for.

const answers = { sector: 'retail', position: 'sales', size: 'Solo (1)', source: 'search' } as const
let web: WebSite
let path = ''
let ids: string[] = []
let cookie = ''

beforeAll(async () => {
  web = await startWebSite({
    'dashboard/collection/:collectionId': await import('../../../app/routes/dashboard+/collection+/$collectionId'),
  })
  const { services } = web.app
  const { id: organizationId } = await services.organizations.create(system, { name: 'Lamps', entity_name: '' })
  await services.organizations.onboard(system, organizationId, { ...answers, goals: ['just_trying'] })
  const { id: collectionId } = await services.collections.create(system, organizationId, {
    name: 'Shops',
    description: '',
  })
  path = `/dashboard/collection/${collectionId}`
  const rows = Array.from({ length: 103 }, (_, number) => ({
    organizationId,
    collectionId,
    type: 'domain' as const,
    name: `Shop ${number}`,
    status: 'idle' as const,
    url: `https://shop-${number}.example/`,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, number)),
  }))
  ids = await web.app.db.write(async (tx) => {
    const stored = await tx.insert(sources).values(rows).returning({ id: sources.id })
    return stored.map(({ id }) => id)
  })
  const ada = await createPerson(web.app, { [organizationId]: 'admin' })
  cookie = await startSession(web.app, ada, organizationId)
})
afterAll(() => web?.close())

/** The names of the sources in the data of the page. */
async function namesAt(query: string): Promise<string[]> {
  const response = await fetch(`${web.origin}${path}.data?${query}`, { headers: { cookie } })
  expect(response.status).toBe(200)
  return (await response.text()).match(/Shop \d+/g) ?? []
}

it('offers the latest sources', async () => {
  const names = await namesAt('')
  expect(names).toContain('Shop 102')
  expect(names).not.toContain('Shop 2')
})

it.each(['source', 'in'])('offers the source that %s names', async (parameter) => {
  const names = await namesAt(`${parameter}=${ids[1]}&q=`)
  expect(names).toContain('Shop 1')
  expect(names).not.toContain('Shop 2')
})

it.each([
  ['name', 'find=shop+2'],
  ['URL', 'find=//shop-2.ex'],
])('offers a source that is searched for by its %s, with the chosen one', async (_part, query) => {
  const names = await namesAt(`${query}&source=${ids[1]}`)
  expect(names).toEqual(expect.arrayContaining(['Shop 1', 'Shop 2']))
  expect(names).not.toContain('Shop 50')
})
