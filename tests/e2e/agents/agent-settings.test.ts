import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../../support/browser/chromium'
import { createLampAgent } from '../../support/browser/lamp-agent'
import { type OpenBrowser, openBrowser, signIn } from '../../support/browser/newcomer'
import { type Provider, startProvider } from '../../support/providers/provider'
import { lampSite, type Site } from '../../support/sites/site'
import { type BuiltServer, startServerWithAccount } from '../../support/web/server'

describe.skipIf(chromium === null)('a person who sets up agents', () => {
  let server: BuiltServer
  let site: Site
  let provider: Provider
  let browser: OpenBrowser
  let page: Page
  let agent: string

  beforeAll(async () => {
    provider = await startProvider({ keys: ['good-key'] })
    site = await lampSite()
    server = await startServerWithAccount({ OPENAI_BASE_URL: provider.baseUrl })
    browser = await openBrowser()
    page = browser.page
    await signIn(page, server)
    agent = (await createLampAgent(page, server, site)).agent
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await site?.close()
    await provider?.close()
  })

  // contract 5.13: The hint of the system prompt says 20,000
  it('starts from the default prompt in the settings', async () => {
    await page.goto(`${agent}/ai`)
    await page.waitForLoadState('networkidle')
    await page.getByText('At most 10,000 characters here, and 20,000 over the API.', { exact: false }).waitFor()
    await page.getByText('0 / 10,000', { exact: true }).waitFor()
    await page.locator('summary').filter({ hasText: 'Default system prompt' }).click()
    await page.getByRole('button', { name: 'Start from the default' }).click()
    await expect.poll(() => page.getByLabel('System prompt').inputValue()).toMatch(/^You are an assistant.*\n13\. /s)
  })

  it('tests the connection without a script, and saves with Enter', async () => {
    const context = await browser.context.browser()?.newContext({
      javaScriptEnabled: false,
      storageState: await browser.context.storageState(),
    })
    const plain = await context?.newPage()
    if (!plain) throw new Error('There is no browser.')
    const test = plain.getByRole('button', { name: 'Test connection' })
    const model = plain.getByLabel('Model', { exact: true })
    await plain.goto(`${agent}/ai`)
    await model.fill('gpt-4.1-nano')
    await plain.locator('[name=provider_key]').fill('mistyped-key')
    await test.click()
    await plain.getByText('OpenAI rejected the API key. Save a valid key in Agent Settings.').waitFor()
    await expect.poll(() => model.inputValue()).toBe('gpt-4.1-nano')
    expect(await plain.content()).not.toContain('mistyped-key')
    await plain.locator('[name=provider_key]').fill('good-key')
    await test.click()
    await plain.getByText('Connected. gpt-4.1-nano replied.').waitFor()
    await model.press('Enter')
    await plain.getByText('Agent edited successfully').waitFor()
    await expect.poll(() => model.inputValue()).toBe('gpt-4.1-nano')

    await plain.goto(`${server.origin}/dashboard/agents?dialog=organization`)
    await plain.locator('[name=default_agent_provider]').selectOption('openai')
    await plain.locator('[name=default_agent_provider_key]').fill('mistyped-key')
    await test.click()
    await plain.getByText('OpenAI rejected the API key. Enter a valid one under Edit organization.').waitFor()
    await expect.poll(() => plain.locator('[name=default_agent_provider]').inputValue()).toBe('openai')
    expect(await plain.content()).not.toContain('mistyped-key')
    await context?.close()
  })

  it('takes the key of the organization in a dialog of its own', async () => {
    await page.goto(`${server.origin}/dashboard?dialog=provider-key`)
    await page.waitForLoadState('networkidle')
    const dialog = page.getByRole('dialog', { name: 'Add a provider key' })
    expect(await dialog.getByRole('radio').count()).toBe(4)
    expect(await dialog.getByRole('link', { name: /Delete/ }).count()).toBe(0)
    await dialog.getByText('Anthropic', { exact: true }).click()
    await dialog.getByText('OpenAI', { exact: true }).click()
    await dialog.getByLabel('API key').fill('mistyped-key')
    await dialog.getByLabel('Model').fill('gpt-4.1-nano')
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await dialog.getByRole('status').getByText('OpenAI rejected the API key.').waitFor()
    await dialog.getByLabel('API key').fill('good-key')
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await dialog.getByRole('status').getByText('Connected. gpt-4.1-nano replied.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Organization edited successfully').waitFor()
    await page.goto(`${server.origin}/dashboard?dialog=organization`)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('[name=default_agent_provider]').inputValue()).toBe('openai')
    expect(await page.getByLabel('Default model').inputValue()).toBe('gpt-4.1-nano')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).not.toBe('')
  })

  it('adds an agent that is linked to a collection at once', async () => {
    await page.goto(`${server.origin}/dashboard/agents?dialog=create`)
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Name', { exact: true }).fill('Second helper')
    await page.getByLabel('Collection').selectOption({ label: 'Lamp manuals' })
    await page.getByRole('button', { name: 'Add agent' }).click()
    await page.waitForURL(/dashboard\/agent\//)
    await page.getByText('Answers from Lamp manuals').getByRole('link', { name: 'Lamp manuals' }).click()
    await page.waitForURL(/dashboard\/collection\//)
  })
})
