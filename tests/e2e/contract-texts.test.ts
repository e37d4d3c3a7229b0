import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/chromium'
import { createLampAgent } from '../support/lamp-agent'
import { type OpenBrowser, openBrowser, signUp } from '../support/newcomer'
import { type Provider, startProvider } from '../support/provider'
import { type BuiltServer, startBuiltServer } from '../support/server'
import { lampSite, type Site } from '../support/site'

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
    server = await startBuiltServer({ OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'any-text' })
    browser = await openBrowser((text) => text.includes('status of 400'))
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

  /** On the page, or in the name of a control. */
  async function shows(...texts: string[]): Promise<void> {
    for (const text of texts) await expect.poll(() => page.content(), { message: text }).toContain(text)
  }

  it('on the landing page', async () => {
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

  it('around the pages, and on those of a collection and an agent', async () => {
    await signUp(page, server)
    await shows('Get Help', 'Log Out', 'Dashboard', 'Collections', 'Agents', 'Threads', 'Admin Panel')
    const made = await createLampAgent(page, server, site)
    collection = made.collection
    agent = made.agent
    await shows('Collection Link', 'Agent Settings', 'API Settings', 'Chat Widget', 'Smart Search')
    await shows('Integrations', 'Widget', 'Previews', 'Agent Chat', 'Your threads', 'New thread', 'Send message')
    await shows("No messages yet! Don't be shy, chat with your data :)")
    await open(`${agent}?dialog=link`)
    await shows('No collection (unlink)')
    await open(collection)
    await shows('Sources', 'Addresses')
    await open(`${collection}?dialog=add-source`)
    await page.getByRole('dialog').getByLabel('Sitemap', { exact: false }).first().check()
    await shows('Only XML sitemaps are supported')
  })

  it('on the lists', async () => {
    await open('/dashboard/collections')
    await shows('Add new', 'No description', 'View', 'Edit', 'Delete')
    await open('/dashboard/agents')
    await shows('Add agent')
    await open('/dashboard/agents?dialog=create')
    await shows('Use defaults')
  })

  it('in the form of the organization, and in the header of someone who is logged in', async () => {
    await open('/dashboard?dialog=organization')
    await shows('Edit organization', 'Legal entity name', 'Default provider', 'Default model')
    await shows('Default provider API key')
    await open('/')
    const header = page.getByRole('banner')
    await header.getByRole('link', { name: 'Dashboard', exact: true }).waitFor()
    await header.getByRole('button', { name: 'Log Out', exact: true }).waitFor()
  })

  it('in a chat', async () => {
    await open(agent)
    await page.getByLabel('Message', { exact: true }).fill('How do I change the battery of my Storm 40?')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
    await shows('Clear conversation', 'Save as JSON', 'Share')
    await page.getByRole('link', { name: 'Inspect' }).click()
    await shows('Message inspection', 'Model', 'Source Fragments', 'Score')
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
})
