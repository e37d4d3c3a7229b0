import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OrganizationRole } from '../../../contract/values/enumerations'
import { system } from '../../../server/actor'
import { type Browser, createBrowser, type Visited } from '../../support/browser/browser'
import { shownFields } from '../../support/browser/shown-organization'
import { pageRoutes } from '../../support/web/page-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const password = 'correct horse battery'
const answers = {
  goals: 'just_trying',
  sector: 'retail',
  position: 'sales',
  size: 'Solo (1)',
  source: 'search',
}
const ada = createBrowser()
let web: WebSite

beforeAll(async () => {
  web = await startWebSite(await pageRoutes())
  const setUp = await ada.open((await web.app.identity.setupLink()) ?? '')
  await ada.submit(setUp, { email: 'ada@example.test', name: 'Ada', surname: 'Keller', password })
})
afterAll(() => web?.close())

async function post(browser: Browser, path: string, values: Record<string, string>): Promise<Visited> {
  const headers = { origin: web.origin, 'sec-fetch-site': 'same-origin' }
  const body = new URLSearchParams({ ...(await shownFields(web, browser)), ...values })
  return browser.open(web.origin + path, { method: 'POST', headers, body })
}

const open = (browser: Browser, path: string) => browser.open(web.origin + path)
const pathOf = ({ url }: Visited) => new URL(url).pathname
const dataOf = async (browser: Browser, path: string) => (await open(browser, `${path}.data`)).text

async function idOf(name: string): Promise<string> {
  const all = (await web.app.services.accounts.list(system)).flatMap(({ org_connections }) => org_connections)
  return all.find(({ organization }) => organization.name === name)?.organization_id ?? expect.fail(`no ${name}`)
}

async function join(email: string, organization: string, role: OrganizationRole, browser = createBrowser()) {
  const id = await idOf(organization)
  const { link } = await web.app.services.invitations.create(system, id, { email, role })
  const asked = await browser.submit(await browser.open(link ?? ''))
  if (asked.text.includes('name="password"')) await browser.submit(asked, { name: '', surname: '', password })
  return browser
}

it('creates another organization from the switcher, also while one waits for its onboarding, and selects it', async () => {
  expect(pathOf(await post(ada, '/onboarding/organization', { name: 'Lamps' }))).toBe('/onboarding')
  const second = { intent: 'create-organization', name: 'Second' }
  expect(pathOf(await post(ada, '/onboarding?index&dialog=new-organization', second))).toBe('/onboarding')
  expect(await dataOf(ada, '/onboarding')).toContain('Second')
  expect(pathOf(await post(ada, '/dashboard/organization', { organizationId: await idOf('Lamps') }))).toBe(
    '/onboarding',
  )
  expect(pathOf(await post(ada, '/onboarding?index', answers))).toBe('/dashboard')

  const third = { intent: 'create-organization', name: 'Third' }
  const nameless = await post(ada, '/dashboard?dialog=new-organization', { ...third, name: ' ' })
  expect([nameless.status, pathOf(nameless)]).toEqual([400, '/dashboard'])
  expect(pathOf(await post(ada, '/dashboard?dialog=new-organization', third))).toBe('/onboarding')
  expect(pathOf(await post(ada, '/dashboard/organization', { organizationId: await idOf('Lamps') }))).toBe('/dashboard')
})

it.each(['member', 'viewer'] as const)(
  'tells a %s who must answer the questions, and lets them switch away and leave',
  async (role) => {
    const email = `${role}@example.test`
    const grace = await join(email, 'Second', role)
    expect(pathOf(await open(grace, '/dashboard'))).toBe('/onboarding')
    const page = await dataOf(grace, '/onboarding')
    for (const text of ['Second', 'ada@example.test', 'Ada', 'Keller']) expect(page).toContain(text)
    expect((await post(grace, '/onboarding?index', answers)).status).toBe(400)

    const foreign = await post(grace, '/dashboard/organization', { organizationId: await idOf('Lamps') })
    expect(pathOf(foreign)).toBe('/onboarding')
    await join(email, 'Lamps', role, grace)
    expect(pathOf(await post(grace, '/dashboard/organization', { organizationId: await idOf('Second') }))).toBe(
      '/onboarding',
    )
    expect(pathOf(await post(grace, '/dashboard/organization', { organizationId: await idOf('Lamps') }))).toBe(
      '/dashboard',
    )
    await post(grace, '/dashboard/organization', { organizationId: await idOf('Second') })
    expect(pathOf(await post(grace, '/onboarding?index', { intent: 'leave-organization' }))).toBe('/dashboard')
    expect(await dataOf(grace, '/dashboard')).not.toContain('Second')
  },
)

it('sends a guest of the switcher to the landing page', async () => {
  expect(pathOf(await post(createBrowser(), '/dashboard/organization', { organizationId: 'x' }))).toBe('/')
})

it('shows in place of the results why a search is refused', async () => {
  const { services } = web.app
  const [id, eve] = [await idOf('Lamps'), await join('eve@example.test', 'Lamps', 'viewer')]
  const { id: collectionId } = await services.collections.create(system, id, { name: 'Docs', description: '' })
  const agent = await services.agents.create(system, id, { name: 'Guide', description: '', useDefaults: false })
  await services.agents.link(system, { organizationId: id, agentId: agent.id }, { collectionId })
  await services.plans.set(system, 'brief', { searches: 2 })
  await services.plans.assign(system, id, 'brief')
  const pages = [`/dashboard/collection/${collectionId}.data?q=`, `/dashboard/agent/${agent.id}/demo-search.data?q=`]
  const limit = 'Your plan allows 2 searches a month;'
  // An open page searches again whenever it reloads its data, which counts once.
  for (const path of [...pages, ...pages, ...pages]) expect((await open(eve, `${path}lamp`)).text).not.toContain(limit)
  for (const path of pages) {
    const refused = await open(eve, `${path}wick`)
    expect([refused.status, refused.text]).toEqual([
      200,
      expect.stringContaining(`${limit} wait for the next month or ask the operator`),
    ])
    expect(refused.text).not.toContain('sitelore plans')
    expect((await open(ada, `${path}lamp`)).text).toContain('sitelore plans assign')
  }
})

it('deletes an organization after its name is entered, and then opens another one or the first form', async () => {
  const remove = (browser: Browser, name: string) =>
    post(browser, '/dashboard?dialog=delete-organization', { intent: 'delete-organization', name })
  const viewer = await join('joan@example.test', 'Lamps', 'viewer')
  expect((await remove(viewer, 'Lamps')).status).toBe(400)
  const mistyped = await remove(ada, 'lamps')
  expect([mistyped.status, pathOf(mistyped)]).toEqual([400, '/dashboard'])
  expect(pathOf(await remove(ada, 'Lamps'))).toBe('/onboarding')
  expect(pathOf(await open(viewer, '/dashboard'))).toBe('/onboarding/organization')
  // One that waits for its onboarding is deleted there.
  for (const name of ['Second', 'Third']) {
    await post(ada, '/dashboard/organization', { organizationId: await idOf(name) })
    const values = { intent: 'delete-organization', name }
    await post(ada, '/onboarding?index&dialog=delete-organization', values)
  }
  expect(pathOf(await open(ada, '/dashboard'))).toBe('/onboarding/organization')
})
