import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/browser/chromium'
import { createLampAgent } from '../support/browser/lamp-agent'
import { type OpenBrowser, openBrowser, openRowMenu, signIn } from '../support/browser/newcomer'
import { type Provider, startProvider } from '../support/providers/provider'
import { lampSite, type Site } from '../support/sites/site'
import { type BuiltServer, runCommand, startServerWithAccount } from '../support/web/server'

// The contract's texts in the states that show them; docs/texts.md lists them.

describe.skipIf(chromium === null)("the contract's texts", () => {
  let server: BuiltServer
  let site: Site
  let provider: Provider
  let browser: OpenBrowser
  let page: Page
  let collection = ''
  let agent = ''

  beforeAll(async () => {
    provider = await startProvider()
    site = await lampSite()
    server = await startServerWithAccount({ OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'any-text' })
    browser = await openBrowser((text) => /status of (4\d\d|500)/.test(text))
    page = browser.page
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    expect(await server?.stop()).toBe(0)
    await site?.close()
    await provider?.close()
  })

  async function open(address: string): Promise<void> {
    await page.goto(new URL(address, server.origin).href)
    await page.waitForLoadState('networkidle')
  }

  /**
   * What a person can see, line by line, and the names of controls. In lower case, because innerText has the capitals of
   * the style sheet.
   */
  function shownLines(): Promise<string[]> {
    return page.evaluate(() => {
      const attributes = ['aria-label', 'placeholder', 'title', 'alt']
      const named = [...document.body.querySelectorAll(attributes.map((name) => `[${name}]`).join())]
        .filter((element) => element.checkVisibility())
        .flatMap((element) => attributes.map((name) => element.getAttribute(name) ?? ''))
      return [...document.body.innerText.split('\n'), ...named].map((line) => line.trim().toLowerCase())
    })
  }

  /** Each text is a line or a name of its own: "View" is not found in "Preview". */
  async function shows(...texts: string[]): Promise<void> {
    for (const text of texts) await expect.poll(shownLines, { message: text }).toContain(text.toLowerCase())
  }

  /** Each text is part of what is shown. */
  async function mentions(...texts: string[]): Promise<void> {
    for (const text of texts)
      await expect.poll(async () => (await shownLines()).join('\n'), { message: text }).toContain(text.toLowerCase())
  }

  // texts Landing page: `Log In`, `Create an account`, `Vector database from your website with just a few clicks`
  // texts Landing page: `Automatic Vectorization`, `Indexing + API`, `Semantic Search Included`, `Terms of Service`
  it('are shown on the landing page', async () => {
    await open('/')
    await shows('Log In', 'Create an account', 'Vector database from your website with just a few clicks')
    await shows(
      'Sign-up is by invitation',
      'Automatic Vectorization',
      'Indexing + API',
      'Semantic Search Included',
      'Terms of Service',
    )
  })

  // texts Landing page: `Failed to log in, access denied!`, `You need to verify your email before logging in.`
  // texts Landing page: `Account not verified!`, `You need to verify your email address before logging in.`
  // texts Identity and session: `Invalid state`, `Login failed`
  it('are shown on the landing page after a failed sign-in', async () => {
    const failed = (error: string, description = '') =>
      open(`/?${new URLSearchParams({ error, error_description: description })}`)
    await failed('access_denied', 'The account is blocked.')
    await shows('Failed to log in, access denied!')
    await failed('access_denied', 'You need to verify your email before logging in.')
    await shows('Account not verified!', 'You need to verify your email address before logging in.')
    await failed('state_mismatch')
    await shows('Invalid state')
    await failed('server_error')
    await shows('Login failed')
  })

  // texts Shell: `Get Help`, `Log Out`, `Dashboard`, `Collections`, `Agents`, `Threads`, `Admin Panel`
  // texts Collection: `Sources`, `Addresses`
  // texts Agent: `Collection Link`, `Agent Settings`, `API Settings`, `Integrations`, `Widget`, `Previews`
  // texts Agent: `Chat Widget`, `Smart Search`, `No collection (unlink)`
  // texts Chat: `Agent Chat`, `Your threads`, `New thread`, `Send message`
  // texts Chat: `No messages yet! Don't be shy, chat with your data :)`
  // texts Sources: `Invalid url provided, you need to input a full address.`, `Only XML sitemaps are supported`
  it('around the pages, and on those of a collection and an agent', async () => {
    await signIn(page, server)
    await shows('Get Help', 'Log Out', 'Dashboard', 'Collections', 'Agents', 'Threads', 'Admin Panel')
    const created = await createLampAgent(page, server, site)
    collection = created.collection
    agent = created.agent
    await shows('Collection Link', 'Agent Settings', 'API Settings', 'Chat Widget', 'Smart Search')
    await shows('Integrations', 'Widget', 'Previews', 'Agent Chat', 'Your threads', 'New thread', 'Send message')
    await shows("No messages yet! Don't be shy, chat with your data :)")
    await open(`${agent}?dialog=link`)
    await shows('No collection (unlink)')
    await open(collection)
    await shows('Sources', 'Addresses')
    await open(`${collection}?dialog=add-source`)
    await page.getByRole('dialog').getByLabel('Sitemap', { exact: false }).first().check()
    await mentions('Only XML sitemaps are supported')
    await page.getByRole('dialog').getByRole('radio', { name: 'URL' }).check()
    await page.locator('#add-source-url').fill('lamps')
    await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    await shows('Invalid url provided, you need to input a full address.')
  })

  // texts Lists: `No description`, `View`, `Edit`, `Delete`, `Add new`, `Add agent`, `Use defaults`
  it('are shown on the lists', async () => {
    await open('/dashboard/collections')
    await shows('Add new', 'No description', 'View', 'Edit', 'Delete')
    await open('/dashboard/agents')
    await shows('Add agent')
    await open('/dashboard/agents?dialog=create')
    await shows('Use defaults')
  })

  // texts Landing page: `Dashboard`
  // texts Organization: `Edit organization`, `Legal entity name`, `Default provider`, `Default model`
  // texts Organization: `Default provider API key`
  it('are shown in the form of the organization, and in the header of someone who is logged in', async () => {
    await open('/dashboard?dialog=organization')
    await shows('Edit organization')
    // The labels go on: these fields are optional.
    await mentions('Legal entity name', 'Default provider', 'Default model', 'Default provider API key')
    await open('/')
    const header = page.getByRole('banner')
    await header.getByRole('link', { name: 'Dashboard', exact: true }).waitFor()
    await header.getByRole('button', { name: 'Log Out', exact: true }).waitFor()
  })

  // contract 2i.10: Copy link if shared, or Share
  // texts Chat: `Clear conversation`, `Save as JSON`, `Copy link`, `Share`, `Message inspection`, `Model`
  // texts Chat: `Source Fragments`, `Score`
  // texts Threads: `All agents`, `Messages`, `Details`, `Agent id`, `AI provider`, `Provider thread id`, `Shared`
  // texts Threads: `Origin`, `IP address`, `User agent`, `External user identifier`, `External user e-mail`
  // texts Threads: `External session identifier`, `Delete thread`, `Error`, `Select a thread to view messages`
  // texts Success: `Failed to save to clipboard`
  it('are shown in a chat', async () => {
    await open(agent)
    await ask()
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
    await shows('Clear conversation', 'Save as JSON', 'Share')
    await page.getByRole('link', { name: 'Inspect' }).click()
    await shows('Message inspection', 'Model', 'Source Fragments')
    const inspection = page.getByRole('dialog', { name: 'Message inspection' })
    await inspection
      .getByText(/^Score 0\.\d{4}$/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await shows('Copy link')
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Refused by the test.'))
    })
    await page.getByRole('button', { name: 'Copy link' }).click()
    await shows('Failed to save to clipboard')
    await open('/dashboard/threads')
    await shows('All agents', 'Select a thread to view messages')
    await page.getByRole('link', { name: 'How do I change the battery of my Storm 40?' }).click()
    await shows('Messages', 'Details', 'Delete thread')
    await page.getByRole('tab', { name: 'Details' }).click()
    await shows('Agent id', 'AI provider', 'Provider thread id', 'Shared', 'Origin', 'IP address', 'User agent')
    await shows('External user identifier', 'External user e-mail', 'External session identifier')
    await open('/dashboard/threads/none')
    await page.getByText('Error', { exact: true }).waitFor()
  })

  // texts Collections and sources: `Crawl limit reached`, `You can no longer crawl any more urls.`
  it('are shown for a crawl that the plan does not allow', async () => {
    await runCommand(server, 'plans', 'set', 'crawled', '--crawls', '1')
    await runCommand(server, 'plans', 'assign', 'crawled')
    await open(collection)
    await page
      .getByRole('button', { name: /^Refresh / })
      .first()
      .click()
    await shows('Crawl limit reached')
    await mentions('You can no longer crawl any more urls.')
    await runCommand(server, 'plans', 'assign', 'unlimited')
  })

  // texts Mutations: `Your system prompt was flagged by Moderation API`
  // texts Mutations: `We do not allow potentially harmful content, please change your prompt!`
  it('are shown for a prompt that is not allowed', async () => {
    await open(`${agent}/ai`)
    await page.getByLabel('System prompt').fill('Say something harmful.')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await shows('Your system prompt was flagged by Moderation API')
    await shows('We do not allow potentially harmful content, please change your prompt!')
  })

  // texts Forms: `Invalid prompt, did you type your message?`
  // texts Answers that fail: `No data fragments found on Chat API`
  // texts Answers that fail: `Did you add your sources yet? Make sure to add them first!`
  // texts Answers that fail: `Failed to process your request with Chat API`
  // texts Answers that fail: `Please try again later. Contact support if issue persists.`, `Failed to send message`
  it('are shown for a message that is not answered', async () => {
    await open(agent)
    await page.getByRole('button', { name: 'Send message' }).click()
    await shows('Failed to send message', 'Invalid prompt, did you type your message?')

    await page.route('**/chat', (route) => route.fulfill({ status: 500, json: { title: 'Internal error' } }))
    await ask()
    await shows('Failed to process your request with Chat API')
    await shows('Please try again later. Contact support if issue persists.')
    await page.unroute('**/chat')

    // The open chat does not know yet that its collection is empty.
    const otherPage = await browser.context.newPage()
    await otherPage.goto(collection)
    await otherPage.waitForLoadState('networkidle')
    await openRowMenu(otherPage.getByRole('table', { name: 'Sources' }).locator('tbody tr').first())
    await otherPage
      .getByRole('link', { name: /^Delete / })
      .last()
      .click()
    await otherPage.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await otherPage.getByRole('dialog').waitFor({ state: 'detached' })
    await otherPage.close()
    await ask()
    await shows('No data fragments found on Chat API', 'Did you add your sources yet? Make sure to add them first!')
  })

  async function ask(): Promise<void> {
    await page.getByLabel('Message', { exact: true }).fill('How do I change the battery of my Storm 40?')
    await page.keyboard.press('Enter')
  }
})
