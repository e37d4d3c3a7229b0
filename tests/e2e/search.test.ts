import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/browser/chromium'
import { addDomain } from '../support/browser/lamp-agent'
import { axeFindings, type Newcomer, startNewcomer } from '../support/browser/newcomer'
import { shopSite } from '../support/sites/shop-site'
import type { Site } from '../support/sites/site'

describe.skipIf(chromium === null)('the search of a collection', () => {
  let site: Site
  let newcomer: Newcomer

  beforeAll(async () => {
    site = await shopSite()
    newcomer = await startNewcomer('Harbour Lamps')
    const { page } = newcomer
    await addDomain(page, site)
    await page.getByText(/^Building the semantic index/).waitFor({ state: 'detached' })
  }, 180_000)
  afterAll(async () => {
    expect(await newcomer?.close()).toBe(0)
    await site?.close()
  })

  const open = (query: string) => newcomer.page.goto(`${newcomer.collection}?${query}`)
  const cards = () => newcomer.page.getByRole('region', { name: 'Search' }).getByRole('article')

  it.each([1280, 390])('shows the passage that answers without scrolling, %d pixels wide', async (width) => {
    const { page } = newcomer
    await page.setViewportSize({ width, height: 844 })
    await open('q=How+long+is+the+waranty%3F')
    const first = cards().first()
    const passage = await first.innerText()
    expect(passage).toContain('a warranty of five years')
    expect(passage).toMatch(/(Strong|Fair|Weak) match/)
    const mark = first.locator('mark').first()
    await expect.poll(() => mark.textContent()).toBe('warranty')
    const box = await mark.boundingBox()
    expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThan(844)
    const line = await page.getByRole('region', { name: 'Search' }).getByRole('status').innerText()
    expect(line).toContain('Did you mean How long is the warranty?')
    expect(line).toContain('Searched for warranty instead of “waranty”.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(await axeFindings(page)).toEqual([])
  })

  it('opens the whole fragment in place, and links to the passage', async () => {
    await open('q=How+long+is+the+warranty%3F')
    const first = cards().first()
    const whole = first.locator('details').first()
    await whole.locator('summary').click()
    await expect.poll(() => whole.innerText()).toMatch(/Score [01]\.\d{4}/)
    await expect.poll(() => whole.innerText()).toContain('well padded')
    const link = await first.getByRole('link', { name: 'Open the passage' }).first().getAttribute('href')
    expect(link).toContain('/en/warranty.html#:~:text=Every%20lamp%20that%20we')
  })

  it('shows the row of a table that matches with its header, and one card a page', async () => {
    await open('q=How+much+does+the+Storm+40+lantern+cost%3F')
    const table = cards().first().getByRole('table')
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Product', 'Light', 'Weight', 'Price'])
    await expect.poll(() => table.innerText()).toContain('€89.00')
    const titles = await cards().getByRole('heading', { level: 3 }).allInnerTexts()
    expect(new Set(titles).size).toBe(titles.length)
  })

  it('is narrowed by source, type and language', async () => {
    const { page } = newcomer
    await open('q=lamp')
    await page.waitForLoadState('networkidle')
    const search = page.getByRole('region', { name: 'Search' })
    await search.locator('summary', { hasText: 'Filters' }).click()
    await search.getByLabel('Language').selectOption('pl')
    await page.waitForURL(/language=pl/)
    await search.getByText('Filters (1)').waitFor()
    const places = await cards()
      .locator('a[href*=":~:text="]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    expect(places.length).toBeGreaterThan(0)
    expect(places.every((href) => href.includes('/pl/'))).toBe(true)
    await open('q=lamp&type=pdf')
    await page.getByText('Nothing found').waitFor()
    expect(newcomer.problems).toEqual([])
  })
})
