import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SQLite } from '../../db/sqlite-driver'
import { chromium } from '../support/browser/chromium'
import { createLampAgent } from '../support/browser/lamp-agent'
import { axeFindings, type OpenBrowser, openBrowser, signIn } from '../support/browser/newcomer'
import { type Provider, startProvider } from '../support/providers/provider'
import { lampSite, type Site } from '../support/sites/site'
import { type BuiltServer, startServerWithAccount } from '../support/web/server'

const lists = {
  users: { empty: 'No users found', columns: ['ID', 'Picture', 'E-mail', 'Name', 'Surname', 'Created'] },
  organizations: { empty: 'No organizations found', columns: ['ID', 'Name', 'Plan', 'Onboarding', 'Created'] },
  agents: { empty: 'No agents found', columns: ['ID', 'Status', 'Name', 'Organization', 'Created'] },
  collections: { empty: 'No collections found', columns: ['ID', 'Name', 'Description', 'Organization', 'Created'] },
  sources: {
    empty: 'No sources found',
    columns: ['ID', 'Type', 'Status', 'Name', 'URL / Filename', 'Organization', 'Created'],
  },
  urls: {
    empty: 'No URLs found',
    columns: ['ID', 'Status', 'Address', 'Source', 'Collection', 'Organization', 'Created'],
  },
  threads: {
    empty: 'No threads found',
    columns: ['ID', 'Origin', 'IP Address', 'User Agent', 'Agent', 'Organization', 'Created'],
  },
}
type List = keyof typeof lists
const names = Object.keys(lists) as List[]

