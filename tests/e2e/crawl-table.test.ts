import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/chromium'
import { type Newcomer, startNewcomer } from '../support/newcomer'
import { type Site, type SiteAnswer, startSite } from '../support/site'

const unbreakable = `/_downloads/${'5b3e1c9a7d2f4086'.repeat(6)}/tzinfo_examples.py`
const pageOf = (title: string, links: string[] = []) =>
  `<title>${title}</title><main><h1>${title}</h1><p>All about ${title}.</p>${links.map((path) => `<a href="${path}">${path}</a>`).join(' ')}</main>`

describe.skipIf(chromium === null)('the tables of a collection', () => {
  let site: Site
  let slowSite: Site
  let newcomer: Newcomer
  let page: Page
  let collection = ''

  beforeAll(async () => {
    site = await startSite({ '/': pageOf('Lamps', [unbreakable, '/storm']), '/storm': pageOf('Storm') })
    const paths = Array.from({ length: 40 }, (_, at) => `/page-${at}`)
    const slow = paths.map((path): [string, SiteAnswer] => [path, { body: pageOf(path), delayMs: 1_500 }])
    slowSite = await startSite({ '/': pageOf('Slow', paths), ...Object.fromEntries(slow) })
    newcomer = await startNewcomer('Lamp manuals')
    page = newcomer.page
    collection = newcomer.collection
    await add(site.origin)
    await page.getByText(/^checked \d+, new \d+/).waitFor()
  }, 120_000)
  afterAll(async () => {
    expect(await newcomer?.close()).toBe(0)
    await site?.close()
    await slowSite?.close()
  })

  async function add(origin: string): Promise<void> {
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Add source' }).click()
    await page.locator('#add-source-url').fill(`${origin}/`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')

  it('keep every button in reach, however long an address is', async () => {
    await page.getByText('tzinfo_examples.py').first().waitFor()
    for (const width of [1280, 1024, 800, 390]) {
      await page.setViewportSize({ width, height: 900 })
      for (const table of await page.locator('.table-frame').all()) {
        const box = await table.boundingBox()
        const right = (box?.x ?? 0) + (box?.width ?? 0)
        for (const button of await table.locator('.actions :is(a, button)').all()) {
          const place = await button.boundingBox()
          expect((place?.x ?? 0) + (place?.width ?? 0), `at ${width}`).toBeLessThanOrEqual(right + 1)
        }
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('say in the row what went wrong with a sitemap, although a page of it is in', async () => {
    const start = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    site.set('/broken.xml', `${start}<url><loc>{origin}/storm</loc></url><url><loc>`)
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Add source' }).click()
    await page.getByText('Sitemap', { exact: true }).click()
    await page.locator('#add-source-url').fill(`${site.origin}/broken.xml`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    const row = page.getByRole('table', { name: 'Sources' }).locator('tbody tr').first()
    await row.getByText('The sitemap is not well-formed XML').waitFor()
    await row.getByText(/^checked 1, new 1/).waitFor()
  })

  it('get the focus back from a dialog', async () => {
    await page.getByRole('link', { name: 'Add source' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused, { timeout: 30_000 }).toBe('Add source')
  })

  it('refuse a site that is there, beside the field', async () => {
    await page.getByRole('link', { name: 'Add source' }).click()
    await page.locator('#add-source-url').fill(`${site.origin}/storm`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    await page.locator('#add-source-url-error').getByText('This collection has this Domain already').waitFor()
    await page.goto(collection)
  })

  it('do not open the dialog of a saved source again on going back', async () => {
    const list = page.url()
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: /^Edit 127[^/]*$/ }).click()
    await page.getByLabel('Exclude').fill('/storm')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText(/\d+ in, \d+ out\./).waitFor()
    await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('The lamp shop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'The lamp shop', exact: true }).waitFor()
    await page.goBack()
    expect(page.url().startsWith(list)).toBe(true)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.goto(collection)
  })

  it('say that a run is being cancelled, and afterwards that it was; the focus stays beside', async () => {
    await add(slowSite.origin)
    const row = page.getByRole('table', { name: 'Sources' }).locator('tbody tr').first()
    await row.getByText(/of \d+/).waitFor()
    await row.getByRole('button', { name: /^Cancel/ }).focus()
    await page.keyboard.press('Enter')
    await row.getByText('Cancelling', { exact: true }).waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    expect(await row.getByRole('status').textContent()).toMatch(/^Cancelling 127/)
    await row.getByText(/^Cancelled: checked \d+/).waitFor()
    expect(await row.getByText(/left/).count()).toBe(0)
    expect(await focused()).not.toContain('Lamp manuals')
    await row.getByRole('button', { name: /^Refresh/ }).focus()
    await page.keyboard.press('Enter')
    await row.getByRole('button', { name: /^Pause/ }).waitFor()
    await expect.poll(focused, { timeout: 30_000 }).toBe('Pause')
    await row.getByRole('button', { name: /^Cancel/ }).click()
    await row.getByText(/^Cancelled: checked \d+/).waitFor()
  })

  it('show an address that is read again, also where its source stands on another page', async () => {
    await page.goto(`${collection}?sources-size=5`)
    for (const path of ['/storm', '/', unbreakable, '/a', '/b']) {
      const body = new URLSearchParams({ intent: 'add-source', type: 'url', url: site.origin + path })
      await page.evaluate(
        async ([url, text]) => {
          await fetch(url ?? '', {
            method: 'POST',
            body: text,
            headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          })
        },
        [page.url(), body.toString()],
      )
    }
    await page.goto(`${collection}?sources-size=5`)
    expect(await page.getByRole('link', { name: 'The lamp shop', exact: true }).count()).toBe(0)
    await page.waitForLoadState('networkidle')
    site.set('/storm', { body: pageOf('Storm and rain'), delayMs: 2_500 })
    // The first one is left out by its source's pattern.
    const row = page.getByRole('table', { name: 'Addresses' }).locator('tbody tr').filter({ hasText: '/storm' }).nth(1)
    await row.getByRole('button', { name: /^Retry/ }).click()
    await row.getByText('Storm and rain').waitFor()
    await expect.poll(() => row.getByText(/Pending Crawl|Crawling/).count(), { timeout: 30_000 }).toBe(0)
  })

  it('ask for words where a search has none', async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('Write a question or some words, then search.').waitFor()
    expect(newcomer.problems).toEqual([])
  })
})
