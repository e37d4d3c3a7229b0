import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/browser/chromium'
import { axeFindings, type Newcomer, openRowMenu, startNewcomer } from '../support/browser/newcomer'
import { linkedPages } from '../support/sites/linked-pages'
import { lampSite, type Site, startSite } from '../support/sites/site'

const secret = 'open-sesame'
const excluded = "The source's patterns exclude this address."

describe.skipIf(chromium === null)('a person who adds a site', () => {
  let site: Site
  let slowSite: Site
  let newcomer: Newcomer
  let page: Page
  let collection = ''
  const asked: string[] = []

  beforeAll(async () => {
    site = await lampSite()
    slowSite = await startSite(linkedPages(200, () => {}, 150))
    newcomer = await startNewcomer('Lamp manuals')
    page = newcomer.page
    page.on('request', (request) => asked.push(request.url()))
    collection = newcomer.collection
  }, 120_000)
  afterAll(async () => {
    expect(await newcomer?.close()).toBe(0)
    await site?.close()
    await slowSite?.close()
  })

  it('sees each error at its field, in a preview as well', async () => {
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Add source' }).click()
    await page.locator('#add-source-url').fill(`${site.origin}/lamps/`)
    await dialog().locator('summary').click()
    await page.getByRole('textbox', { name: 'Exclude' }).fill('journal/**')
    await dialog().locator('summary').click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('A pattern is a path').waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Exclude' }).getAttribute('aria-invalid')).toBe('true')
    expect(
      await page.getByRole('textbox', { name: 'Exclude' }).evaluate((field) => field === document.activeElement),
    ).toBe(true)
  })

  it('sees in a preview what is included, what is excluded and why, before anything is stored', async () => {
    await page.getByRole('textbox', { name: 'Exclude' }).fill('/journal/**')
    await page.getByLabel('Request headers').fill(`X-Access-Token: ${secret}`)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText(/\d+ included, \d+ excluded\./).waitFor()
    const out = page.getByRole('list', { name: 'Excluded addresses' })
    await expect
      .poll(() => out.getByRole('listitem').filter({ hasText: '/journal/warm-light' }).textContent())
      .toContain(excluded)
    await expect
      .poll(() => out.getByRole('listitem').filter({ hasText: '/private/prices' }).textContent())
      .toContain('robots.txt')
    const taken = page.getByRole('list', { name: 'Included addresses' })
    await expect.poll(() => taken.getByText(`${site.origin}/lamps/storm-40`).count()).toBe(1)
    await expect.poll(() => page.getByText(/A full run: about \d+ pages/).count()).toBe(1)
    await page.getByText(/Keyword search finds each page as soon as it is read/).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Exclude' }).isVisible()).toBe(true)
    await page.getByRole('table', { name: 'Folders' }).getByText('/lamps').first().waitFor()
    expect(site.requests.some(({ headers }) => headers['x-access-token'] === secret)).toBe(true)
    await page.getByLabel('Name', { exact: false }).first().fill('The lamp shop')
    await page.getByText('The fields have changed.').waitFor()
  })

  it('adds it with the same input and reads what the run did', async () => {
    await dialog().getByRole('button', { name: 'Add source' }).click()
    await dialog().waitFor({ state: 'detached' })
    await page.getByText(/^\d+ checked, \d+ new/).waitFor()
    await row('Sources', 'The lamp shop').getByText('Idle').waitFor()
    await page.getByRole('link', { name: 'The lamp shop', exact: true }).click()
    await page.waitForURL('**/source/*')
    // The collection's page shows the same sentence: the list tells that the source's page is here.
    const rejected = page.getByRole('list', { name: 'Rejected' })
    await page.locator('summary').filter({ hasText: 'Rejected' }).click()
    await rejected.waitFor()
    const sentence = page.getByText(/^\d+ checked, \d+ new/i)
    const told = (await sentence.textContent()) ?? ''
    const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`, 'i').exec(told)?.[1] ?? 0)
    const out = await rejected.getByRole('listitem').allTextContents()
    const listed = out.reduce((sum, text) => sum + Number.parseInt(text, 10), 0)
    expect(listed).toBe(count('failed') + count('redirects?'))
    expect(count('checked')).toBe(count('new') + listed)
  })

  it('goes from a reason of the run to the addresses that are out for it', async () => {
    await page.getByRole('link', { name: excluded }).click()
    await page.waitForURL(/reason=excluded/)
    await page.getByText('/journal/warm-light').first().waitFor()
    await expect.poll(() => table('Addresses').locator('tbody tr').count()).toBe(1)
    const option = page.getByLabel('Reason').locator('option[value=noindex]')
    await expect.poll(() => option.textContent()).toBe('Asks not to be indexed (noindex) (1)')
    await page.getByLabel('Reason').selectOption('noindex')
    await page.waitForURL(/reason=noindex/)
    await page.getByText('/members').first().waitFor()
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.waitForURL((url) => !url.search.includes('reason'))
    await expect.poll(() => table('Addresses').locator('tbody tr').count()).toBeGreaterThan(1)
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Status').selectOption('fail')
    await page.waitForURL(/status=fail/)
    const failed = table('Addresses').locator('tbody tr').filter({ hasText: 'Failed' })
    await expect.poll(() => failed.count()).toBe(4)
    await page.goBack()
    await page.waitForURL((url) => !url.search.includes('status'))
    await page.waitForLoadState('networkidle')
    await page.goto(collection)
  })

  it('leaves an address out and takes it in again', async () => {
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Address or title').fill('storm-40')
    await page.waitForURL(/filter=storm-40/)
    const storm = row('Addresses', 'Storm 40 outdoor lantern')
    await openRowMenu(storm)
    await storm.getByRole('button', { name: 'Ignore' }).click()
    await storm.getByText('Ignored manually').waitFor()
    await storm.getByText('Ignored', { exact: true }).waitFor()
    await storm.getByRole('link', { name: 'Storm 40 outdoor lantern', exact: true }).click()
    await page.waitForURL('**/address/*')
    await page.getByText('No fragments').waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Idle').first().waitFor()
    await page.getByText('400 lumens').first().waitFor()
    await expect.poll(() => page.getByText('Found on').count()).toBe(1)
  })

  it('edits the options, and is never shown what opens the site', async () => {
    await page.goto(collection)
    await page.waitForLoadState('networkidle')
    await openRowMenu(row('Sources', 'The lamp shop'))
    await page.getByRole('link', { name: 'Edit The lamp shop' }).click()
    await dialog().waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Exclude' }).inputValue()).toBe('/journal/**')
    await dialog().getByText('X-Access-Token').first().waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('textbox', { name: 'Remove' }).fill('nav\nh1, h2')
    await page.getByLabel('Try on a page').fill(`${site.origin}/lamps/storm-40`)
    await page.getByRole('button', { name: 'Compare' }).click()
    await dialog().getByRole('region', { name: 'Before' }).getByText('400 lumens').waitFor()
    await dialog().getByRole('region', { name: 'After' }).getByText('400 lumens').waitFor()
    await accessible()
    await page.getByRole('textbox', { name: 'Remove' }).fill('')
    await page.getByRole('textbox', { name: 'Exclude' }).fill('')
    await page.getByLabel('Refresh', { exact: true }).selectOption('daily')
    // The page is held back until the progress stream has shown the change.
    const due = page.getByText(/due (tomorrow|in 2\d hours)/)
    await page.route(isAskedByScript, async (route) => {
      const response = await route.fetch()
      if (route.request().method() === 'GET') await due.waitFor()
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Source edited successfully').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await due.waitFor()
  })

  it('refreshes and reads what was unchanged', async () => {
    await row('Sources', 'The lamp shop').getByRole('button', { name: 'Refresh' }).click()
    await page.getByText(/^17 checked, 11 unchanged, 1 new, 4 failed/).waitFor()
    await row('Sources', 'The lamp shop').getByRole('button', { name: 'Refresh' }).click()
    await page.getByText(/^17 checked, 12 unchanged, 4 failed, 1 redirect$/).waitFor()
  })

  it('stops a preview, and pauses, resumes and cancels a run', async () => {
    await page.getByRole('link', { name: 'Add source' }).click()
    await page.locator('#add-source-url').fill(`${slowSite.origin}/`)
    await page.locator('#add-source-name').fill('Slow')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Fetching pages').waitFor()
    await page.getByRole('list', { name: 'Included addresses' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped').waitFor()
    await dialog().getByRole('button', { name: 'Add source' }).click()
    await dialog().waitFor({ state: 'detached' })
    const slow = row('Sources', 'Slow')
    await slow.getByText(/left · read \d+ of \d+/).waitFor()
    await slow.getByRole('button', { name: 'Pause' }).click()
    await slow.getByText('Paused. Resume to continue.').waitFor()
    await slow.getByRole('button', { name: 'Resume' }).click()
    await slow.getByText('Crawling').waitFor()
    await openRowMenu(slow)
    await slow.getByRole('button', { name: 'Cancel run' }).click()
    await slow.getByText(/^Cancelled: \d+ checked, \d+ new/).waitFor()
    await slow.getByRole('link', { name: 'Slow', exact: true }).click()
    await page.getByText('Cancelled', { exact: true }).waitFor()
  })

  it('can do all but the preview without a script', async () => {
    const { cookies } = await newcomer.context.storageState()
    const bare = await newcomer.context.browser()?.newContext({ javaScriptEnabled: false })
    if (!bare) throw new Error('There is no browser.')
    await bare.addCookies(cookies)
    const plain = await bare.newPage()
    await plain.goto(`${collection}?dialog=add-source`)
    await expect.poll(() => plain.getByRole('button', { name: 'Preview' }).isVisible()).toBe(false)
    await plain.getByRole('radio', { name: 'URL' }).check()
    await plain.locator('#add-source-url').fill(`${site.origin}/warranty`)
    await plain.locator('summary').filter({ hasText: 'Options' }).click()
    await plain.getByLabel('Maximum pages').fill('0')
    await plain.getByLabel('Password').fill(secret)
    await plain.getByRole('button', { name: 'Add source' }).click()
    await plain.getByText('Maximum pages is a whole number').waitFor()
    await expect.poll(() => plain.locator('#add-source-url').inputValue()).toBe(`${site.origin}/warranty`)
    expect(await plain.content()).not.toContain(secret)
    await expect.poll(() => plain.locator('#add-source-max_pages').inputValue()).toBe('0')
    await plain.getByLabel('Maximum pages').fill('1')
    await plain.getByRole('button', { name: 'Add source' }).click()
    await plain.getByText('Source added successfully').waitFor()
    await plain.getByLabel('Status').selectOption('fail')
    await plain.getByRole('region', { name: 'Addresses' }).getByText('Show', { exact: true }).first().click()
    expect(plain.url()).toContain('status=fail')
    await expect.poll(() => plain.getByRole('table', { name: 'Addresses' }).getByText('Idle').count()).toBe(0)
    await bare.close()
  })

  it('leaves no secret in an address and no error in a page', () => {
    expect(asked.filter((url) => url.includes(secret))).toEqual([])
    expect(newcomer.problems).toEqual([])
  })

  function dialog() {
    return page.getByRole('dialog')
  }

  function table(name: string) {
    return page.getByRole('table', { name })
  }

  function row(name: string, text: string) {
    return table(name).getByRole('row').filter({ hasText: text })
  }

  function isAskedByScript(url: URL): boolean {
    return url.pathname.endsWith('.data')
  }

  async function accessible(): Promise<void> {
    expect(await axeFindings(page)).toEqual([])
  }
})