describe.skipIf(chromium === null)('the back office', () => {
  let server: BuiltServer
  let site: Site
  let provider: Provider
  let browser: OpenBrowser
  let page: Page
  let collection = ''
  const requests: string[] = []
  /** The page of the first record of each list. */
  const details = {} as Record<List, string>

  beforeAll(async () => {
    provider = await startProvider()
    site = await lampSite()
    server = await startServerWithAccount({ OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'any-text' })
    browser = await openBrowser()
    page = browser.page
    page.on('request', (request) => requests.push(request.url()))
    await signIn(page, server)
    collection = (await createLampAgent(page, server, site)).collection
    await page.getByLabel('Message', { exact: true }).fill('How do I change the battery of my Storm 40?')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    expect(await server?.stop()).toBe(0)
    await site?.close()
    await provider?.close()
  })

  async function open(path: string): Promise<void> {
    await page.goto(new URL(path, server.origin).href)
    await page.waitForLoadState('networkidle')
  }

  async function shows(...texts: string[]): Promise<void> {
    for (const text of texts) await page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor()
  }

  // contract 1.12: A separate back office for operators
  // contract 2m.1: Sidebar: Overview and the seven lists
  // contract 2m.3: User Growth as an area chart with a tooltip
  // contract 9.23: Admin chart height 256
  // texts Shell: `Admin Panel`
  // texts Admin overview: `Captain on deck`, `Welcome back commander`, `At a glance...`, `Overview`, `User Growth`
  // texts Admin overview: ` users - `
  it('opens from the sidebar of a platform administrator and draws the growth of users', async () => {
    await open('/dashboard')
    expect(requests.filter((url) => url.includes('growth-chart'))).toEqual([])
    await page.getByRole('link', { name: 'Admin Panel' }).click()
    await shows('Overview')
    const greetings = ['Captain on deck', 'Welcome back commander', 'At a glance...']
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBeOneOf(greetings)
    await page.getByRole('heading', { level: 2, name: /^User Growth/ }).waitFor()
    const area = page.locator('.recharts-area').first()
    await area.waitFor()
    expect(requests.filter((url) => url.includes('growth-chart'))).toHaveLength(1)
    expect(await page.locator('.recharts-surface').first().getAttribute('height')).toBe('256')
    await page.locator('.recharts-surface').first().hover()
    await page.getByText(/^\d+ users - \d{4}-\d{2}-\d{2}$/).waitFor()
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    expect((await links.allTextContents()).slice(0, 8)).toEqual([
      'Overview',
      'Users',
      'Organizations',
      'Agents',
      'Collections',
      'Sources',
      'URLs',
      'Threads',
    ])
  })

  // contract 2a.18: /admin with its lists
  // contract 2m.4: Lists are paged tables
  // contract 2m.6: Each list but that of users says that nothing is found
  // contract 2m.7: Columns of users: ID, Picture, E-mail, Name, Surname, Created
  // contract 2m.8: Columns of organizations: ID, Name, Plan, Onboarding, Created
  // contract 2m.9: Columns of collections: ID, Name, Description, Organization, Created
  // contract 2m.10: Columns of sources: ID, Type, Status, Name, URL / Filename, Organization, Created
  // contract 2m.11: Columns of URLs: ID, Status, Address, Source, Collection, Organization, Created
  // contract 2m.12: Columns of agents: ID, Status, Name, Organization, Created
  // contract 2m.13: Columns of threads: ID, Origin, IP Address, User Agent, Agent, Organization, Created
  // texts Admin lists: `Surname`, `URL / Filename`, `IP Address`, `User Agent`, `Created`
  // texts Admin lists: `No organizations found`, `No collections found`, `No sources found`, `No URLs found`
  // texts Admin lists: `No agents found`, `No threads found`
  it.each(names)('lists %s with their columns, and says where nothing is found', async (name) => {
    const { columns, empty } = lists[name]
    await open(`/admin/${name}`)
    expect(requests.at(-1)).not.toContain('growth-chart')
    const heads = await page.getByRole('columnheader').allTextContents()
    expect(heads).toEqual([...columns, 'Actions'])
    const created = page.getByRole('columnheader', { name: 'Created' })
    expect(await created.getAttribute('aria-sort')).toBe('descending')
    const inspect = page.getByRole('link', { name: /^Inspect / }).first()
    details[name] = (await inspect.getAttribute('href')) ?? ''
    expect(details[name]).toMatch(new RegExp(`^/admin/${name}/.`))
    // A page beyond the last leads to the last.
    await open(`/admin/${name}?page=900`)
    await page.waitForURL(/page=[1-9]$/)
    expect(await page.getByRole('link', { name: /^Inspect / }).count()).toBeGreaterThan(0)
    if (name === 'users') return
    await open(`/admin/${name}?${name === 'organizations' ? 'created_by' : 'organization_id'}=nobody`)
    await shows(empty)
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.waitForURL(`**/admin/${name}`)
  })

  // contract 2m.4: Tables have sortable columns
  // texts Admin lists: `E-mail`
  it('sorts a list by its address', async () => {
    await open('/admin/users')
    const head = page.getByRole('columnheader', { name: 'E-mail' })
    await head.getByRole('link').click()
    await page.waitForURL('**/admin/users?sort=email')
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
    await head.getByRole('link').click()
    await page.waitForURL('**/admin/users?sort=-email')
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending')
  })

  // contract 2m.5: Buttons to the address of a source or a URL open a new tab
  it('opens the address of a source and of a URL in a new tab', async () => {
    for (const name of ['sources', 'urls'] as const) {
      await open(`/admin/${name}`)
      const link = page.getByRole('link', { name: /^Open link/ }).first()
      expect(await link.getAttribute('target')).toBe('_blank')
      expect(await link.getAttribute('rel')).toContain('noopener')
      expect(await link.getAttribute('href')).toContain(site.origin)
    }
  })

  it('opens the details of a row beside its list where the window is wide, and in its place elsewhere', async () => {
    await open('/admin/users?sort=email')
    const list = page.getByRole('table', { name: 'Users' })
    await list.getByRole('link', { name: 'Inspect ada@example.com' }).click()
    await page.waitForURL(/\/admin\/users\/[^/]+\?sort=email$/)
    await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor()
    expect(await list.isVisible()).toBe(false)
    await page.setViewportSize({ width: 1600, height: 900 })
    await expect.poll(() => list.isVisible()).toBe(true)
    expect(await list.locator('tr:has([aria-current])').count()).toBe(1)
    expect(await axeFindings(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  // contract 2m.15: User: organizations, details, links to what the user created
  // texts Admin lists: `Plan`, `Onboarding`
  // texts Admin details: `Plan Details`, `Unlimited`, `Created by user`
  it('goes from a person to their organization and its log', async () => {
    await open(details.users)
    await shows('ada@example.com', 'Staff')
    const created = page.getByRole('navigation', { name: 'Of this user' }).getByRole('link')
    expect(await created.allTextContents()).toEqual(['Collections', 'Sources', 'Agents', 'Threads'])
    expect(await created.first().getAttribute('href')).toMatch(/^\/admin\/collections\?created_by=./)
    await page.getByRole('table', { name: 'Organizations' }).getByRole('link', { name: 'Harbour Lamps' }).click()
    await page.getByRole('heading', { level: 1, name: 'Harbour Lamps' }).waitFor()
    for (const name of ['Members', 'Usage', 'Onboarding', 'Plan Details', 'Created by user'])
      await page.getByRole('heading', { level: 2, name }).waitFor()
    await shows('Total limits', 'Monthly limits', 'Unlimited')
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  })

  it('shows the numbers that the organization sees', async () => {
    const meters = ['Collections', 'Sources', 'URLs', 'Agents', 'Threads', 'Crawls', 'Searches', 'Messages']
    await open('/dashboard')
    const tiles = page.getByRole('region', { name: 'Usage' }).getByRole('listitem')
    const seen: Record<string, string> = {}
    for (const tile of await tiles.all()) {
      // The label of a meter with a hint is a button.
      const [label = '', used = ''] = await tile.locator('p, button').allTextContents()
      seen[label] = used
    }
    const listed = await rowsOf(`${collection}#sources`, 'Sources')
    await open(details.organizations)
    const usage = page.getByRole('table', { name: 'Usage' })
    const heads = await usage.locator('thead th').allTextContents()
    const values = await usage.locator('tbody tr').first().locator('th, td').allTextContents()
    const told = Object.fromEntries(heads.map((head, index) => [head.trim(), values[index]]))
    for (const meter of meters) expect(told[meter], meter).toBe(seen[meter])
    expect(Number(told.URLs)).toBeGreaterThan(10)
    expect(told.Messages).toBe('1')
    expect(told['Storage (bytes)']).toBe('0')
    expect(seen['File Storage']).toBe('0 MB')
    const inspected = await rowsOf('/admin/sources', 'Sources')
    expect(inspected).toHaveLength(listed.length)
    for (const status of await statuses('/admin/sources')) expect(listed.join()).toContain(status)
  })

  async function rowsOf(path: string, table: string): Promise<string[]> {
    await open(path)
    return page.getByRole('table', { name: table }).locator('tbody tr').allTextContents()
  }

  async function statuses(path: string): Promise<string[]> {
    await open(path)
    return page.locator('tbody tr td:nth-child(3)').allTextContents()
  }

  // contract 2m.20: Agent: behaviour, API safety or 'No keychain created.', provider, fragment retrieval
  // texts Admin details: `API safety`, `Allowed private API IP addresses`, `Allowed public API origins`
  // texts Admin details: `Not set`, `No keychain created.`
  it('shows the settings of an agent', async () => {
    await open(details.agents)
    await shows('Workshop helper', 'No keychain created.', 'Not set', 'Conversation history', 'Output token limit')
    await shows('Max input length', 'Has API key', 'Similarity threshold', 'Fragment limit')
    await open(`/dashboard/agent/${details.agents.split('/').at(-1)}/api`)
    await page.getByRole('button', { name: 'Create keys' }).click()
    await page.getByLabel('Allowed origins').fill('https://shop.example')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('API settings saved successfully').waitFor()
    await open(details.agents)
    await shows('API safety', 'Allowed private API IP addresses', 'Any')
    await shows('Allowed public API origins', 'https://shop.example')
  })

  // contract 2m.21: Thread: messages and details
  // texts Admin lists: `Inspect`
  it('inspects an answer, and leaves that in the log of the organization', async () => {
    await open(details.threads)
    await page.getByRole('heading', { level: 2, name: /^Messages/ }).waitFor()
    await shows('Details', 'OpenAI', 'Provider thread ID', 'Not shared')
    await page.getByRole('link', { name: 'Inspect' }).click()
    await page.getByRole('dialog', { name: 'Message inspection' }).waitFor()
    await shows('Source Fragments')
    await open('/dashboard/audit')
    expect(await page.getByText('Viewed content as the operator').count()).toBeGreaterThan(1)
  })

  // contract 2m.15: 'User has no organizations.'
  // contract 2m.17: 'Not onboarded yet.'
  // texts Admin lists: `Not onboarded`
  // texts Admin details: `User has no organizations.`, `Not onboarded yet.`
  it('says what is missing', async () => {
    const database = new SQLite(join(server.dataDir, 'sitelore.db'))
    const now = Date.now() + 60_000
    database
      .prepare('insert into users (id, email, email_normalized, issuer, subject, created_at) values (?, ?, ?, ?, ?, ?)')
      .run('alone', 'alone@example.com', 'alone@example.com', 'test', 'alone', now)
    database
      .prepare('insert into organizations (id, name, entity_name, plan, created_at) values (?, ?, ?, ?, ?)')
      .run('new', 'Just begun', '', 'free', now)
    database.close()
    await open('/admin/users/alone')
    await shows('User has no organizations.')
    await open('/admin/organizations')
    await shows('Not onboarded')
    await open('/admin/organizations/new')
    await shows('Not onboarded yet.', 'No members.')
    details.organizations = '/admin/organizations/new'
  })

  it('shows how the installation is', async () => {
    await open('/admin')
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
    for (const name of ['Process', 'Storage', 'Search', 'Jobs', 'Failing sources', 'Provider errors'])
      await page.getByRole('heading', { level: 2, name }).waitFor()
    await page.getByRole('heading', { level: 2, name: 'What may leave this machine' }).waitFor()
  })

  // contract 2a.18: /admin with its details
  // contract 2m.14: Each record has a page
  it('has a page for each record', async () => {
    for (const path of Object.values(details)) {
      await open(path)
      await page.getByRole('heading', { level: 2, name: 'Details', exact: true }).waitFor()
    }
  })

  // contract 2m.13: A deleted agent is shown as Deleted
  // texts Admin lists: `Deleted`
  it('shows what a customer deleted', async () => {
    await open('/dashboard/agents')
    await page.getByRole('link', { name: 'Delete Workshop helper' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete agent' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await open('/admin/threads')
    await shows('Deleted')
  })

  it('leads from a missing record to its list', async () => {
    await open('/admin/agents/nothing')
    expect(new URL(page.url()).pathname).toBe('/admin/agents')
    await open('/admin/collections/nothing')
    expect(new URL(page.url()).pathname).toBe('/admin/users')
    expect(browser.problems).toEqual([])
  })
})
