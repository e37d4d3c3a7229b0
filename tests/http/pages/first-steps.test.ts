import { afterAll, beforeAll, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { type Browser, createBrowser, type Visited } from '../../support/browser/browser'
import { shownFields } from '../../support/browser/shown-organization'
import { pageRoutes } from '../../support/web/page-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const ada = createBrowser()
let web: WebSite

beforeAll(async () => {
  // The layout has an action as well, at the same path.
  web = await startWebSite({ ...(await pageRoutes()), dashboard: await import('../../../app/routes/dashboard+/index') })
  const setUp = await ada.open((await web.app.identity.setupLink()) ?? '')
  await ada.submit(setUp, { email: 'ada@example.test', name: 'Ada', surname: '', password: 'correct horse battery' })
  await post(ada, '/onboarding/organization', { name: 'Lamps' })
  const answers = { goals: 'just_trying', sector: 'retail', position: 'sales', size: 'Solo (1)', source: 'search' }
  await post(ada, '/onboarding?index', answers)
})
afterAll(() => web?.close())

async function post(browser: Browser, path: string, values: Record<string, string>): Promise<Visited> {
  const headers = { origin: web.origin, 'sec-fetch-site': 'same-origin' }
  const body = new URLSearchParams({ ...(await shownFields(web, browser)), ...values })
  return browser.open(web.origin + path, { method: 'POST', headers, body })
}

const pathOf = ({ url }: Visited) => new URL(url).pathname

async function organizationId(): Promise<string> {
  const [first] = (await web.app.services.accounts.list(system)).flatMap(({ org_connections }) => org_connections)
  return first?.organization_id ?? expect.fail('no organization')
}

const overview = async () => web.app.services.overview.get(system, await organizationId())

it('adds a site as a collection of its own', async () => {
  expect(await overview()).toMatchObject({
    collections: [],
    has_answer: false,
    has_key: false,
    question_days: expect.any(Array),
    has_tested_key: false,
    first_agent: null,
  })
  const wrong = await post(ada, '/dashboard?index', { intent: 'add-site', url: 'our lamps' })
  expect([wrong.status, pathOf(wrong)]).toEqual([400, '/dashboard'])

  const added = await post(ada, '/dashboard?index', { intent: 'add-site', url: 'lamps.example' })
  expect(pathOf(added)).toMatch(/^\/dashboard\/collection\//)
  expect(await overview()).toMatchObject({
    collections: [{ name: 'lamps.example', sources: 1 }],
    crawls: [{ name: 'lamps.example', type: 'domain', status: 'processing' }],
  })
})

it('leaves no empty collection behind if the plan has no room for the site', async () => {
  const id = await organizationId()
  await web.app.services.plans.set(system, 'one-source', { sources: 1 })
  await web.app.services.plans.assign(system, id, 'one-source')
  const refused = await post(ada, '/dashboard?index', { intent: 'add-site', url: 'other.example' })
  expect([refused.status, pathOf(refused)]).toEqual([400, '/dashboard'])
  expect((await overview()).collections).toHaveLength(1)
})

it('creates an agent for the collection once, and opens its chat', async () => {
  const chat = pathOf(await post(ada, '/dashboard?index', { intent: 'ask' }))
  expect(chat).toMatch(/^\/dashboard\/agent\//)
  expect(pathOf(await post(ada, '/dashboard?index', { intent: 'ask' }))).toBe(chat)
  const { first_agent: agent } = await overview()
  expect(chat).toBe(`/dashboard/agent/${agent?.id}`)
  expect(await web.app.services.agents.list(system, await organizationId(), { page: 1, limit: 10 })).toMatchObject({
    total: 1,
    docs: [{ name: 'Assistant' }],
  })
})

it('asks an agent of the collection whose chat is opened, and creates it once', async () => {
  const id = await organizationId()
  const { id: parts } = await web.app.services.collections.create(system, id, { name: 'Parts', description: '' })
  const chat = pathOf(await post(ada, '/dashboard?index', { intent: 'ask', collection: parts }))
  expect(pathOf(await post(ada, '/dashboard?index', { intent: 'ask', collection: parts }))).toBe(chat)
  const { docs } = await web.app.services.agents.list(system, id, { page: 1, limit: 10 })
  expect(docs).toHaveLength(2)
  expect(docs).toContainEqual(
    expect.objectContaining({ id: chat.split('/').at(-1), name: 'Parts', collection_id: parts }),
  )
  expect(pathOf(await post(ada, '/dashboard?index', { intent: 'ask', collection: 'unknown' }))).toBe('/dashboard')
})

it('sends the person back to the dashboard without a collection to ask', async () => {
  const id = await organizationId()
  for (const { id: collection } of (await overview()).collections)
    await web.app.services.collections.remove(system, id, collection)
  for (const { id: agentId } of (await web.app.services.agents.list(system, id, { page: 1, limit: 10 })).docs)
    await web.app.services.agents.remove(system, { organizationId: id, agentId })
  expect(pathOf(await post(ada, '/dashboard?index', { intent: 'ask' }))).toBe('/dashboard')
})
