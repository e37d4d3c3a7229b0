import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SQLite } from '../../db/sqlite-driver'
import { chromium } from '../support/browser/chromium'
import { createLampAgent } from '../support/browser/lamp-agent'
import { createCollection, type OpenBrowser, openBrowser, signIn } from '../support/browser/newcomer'
import { type Provider, startProvider } from '../support/providers/provider'
import { linkedPages } from '../support/sites/linked-pages'
import { lampSite, type Site, startSite } from '../support/sites/site'
import { type BuiltServer, startServerWithAccount } from '../support/web/server'

describe.skipIf(chromium === null)('the lists of the dashboard', () => {
  let server: BuiltServer
  let site: Site
  let slowSite: Site
  let provider: Provider
  let browser: OpenBrowser
  let page: Page
  let agent = ''

  beforeAll(async () => {
    provider = await startProvider()
    site = await lampSite()
    slowSite = await startSite(linkedPages(200, () => {}, 300))
    server = await startServerWithAccount({ OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'any-text' })
    browser = await openBrowser()
    page = browser.page
    await signIn(page, server)
    agent = (await createLampAgent(page, server, site)).agent
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    expect(await server?.stop()).toBe(0)
    await Promise.all([site?.close(), slowSite?.close(), provider?.close()])
  })

  async function open(path: string): Promise<void> {
    await page.goto(new URL(path, server.origin).href)
    await page.waitForLoadState('networkidle')
  }

  /** Submits a form of the open page `times` times. In its fields, `#` stands for the number of the submission. */
  async function send(path: string, times: number, fields: Record<string, string>): Promise<void> {
    const organization = await page.locator('input[name=shown_organization_id]').first().inputValue()
    const form = { ...fields, shown_organization_id: organization }
    const statuses = await page.evaluate(
      async ({ path, times, form }) => {
        const statuses = new Set<number>()
        for (let number = 0; number < times; number++) {
          const numbered = Object.entries(form).map(([name, value]) => [name, value.replace('#', String(number))])
          const body = new URLSearchParams(numbered)
          statuses.add((await fetch(path, { method: 'POST', body, redirect: 'manual' })).status)
        }
        return [...statuses]
      },
      { path, times, form },
    )
    // A redirect that is not followed.
    expect(statuses).toEqual([0])
  }

  const rows = (table: string): Locator => page.getByRole('table', { name: table }).locator('tbody tr')
  const current = () => page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]').allTextContents()

  it('are marked in the sidebar, also on the pages of what they list', async () => {
    await open(agent)
    expect(await current()).toEqual(['Agents'])
    await open('/dashboard/collections')
    expect(await current()).toEqual(['Collections'])
    await rows('Collections').getByRole('link', { name: 'Lamp manuals', exact: true }).click()
    await page.waitForURL('**/dashboard/collection/*')
    await expect.poll(current).toEqual(['Collections'])
  })

  it('find any collection for a new agent, and keep what was entered', async () => {
    await open('/dashboard/collections?dialog=create')
    await send('/dashboard/collections', 101, { intent: 'create-collection', name: 'Shelf #', description: '' })
    await open('/dashboard/agents?dialog=create')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Librarian')
    const choices = dialog.getByLabel('Collection', { exact: false }).and(dialog.locator('select'))
    expect(await choices.locator('option').count()).toBe(101)
    await dialog.getByRole('searchbox', { name: 'Search collections' }).fill('shelf 0')
    await expect.poll(() => choices.locator('option').allTextContents()).toEqual(['Link one later', 'Shelf 0'])
    await choices.selectOption({ label: 'Shelf 0' })
    await dialog.getByRole('searchbox').fill('nothing of the kind')
    await dialog.getByText('No collection has this name.').waitFor()
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Librarian')
    await dialog.getByRole('button', { name: 'Add agent' }).click()
    await page.getByText('Answers from Shelf 0').first().waitFor()
  })

  it('find any collection to link, and keep the choice meanwhile', async () => {
    await open(`${agent}?dialog=link`)
    const dialog = page.getByRole('dialog')
    const choices = dialog.getByLabel('Collection', { exact: true })
    const chosen = () => choices.locator('option:checked').allTextContents()
    const search = dialog.getByRole('searchbox', { name: 'Search collections' })
    expect(await chosen()).toEqual(['Lamp manuals'])
    await search.fill('shelf 0')
    const found = ['No collection (unlink)', 'Lamp manuals', 'Shelf 0']
    await expect.poll(() => choices.locator('option').allTextContents()).toEqual(found)
    expect(await chosen()).toEqual(['Lamp manuals'])
    await choices.selectOption({ label: 'Shelf 0' })
    await search.fill('nothing of the kind')
    await dialog.getByText('No collection has this name.').waitFor()
    expect(await chosen()).toEqual(['Shelf 0'])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Answers from Shelf 0').first().waitFor()

    await open(`${agent}?dialog=link`)
    await search.fill('lamp manuals')
    await choices.locator('option', { hasText: 'Lamp manuals' }).waitFor({ state: 'attached' })
    await choices.selectOption({ label: 'Lamp manuals' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Answers from Lamp manuals').first().waitFor()
  })

  it('sort agents by status', async () => {
    await open('/dashboard/agents')
    const statuses = () => rows('Agents').locator('td:nth-child(2)').allTextContents()
    await page.getByRole('columnheader', { name: 'Status' }).getByRole('link').click()
    await page.waitForURL(/sort=status/)
    expect(await statuses()).toEqual(['No Sources', 'Operational'])
    await page.getByRole('columnheader', { name: 'Status' }).getByRole('link').click()
    await expect.poll(statuses).toEqual(['Operational', 'No Sources'])
  })

  it('show how far a crawl is, on the dashboard and in the list of collections', async () => {
    await createCollection(page, server, 'Slow site')
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Add source' }).first().click()
    await page.locator('#add-source-url').fill(`${slowSite.origin}/`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    await page.getByText(/read \d+ of \d+/i).waitFor()
    await open('/dashboard/collections')
    const row = rows('Collections').filter({ hasText: 'Slow site' })
    await row.getByText('Crawling', { exact: true }).waitFor()
    await row.getByText(/^Read \d+ of \d+$/).waitFor()
    await open('/dashboard')
    const running = page.getByRole('region', { name: 'Running crawls' })
    await running.getByText('Crawling', { exact: true }).waitFor()
    await running.getByText(/read \d+ of \d+/i).waitFor()
  })

  it('show one of list and thread on a phone, with a way back', async () => {
    await open(agent)
    await page.getByLabel('Message', { exact: true }).fill('How do I change the battery of my Storm 40?')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/dashboard/threads')
    const question = page.getByRole('link', { name: /How do I change the battery/ })
    await question.click()
    await page.getByRole('tab', { name: 'Messages' }).waitFor()
    expect(await question.isVisible()).toBe(false)
    await page.getByRole('link', { name: 'All threads' }).click()
    await question.waitFor()
    expect(await page.getByRole('tab', { name: 'Messages' }).count()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('filter threads by verdict, and show what visitors think of the answers', async () => {
    const database = new SQLite(join(server.dataDir, 'sitelore.db'))
    database.prepare("update messages set verdict = 'partly', feedback = 'down' where role = 'agent'").run()
    database.close()
    await open('/dashboard/threads')
    const thread = page.getByRole('link', { name: /How do I change the battery/ })
    await thread.getByText('Partly answered', { exact: true }).waitFor()
    expect(await thread.locator('[title="Not helpful"] svg').isVisible()).toBe(true)
    const verdicts = page.getByRole('combobox', { name: 'Verdict' })
    expect(await verdicts.locator('option').allTextContents()).toEqual([
      'All verdicts',
      'Answered',
      'Partly answered',
      'Not found',
    ])
    await verdicts.selectOption({ label: 'Answered' })
    await page.getByText('No thread matches').waitFor()
    await verdicts.selectOption({ label: 'Partly answered' })
    await thread.waitFor()
    expect(new URL(page.url()).searchParams.get('verdict')).toBe('partly')
  })

  it('find the threads of any agent', async () => {
    await open('/dashboard/agents?dialog=create')
    await send('/dashboard/agents', 101, { intent: 'create-agent', name: 'Robot #', description: '' })
    await open('/dashboard/threads')
    const agents = page.getByRole('combobox', { name: 'Agent' })
    const chosen = () => agents.locator('option:checked').allTextContents()
    const search = page.getByRole('searchbox', { name: 'Search agents' })
    await search.fill('robot 0')
    await expect.poll(() => agents.locator('option').allTextContents()).toEqual(['All agents', 'Robot 0'])
    await agents.selectOption({ label: 'Robot 0' })
    await page.getByText('No thread matches').waitFor()
    expect([await chosen(), await search.inputValue()]).toEqual([['Robot 0'], 'robot 0'])
    await search.fill('')
    await expect.poll(() => agents.locator('option').count()).toBe(102)
    expect(await chosen()).toEqual(['Robot 0'])
  })

  it("find any of the reader's threads with an agent", async () => {
    await open(agent)
    await send(`${new URL(agent).pathname}/chat`, 100, { prompt: 'Is lamp # in stock?' })
    await open(agent)
    await page.getByText('Your threads').click()
    const question = page.getByRole('link', { name: /How do I change the battery/ })
    await page.getByRole('link', { name: 'Is lamp 99 in stock?' }).waitFor()
    expect(await question.count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search in your questions' }).fill('CHANGE the battery')
    await question.click()
    await page.waitForURL(/thread=/)
    await page.getByRole('link', { name: 'Inspect' }).waitFor()
  })

  it('met no error on the way', () => {
    expect(browser.problems).toEqual([])
  })
})
