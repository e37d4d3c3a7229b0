import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/browser/chromium'
import { type OpenBrowser, openBrowser, signIn } from '../support/browser/newcomer'
import { type Provider, startProvider } from '../support/providers/provider'
import { lampSite, type Site, startSite } from '../support/sites/site'
import { type BuiltServer, startServerWithAccount } from '../support/web/server'

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }

describe.skipIf(chromium === null)('the dashboard of a new organization', () => {
  let server: BuiltServer
  let site: Site
  /** Answers each request with 404. */
  let emptySite: Site
  let provider: Provider
  let browser: OpenBrowser
  let page: Page

  beforeAll(async () => {
    provider = await startProvider()
    site = await lampSite()
    emptySite = await startSite({})
    server = await startServerWithAccount({ OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'any-text' })
    // A form with a mistake is answered with 400.
    browser = await openBrowser((text) => text.includes('status of 400'))
    page = browser.page
    await signIn(page, server)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    expect(await server?.stop()).toBe(0)
    await site?.close()
    await emptySite?.close()
    await provider?.close()
  })

  async function open(path: string): Promise<void> {
    await page.goto(server.origin + path)
    await page.waitForLoadState('networkidle')
  }

  const step = (title: string) => page.locator('ol > li').filter({ has: page.getByRole('heading', { name: title }) })

  it('leads from an address to a cited answer in three steps, each one click', async () => {
    await open('/dashboard')
    expect(await step('Add a source').getAttribute('aria-current')).toBe('step')
    expect(await step('Add a provider key').textContent()).toContain('Done')

    const address = page.getByLabel('Address of your site')
    await address.fill('our lamps')
    await page.getByRole('button', { name: 'Add your site' }).click()
    await page.getByText('Give the domain of the site, as in example.com.').first().waitFor()
    await address.fill(emptySite.origin)
    await page.getByRole('button', { name: 'Add your site' }).click()
    await page.waitForURL('**/dashboard/collection/*')
    await page.getByText('Failed', { exact: true }).first().waitFor()
    await open('/dashboard')
    expect(await step('Add a source').textContent()).toContain('Sitelore could not read')
    expect(await step('Add a source').getAttribute('aria-current')).toBe('step')
    expect(await page.getByRole('button', { name: 'Open the chat' }).count()).toBe(0)

    await address.fill(site.origin)
    await page.getByRole('button', { name: 'Add your site' }).click()
    await page.waitForURL('**/dashboard/collection/*')
    const collections = page.getByRole('link', { name: 'Collections' }).first()
    await expect.poll(() => collections.getAttribute('aria-current')).toBe('page')
    await page.getByText('Storm 40 outdoor lantern').first().waitFor()

    await open('/dashboard')
    expect(await step('Add a source').textContent()).toContain('Done')
    expect(await step('Ask a question').getAttribute('aria-current')).toBe('step')
    await page.getByRole('button', { name: 'Open the chat' }).click()
    await page.waitForURL('**/dashboard/agent/*')
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Message', { exact: true }).fill('How do I change the battery of my Storm 40?')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
  })

  it('leaves a phone the room for the chat', async () => {
    await page.setViewportSize(phone)
    const top = async () => (await page.getByLabel('Your message').first().boundingBox())?.y
    await expect.poll(top).toBeLessThanOrEqual(160)
    const send = await page.getByRole('button', { name: 'Send message' }).boundingBox()
    expect((send?.y ?? 0) + (send?.height ?? 0)).toBeLessThanOrEqual(phone.height)
    await page.locator('summary').filter({ hasText: 'Chat' }).click()
    await page.getByRole('link', { name: 'Agent Settings' }).last().click()
    await page.waitForURL('**/ai')
    await page.setViewportSize(desktop)
  })

  it('hides an error as soon as the field is edited, and asks before the input is lost', async () => {
    const model = page.getByLabel('Model', { exact: true })
    await model.fill('')
    await page.getByRole('button', { name: 'Save settings' }).click()
    const error = page.getByText('Choose a model', { exact: true })
    await error.waitFor()
    await model.fill('g')
    await error.waitFor({ state: 'detached' })
    expect(await model.getAttribute('aria-invalid')).toBeNull()

    const settings = page.url()
    const question = page.getByRole('dialog', { name: 'Leave without saving your changes?' })
    await page.getByRole('link', { name: 'Threads', exact: true }).click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    expect([page.url(), await model.inputValue()]).toEqual([settings, 'g'])
    await page.getByRole('link', { name: 'Threads', exact: true }).click()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL('**/dashboard/threads')
  })

  it('then shows what was asked, what is there and what is used, without overflow', async () => {
    await open('/dashboard')
    for (const name of ['Recent questions', 'Recent collections', 'Needs attention', 'Usage'])
      await page.getByRole('region', { name }).waitFor()
    await page.getByRole('link', { name: /How do I change the battery/ }).waitFor()
    expect(await page.getByRole('heading', { name: 'Add a source' }).count()).toBe(0)
    // The first organization has no limits.
    expect(await page.getByRole('region', { name: 'Usage' }).getByText('Unlimited').count()).toBe(10)
    for (const size of [desktop, phone, { width: 360, height: 800 }]) {
      await page.setViewportSize(size)
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      await expect.poll(overflow, { message: `${size.width} px` }).toBeLessThanOrEqual(0)
    }
  })

  it('has its navigation in a sheet on a phone, which closes after a choice', async () => {
    await page.setViewportSize(phone)
    await page.getByRole('button', { name: 'Navigation', exact: true }).click()
    const sheet = page.getByRole('navigation', { name: 'Main' })
    await sheet.getByRole('link', { name: 'Agents' }).click()
    await page.waitForURL('**/dashboard/agents')
    await sheet.getByRole('link', { name: 'Agents' }).waitFor({ state: 'hidden' })
    await page.setViewportSize(desktop)
  })

  it('met no error on the way', () => {
    // The router aborts a reload that a navigation interrupts.
    expect(browser.problems.filter((text) => text !== 'signal is aborted without reason')).toEqual([])
  })

  // contract 2d.5: The sidebar's content is hidden while an error applies
  it('hides the content of the sidebar while an error applies', async () => {
    await open('/dashboard/agents?dialog=create')
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Late')
    // As if another organization had been selected since.
    for (const input of await page.locator('input[name="shown_organization_id"]').all())
      await input.evaluate((element) => element.setAttribute('value', 'another'))
    await page.getByRole('dialog').getByRole('button', { name: 'Add agent' }).click()
    await page.getByText('Nothing was changed').waitFor()
    await page.getByRole('button', { name: 'Log Out' }).waitFor()
    expect(await links.count()).toBe(0)
    await page.goto(`${server.origin}/dashboard/agents`)
    await expect.poll(() => links.count()).toBeGreaterThan(3)
  })
})
