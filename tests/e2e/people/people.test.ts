import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../db/open'
import { members, organizations } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import { chromium } from '../../support/browser/chromium'
import { axeFindings, type OpenBrowser, openBrowser, signIn } from '../../support/browser/newcomer'
import { rights } from '../../support/people/rights'
import { type Provider, startProvider } from '../../support/providers/provider'
import { lampSite, type Site } from '../../support/sites/site'
import { type BuiltServer, runCommand, startServerWithAccount } from '../../support/web/server'

const question = 'How do I change the battery of my Storm 40?'

describe.skipIf(chromium === null)('two people with two organizations, in two browsers', () => {
  let site: Site
  let provider: Provider
  let server: BuiltServer
  let ada: OpenBrowser
  let grace: OpenBrowser
  let operator: Page
  let person: Page
  let token = ''
  /** Addresses of the collection and the agent of Harbour Lamps. */
  let collection = ''
  let agent = ''
  let organizationId = ''

  beforeAll(async () => {
    site = await lampSite({ '/slow': { delayMs: 'never' } })
    provider = await startProvider()
    server = await startServerWithAccount({ OPENAI_BASE_URL: provider.baseUrl })
    // Refusals, which the browser also writes to its console.
    const isRefusal = (text: string) => /status of (400|403|404|422|429)/.test(text)
    ada = await openBrowser(isRefusal)
    grace = await openBrowser(isRefusal)
    operator = ada.page
    person = grace.page
    await signIn(operator, server)
  }, 180_000)
  afterAll(async () => {
    await ada?.close()
    await grace?.close()
    expect(await server?.stop()).toBe(0)
    await site?.close()
    await provider?.close()
  })

  const accessible = async (page: Page) => expect(await axeFindings(page)).toEqual([])

  async function open(page: Page, address: string) {
    await page.goto(new URL(address, server.origin).href)
    await page.waitForLoadState('networkidle')
  }

  /** Calls /v1 with the access token. */
  function call(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return fetch(`${server.origin}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  }

  async function read(method: string, path: string, body?: object) {
    const response = await call(method, path, body)
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    return JSON.parse(text)
  }

  /** The link of a new invitation of grace@example.com. */
  async function invite(role: string): Promise<string> {
    await open(operator, '/dashboard/members?dialog=invite')
    const dialog = operator.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('grace@example.com')
    await dialog.getByLabel('Role').selectOption(role)
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    return operator.getByLabel('Link for grace@example.com').inputValue()
  }

  const memberRow = () =>
    operator.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: 'grace@' })

  async function changeRole(role: string) {
    await open(operator, '/dashboard/members')
    await memberRow().getByRole('link', { name: 'Change role of grace@example.com' }).click()
    await operator.getByRole('dialog').getByLabel('Role').selectOption(role)
    await operator.getByRole('button', { name: 'Save' }).click()
    await operator.getByRole('dialog').waitFor({ state: 'detached' })
  }

  /** The menu of the organization, in the sidebar or on top of the onboarding. */
  const openMenu = (page: Page, organization: string) =>
    page.locator('summary:visible', { hasText: organization }).click()

  /** What the pages let the person do. An action is a link, or the same button disabled. */
  async function shownRights(page: Page): Promise<object> {
    const isLink = async (name: string) => {
      const action = page.getByRole('link', { name }).first()
      const disabled = page.getByRole('button', { name, disabled: true }).first()
      await action.or(disabled).waitFor()
      return action.isVisible()
    }
    await open(page, '/dashboard/collections')
    const mayAddCollection = await isLink('Add new')
    await openMenu(page, 'Harbour Lamps')
    const members = await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' }).count()
    await open(page, collection)
    const mayAddSource = await isLink('Add source')
    await open(page, '/dashboard/agents')
    const mayAddAgent = await isLink('Add agent')
    const mayEditAgent = await isLink('Edit Workshop helper')
    await open(page, `${agent}/ai`)
    const prompt = page.getByLabel('System prompt')
    await prompt.or(page.getByText('Not available', { exact: true })).waitFor()
    const settings = await prompt.isVisible()
    for (const [tab, explanation] of [
      ['api', 'Only administrators of your organization can see and change the keys of an agent.'],
      ['widget', 'Only administrators of your organization can put an agent on a website.'],
    ] as const) {
      await open(page, `${agent}/${tab}`)
      await page.getByText(settings ? 'No keychain created.' : 'Not available', { exact: true }).waitFor()
      expect(await page.getByText(explanation).count()).toBe(settings ? 0 : 1)
    }
    return {
      collection: mayAddCollection,
      source: mayAddSource,
      agent: mayAddAgent,
      editAgent: mayEditAgent,
      settings,
      members: members > 0,
    }
  }

  /** Without an invitation, because an organization that waits for its onboarding cannot invite anybody. */
  async function addViewer(organization: string, email: string) {
    const database = await openDatabase(join(server.dataDir, 'sitelore.db'))
    const [place] = await database.read.select().from(organizations).where(eq(organizations.name, organization))
    const [user] = await database.read.select().from(users).where(eq(users.email, email))
    if (!place || !user) expect.fail(`${organization} or ${email} is missing`)
    await database.write((tx) =>
      tx.insert(members).values({ organizationId: place.id, userId: user.id, role: 'viewer' }),
    )
    await database.close()
  }

  async function ask(text: string) {
    await person.getByLabel('Message', { exact: true }).fill(text)
    await person.keyboard.press('Enter')
  }

  it('sets the organization up with a token of the account page', async () => {
    await open(operator, '/dashboard/account')
    await operator.getByRole('link', { name: 'New token' }).click()
    const dialog = operator.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Set-up')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    token = await dialog.getByLabel('Access token', { exact: true }).inputValue()
    await accessible(operator)

    const { user } = await read('GET', '/auth/me')
    organizationId = user.org_connections[0].organization_id
    const created = await read('POST', `/${organizationId}/collections`, { name: 'Lamp manuals' })
    const collectionId = created.collection.id
    await read('POST', `/${organizationId}/sources/${collectionId}`, {
      type: 'url',
      name: 'Battery',
      url: `${site.origin}/help/battery`,
    })
    const helper = { name: 'Workshop helper', collectionId }
    const { agent: row } = await read('POST', `/${organizationId}/agents`, helper)
    await read('PUT', `/${organizationId}/agents/${row.id}`, {
      provider: 'openai',
      model: 'gpt-4.1-mini',
      provider_key: 'key-of-the-journey',
    })
    collection = `/dashboard/collection/${collectionId}`
    agent = `/dashboard/agent/${row.id}`
    await open(operator, collection)
    await operator.getByText('Idle').first().waitFor()
  })

  // contract 1.4: Roles admin (Administrator), member (Member) and viewer (Viewer)
  // contract 2b.4: A non-admin on /admin/* goes to /dashboard
  // contract 2i.4: API Settings are for administrators
  // contract 2d.3, 6.1: Only platform admins see the Admin Panel link and reach /admin/*
  it('invites a viewer by link, who reads and changes nothing', async () => {
    await person.goto(await invite('viewer'))
    await person.getByText(/invited you as a viewer\./).waitFor()
    await person.getByRole('button', { name: 'Join Harbour Lamps' }).click()
    await person.locator('#password').fill('correct horse battery staple')
    await person.getByRole('button', { name: 'Create account' }).click()
    await person.waitForURL('**/dashboard')
    expect(await shownRights(person)).toEqual(rights.viewer)
    expect(await person.getByRole('link', { name: 'Admin Panel' }).count()).toBe(0)
    await person.goto(`${server.origin}/admin`)
    expect(new URL(person.url()).pathname).toBe('/dashboard')
  })

  // contract 2i.5: Widget Integration is for administrators
  // contract 6.6: API Settings and Widget Integration: 'Not available' for others
  // texts Agent: `Not available`
  it('makes the viewer a member, whose pages and previews end once the role is lowered', async () => {
    await changeRole('member')
    expect(await shownRights(person)).toEqual(rights.member)

    // The page never arrives, so that nothing but the lowered role ends the preview.
    await open(person, `${collection}?dialog=add-source`)
    await person.locator('#add-source-url').fill(`${site.origin}/slow`)
    await person.getByRole('button', { name: 'Preview' }).click()
    await person.getByText('Fetching pages').waitFor()
    const otherPage = await grace.context.newPage()
    await open(otherPage, '/dashboard/collections?dialog=create')

    await changeRole('viewer')
    await person.getByText('The preview was interrupted. Try again.').waitFor()
    await accessible(person)
    await otherPage.getByLabel('Name', { exact: true }).fill('Too late')
    await otherPage.getByRole('button', { name: 'Add collection' }).click()
    await otherPage.getByText('You need the Member role for this.').first().waitFor()
    await accessible(otherPage)
    await otherPage.close()
    expect(await shownRights(person)).toEqual(rights.viewer)
  })

  it('stops the answer that a removed person reads', async () => {
    await open(person, agent)
    provider.next({ kind: 'stall', words: 3 })
    await ask(question)
    await person.getByRole('article', { name: 'Answer' }).locator('.prose').waitFor()
    await memberRow().getByRole('link', { name: 'Remove grace@example.com' }).click()
    await operator.getByRole('button', { name: 'Remove member' }).click()
    await person.getByText('The answer was stopped. The part written so far is kept.').first().waitFor()
    await person.goto(`${server.origin}/dashboard`)
    await person.waitForURL('**/onboarding/organization')
    await accessible(person)
  })

  it('switches between two organizations, also while one waits for its onboarding', async () => {
    await person.getByLabel('Name', { exact: true }).fill('Dill')
    await person.getByRole('button', { name: 'Continue' }).click()
    await person.waitForURL('**/onboarding')
    await person.goto(await invite('admin'))
    await person.getByRole('button', { name: 'Join Harbour Lamps' }).click()
    await person.waitForURL('**/dashboard')
    await person.waitForLoadState('networkidle')
    await openMenu(person, 'Harbour Lamps')
    await person.getByRole('button', { name: 'Dill' }).click()
    await person.waitForURL('**/onboarding')
    await person.getByText('Tell us about your team').waitFor()
    await accessible(person)
    await openMenu(person, 'Dill')
    await person.getByRole('button', { name: 'Harbour Lamps' }).click()
    await person.waitForURL('**/dashboard')
    expect(await shownRights(person)).toEqual(rights.admin)
  })

  // contract 2b.6: A user still onboarding is forced to /onboarding, and can switch away
  it('names those who must answer to a viewer of the waiting organization, who switches away', async () => {
    await addViewer('Dill', 'ada@example.com')
    await open(operator, '/dashboard')
    await openMenu(operator, 'Harbour Lamps')
    await operator.getByRole('button', { name: 'Dill' }).click()
    await operator.waitForURL('**/onboarding')
    await operator.getByRole('heading', { name: 'Waiting for an administrator' }).waitFor()
    await operator.getByRole('list', { name: 'Administrators' }).getByText('grace@example.com').waitFor()
    await operator.waitForLoadState('networkidle')
    await accessible(operator)
    await openMenu(operator, 'Dill')
    await operator.getByRole('button', { name: 'Harbour Lamps' }).click()
    await operator.waitForURL('**/dashboard')
  })

  it('creates a third one in the dialog, and deletes it after its name is entered', async () => {
    await open(person, '/dashboard')
    await openMenu(person, 'Harbour Lamps')
    await person.getByRole('link', { name: 'New organization' }).click()
    await person.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Night Shift')
    await person.getByRole('button', { name: 'Create organization' }).click()
    await person.waitForURL('**/onboarding')
    await person.waitForLoadState('networkidle')
    await openMenu(person, 'Night Shift')
    await person.getByRole('link', { name: 'Delete organization' }).click()
    const dialog = person.getByRole('dialog', { name: 'Delete Night Shift?' })
    await dialog.getByLabel('Name of the organization').fill('Night Shift')
    await accessible(person)
    await dialog.getByRole('button', { name: 'Delete organization' }).click()
    await dialog.waitFor({ state: 'detached' })
    await open(person, '/dashboard')
    await openMenu(person, person.url().endsWith('/onboarding') ? 'Dill' : 'Harbour Lamps')
    await expect.poll(() => person.getByRole('button', { name: 'Night Shift' }).count()).toBe(0)
    await person.getByRole('button', { name: 'Harbour Lamps' }).click()
    await person.waitForURL('**/dashboard')
  })

  describe('with each meter at its limit', () => {
    const says = (text: string | RegExp) => person.getByText(text).first().waitFor()
    /** In the form, not also as a notification. */
    async function saysOnce(text: string | RegExp) {
      await says(text)
      expect(await person.getByText(text).count()).toBe(1)
    }

    async function submit(path: string, name: string, button: string) {
      await open(person, path)
      await person.getByLabel('Name', { exact: true }).fill(name)
      await person.getByRole('button', { name: button }).click()
    }

    async function addPage(path: string) {
      await open(person, `${collection}?dialog=add-source`)
      await person.locator('#add-source-url').fill(site.origin + path)
      await person.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    }

    it('gets a tiny plan', async () => {
      const tiny = { collections: 1, sources: 2, urls: 1, storage: 1, agents: 1, threads: 1 }
      const monthly = { crawls: 1, searches: 1, messages: 2, 'api-requests': 10 }
      const limits = Object.entries({ ...tiny, ...monthly }).flatMap(([name, limit]) => [`--${name}`, String(limit)])
      await runCommand(server, 'plans', 'set', 'tiny', '--display-name', 'Tiny', ...limits)
      await runCommand(server, 'plans', 'assign', 'tiny', '--organization', 'Harbour Lamps')
      await open(person, '/dashboard')
      await person.getByText('1 of 1', { exact: true }).first().waitFor()
      await accessible(person)
    })

    it('reads which collections, agents and files there is no room for', async () => {
      await submit('/dashboard/collections?dialog=create', 'More', 'Add collection')
      await saysOnce('Your plan allows 1 collection; delete one or ask the operator for a larger plan.')
      await accessible(person)
      await submit('/dashboard/agents?dialog=create', 'More', 'Add agent')
      await saysOnce('Your plan allows 1 agent; delete one or ask the operator for a larger plan.')
      await open(person, `${collection}?dialog=add-source`)
      await person.getByRole('dialog').getByLabel('File', { exact: false }).first().check()
      const large = { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(1_200_000, 'lamp ') }
      await person.locator('#add-source-file').setInputFiles(large)
      await person.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
      await saysOnce(/Your plan allows 1 MB of files; delete a file or ask the operator for a larger plan\./)
      await accessible(person)
    })

    it('reads which addresses, crawls and sources there is no room for', async () => {
      await addPage('/help/faq')
      await says('URL Limit')
      await says('The limit of addresses is reached.')
      await accessible(person)
      await person.getByRole('button', { name: 'Refresh Battery' }).click()
      await says('You can no longer crawl any more urls.')
      await addPage('/help/cleaning')
      await saysOnce('Your plan allows 2 sources; delete one or ask the operator for a larger plan.')
    })

    it('reads that searches, threads and messages are used up', async () => {
      await open(person, `${collection}?q=battery`)
      await person.getByRole('region', { name: 'Search' }).getByRole('article').first().waitFor()
      await open(person, `${collection}?q=lantern`)
      await says('Your plan allows 1 search a month; wait for the next month or ask the operator for a larger plan.')
      await accessible(person)
      await open(person, agent)
      await ask(question)
      await says('Your plan allows 1 thread; delete one or ask the operator for a larger plan.')
      await open(person, agent)
      await person.getByText('Your threads', { exact: true }).click()
      await person.getByRole('link', { name: question }).click()
      await says('Stopped before the end of the answer.')
      await ask('Where do I bring it when it is empty?')
      await expect.poll(() => person.getByRole('link', { name: 'Inspect' }).count()).toBe(2)
      await ask(question)
      await says('You can no longer send any more messages.')
      await accessible(person)
    })

    it('shows the operator the command for a larger plan', async () => {
      await open(operator, '/dashboard')
      await operator.getByText(`sitelore plans assign <plan> --organization ${organizationId}`).waitFor()
      await accessible(operator)
    })
  })

  it('refuses the requests over the limit, and each once the token is revoked', async () => {
    const responses: Response[] = []
    while (responses.at(-1)?.status !== 429 && responses.length < 11) {
      responses.push(await call('GET', `/${organizationId}/collections`))
    }
    expect(await responses.at(-1)?.json()).toMatchObject({
      message: expect.stringMatching(/^Your plan allows 10 API requests a month; wait for the next month or /),
    })
    await open(operator, '/dashboard/account')
    await operator.getByRole('link', { name: 'Revoke Set-up' }).click()
    await operator.getByRole('button', { name: 'Revoke token' }).click()
    await operator.getByText('Access token revoked').waitFor()
    await accessible(operator)
    expect((await call('GET', '/auth/me')).status).toBe(401)
    expect([...ada.problems, ...grace.problems]).toEqual([])
  })
})
