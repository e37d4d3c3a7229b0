import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/browser/chromium'
import { createCollection, type OpenBrowser, openBrowser, signUp } from '../support/browser/newcomer'
import { type Provider, startProvider } from '../support/providers/provider'
import { lampSite, type Site } from '../support/sites/site'
import { type BuiltServer, startBuiltServer } from '../support/web/server'

describe.skipIf(chromium === null)('a person who has just started the server', () => {
  let server: BuiltServer
  let site: Site
  let provider: Provider
  let browser: OpenBrowser
  let page: Page

  beforeAll(async () => {
    provider = await startProvider({ keys: ['key-of-the-journey'] })
    site = await lampSite()
    server = await startBuiltServer({ OPENAI_BASE_URL: provider.baseUrl })
    browser = await openBrowser()
    page = browser.page
  })
  afterAll(async () => {
    await browser?.close()
    expect(await server?.stop()).toBe(0)
    await site?.close()
    await provider?.close()
  })

  it('makes the first account by the set-up link', async () => {
    await signUp(page, server)
  })

  it("tries the product's own manual without a key", async () => {
    await page.getByRole('button', { name: "Try it with this product's own manual" }).click()
    await page.waitForURL('**/demo-search')
    await expect.poll(searchFinds, { timeout: 60_000, interval: 1_000 }).toBeGreaterThan(0)

    async function searchFinds(): Promise<number> {
      await page.goto(`${new URL(page.url()).origin}${new URL(page.url()).pathname}?q=How+do+I+add+a+website%3F`)
      return page.locator('main a[href*="/help/"]').count()
    }
  })

  it('adds a site and sees its pages come in', async () => {
    await createCollection(page, server, 'Lamp manuals')
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Add source' }).first().click()
    await page.locator('#add-source-url').fill(`${site.origin}/`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Storm 40 outdoor lantern').first().waitFor()
    await page.getByText('Idle').first().waitFor()
  })

  // texts Agent: `Link a Collection`
  it('puts a key into the agent and reads an answer with its sources', async () => {
    await page.goto(`${server.origin}/dashboard/agents?dialog=create`)
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Name', { exact: true }).fill('Workshop helper')
    // The server has a base URL, which counts as a key.
    await page.getByLabel('Use defaults').uncheck()
    await page.getByRole('button', { name: 'Add agent' }).click()
    await page.waitForURL(/dashboard\/agent\//)
    const agent = new URL(page.url()).pathname
    await page.getByRole('link', { name: 'Link a Collection' }).first().click()
    await page.getByLabel('Collection', { exact: true }).selectOption({ label: 'Lamp manuals' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Needs Provider API Key').first().waitFor()

    await page.goto(`${server.origin}${agent}/ai`)
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Provider', { exact: true }).selectOption('openai')
    await page.getByLabel('Model', { exact: true }).fill('gpt-4.1-mini')
    await page.getByText(`Endpoint: ${provider.baseUrl}`).waitFor()
    const key = page.getByLabel(/API key/).first()
    const test = page.getByRole('button', { name: 'Test connection' })
    await key.fill('a-mistyped-key')
    await test.click()
    await page.getByText('OpenAI rejected the API key. Save a valid key in Agent Settings.').waitFor()
    await key.fill('key-of-the-journey')
    await test.click()
    await page.getByText('Connected. gpt-4.1-mini replied.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.getByText('Operational').count()).toBeGreaterThan(0)

    await page.goto(`${server.origin}${agent}`)
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Message', { exact: true }).fill('How do I change the battery of my Storm 40?')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
    await page.getByRole('button', { name: 'Source 1' }).first().click()
    await expect.poll(() => page.locator(`a[href^="${site.origin}/help/battery"]`).count()).toBeGreaterThan(0)
    expect(provider.requests.at(-1)?.key).toBe('key-of-the-journey')
    expect(provider.requests.map(({ body }) => body.max_tokens)).toEqual([1, 1, 4_096])
  })

  it('logs out, and is let in nowhere then', async () => {
    await page.goto(`${server.origin}/dashboard`)
    await page.waitForLoadState('networkidle')
    await page
      .getByRole('button', { name: 'Log Out' })
      .or(page.getByRole('link', { name: 'Log Out' }))
      .click()
    await page
      .getByRole('link', { name: 'Log In' })
      .or(page.getByRole('button', { name: 'Log In' }))
      .waitFor()
    await page.goto(`${server.origin}/dashboard`)
    expect(new URL(page.url()).pathname).toBe('/')
    expect(browser.problems).toEqual([])
  })
})
