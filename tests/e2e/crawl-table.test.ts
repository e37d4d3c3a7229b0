import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/browser/chromium'
import { axeFindings, type Newcomer, openRowMenu, startNewcomer } from '../support/browser/newcomer'
import { type Site, type SiteAnswer, startSite } from '../support/sites/site'

const unbreakable = `/_downloads/${'5b3e1c9a7d2f4086'.repeat(6)}/tzinfo_examples.py`
const pageOf = (title: string, links: string[] = []) =>
  `<title>${title}</title><main><h1>${title}</h1><p>All about ${title}.</p>${links.map((path) => `<a href="${path}">${path}</a>`).join(' ')}</main>`

describe.skipIf(chromium === null)('the tables of a collection', () => {
  let site: Site
  let slowSite: Site
  let answerDelayMs = 1_500
  let newcomer: Newcomer
  let page: Page
  let collection = ''

  beforeAll(async () => {
    site = await startSite({ '/': pageOf('Lamps', [unbreakable, '/storm']), '/storm': pageOf('Storm') })
    const paths = Array.from({ length: 40 }, (_, index) => `/page-${index}`)
    const slow = paths.map((path): [string, SiteAnswer] => [
      path,
      () => ({ body: pageOf(path), delayMs: answerDelayMs }),
    ])
    slowSite = await startSite({ '/': pageOf('Slow', paths), ...Object.fromEntries(slow) })
    newcomer = await startNewcomer('Lamp manuals')
    page = newcomer.page
    collection = newcomer.collection
    await add(site.origin)
    await page.getByText(/^\d+ checked, \d+ new/).waitFor()
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

  it('keep every button visible, however long an address is', async () => {
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

  it('have rows of one height, and cut a long address in the middle', async () => {
    const heights = await page
      .locator('.table-cards tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
    for (const height of heights) expect(height >= 48 && height <= 53, `${height} px`).toBe(true)
    const name = new URL(site.origin).host + unbreakable
    const link = page.getByRole('link', { name, exact: true })
    expect(await link.locator('[title]').getAttribute('title')).toBe(name)
    expect(await link.locator('[data-tail]').getAttribute('data-tail')).toBe('_examples.py')
  })

  it('are a click away from anywhere on the page', async () => {
    const links = page.getByRole('navigation', { name: 'On this page' })
    await page.setViewportSize({ width: 1280, height: 500 })
    await links.getByRole('link', { name: /^Addresses/ }).click()
    await expect.poll(() => links.locator('[aria-current]').textContent()).toMatch(/^Addresses/)
    expect((await links.boundingBox())?.y).toBe(52)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(collection)
  })

  it('sort, and keep the order in the query', async () => {
    const titles = () =>
      page.getByRole('table', { name: 'Addresses' }).locator('tbody tr td:first-child a').allTextContents()
    await page.getByRole('table', { name: 'Addresses' }).getByRole('link', { name: 'Address', exact: true }).click()
    await page.waitForURL(/sort=address/)
    const ascending = [new URL(site.origin).host + unbreakable, 'Lamps', 'Storm']
    await expect.poll(titles).toEqual(ascending)
    await page.getByRole('columnheader', { name: 'Address', exact: true }).getByRole('link').click()
    await page.waitForURL(/sort=-address/)
    await expect.poll(titles).toEqual([...ascending].reverse())
    await page.reload()
    expect(await titles()).toEqual([...ascending].reverse())
    expect(await page.locator('[aria-sort=descending]').count()).toBe(1)
    await page.goto(collection)
  })

  it('show a sitemap error in the row, although one of its pages is indexed', async () => {
    const start = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    site.set('/broken.xml', `${start}<url><loc>{origin}/storm</loc></url><url><loc>`)
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Add source' }).click()
    await page.getByText('Sitemap', { exact: true }).click()
    await page.locator('#add-source-url').fill(`${site.origin}/broken.xml`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    const row = page.getByRole('table', { name: 'Sources' }).locator('tbody tr').first()
    await row.getByText('The sitemap is not well-formed XML').waitFor()
    await row.getByText(/^1 checked, 1 new/).waitFor()
  })

  it('restore the focus when a dialog closes', async () => {
    await page.getByRole('link', { name: 'Add source' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Add source')
  })

  it('refuse a duplicate site with a message at the field', async () => {
    await page.getByRole('link', { name: 'Add source' }).click()
    await page.locator('#add-source-url').fill(`${site.origin}/storm`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    await page.locator('#add-source-url-error').getByText('This collection already has this Domain').waitFor()
    await page.goto(collection)
  })

  it('do not reopen the dialog of a saved source on Back', async () => {
    const list = page.url()
    await page.waitForLoadState('networkidle')
    await openRowMenu(
      page
        .getByRole('table', { name: 'Sources' })
        .locator('tbody tr')
        .filter({ has: page.getByRole('link', { name: /^127[^/]*$/ }) }),
    )
    await page.getByRole('link', { name: /^Edit 127[^/]*$/ }).click()
    await page.getByLabel('Exclude').fill('/storm')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText(/\d+ included, \d+ excluded\./).waitFor()
    await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('The lamp shop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'The lamp shop', exact: true }).waitFor()
    await page.goBack()
    expect(page.url().startsWith(list)).toBe(true)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.goto(collection)
  })

  it('keep each action in its place in every state of the row', async () => {
    await add(slowSite.origin)
    const row = page.getByRole('table', { name: 'Sources' }).locator('tbody tr').first()
    const button = row.locator('.actions > form button')
    const menu = row.getByRole('button', { name: /^More actions/ })
    const seen: { state: string; word: string; disabled: boolean; menu: string[]; places: unknown }[] = []
    async function look(state: string) {
      await menu.click()
      const choices = await row.locator('[data-menu-item]').all()
      const words = await Promise.all(
        choices.map(
          async (choice) => `${await choice.textContent()}${(await isDisabled(choice)) ? ' (disabled)' : ''}`,
        ),
      )
      const boxes = await Promise.all([button, menu, ...choices].map((choice) => choice.boundingBox()))
      const top = boxes[0]?.y ?? 0
      const places = boxes.map((box) => box && { ...box, y: Math.round(box.y - top) })
      seen.push({
        state,
        word: (await button.textContent()) ?? '',
        disabled: await isDisabled(button),
        menu: words,
        places,
      })
      await page.keyboard.press('Escape')
    }
    const isDisabled = async (locator: Locator) => (await locator.getAttribute('aria-disabled')) === 'true'

    await row.getByText(/of \d+/).waitFor()
    await look('crawling')
    await button.click()
    await row.getByText('Paused', { exact: true }).waitFor()
    await look('paused')
    await button.click()
    await row.getByText('Crawling', { exact: true }).waitFor()
    // A cancelled run waits for the page that it has requested: long enough to look at the row.
    answerDelayMs = 10_000
    const requested = slowSite.requests.length
    await expect.poll(() => slowSite.requests.length).toBeGreaterThan(requested)
    await menu.click()
    await row.getByRole('button', { name: /^Cancel run/ }).click()
    await row.getByText('Cancelling', { exact: true }).waitFor()
    // The menu stays open until the action is done, which the row may show earlier.
    await row.getByRole('button', { name: /^Cancel run/ }).waitFor({ state: 'hidden' })
    await look('cancelling')
    answerDelayMs = 1_500
    await row.getByText(/^Cancelled: \d+ checked/).waitFor()
    await look('idle')

    expect(seen.map(({ word, disabled }) => [word, disabled])).toEqual([
      ['Pause', false],
      ['Resume', false],
      ['Refresh', true],
      ['Refresh', false],
    ])
    expect(seen.map((item) => item.menu)).toEqual([
      ['Edit', 'Cancel run', 'Delete'],
      ['Edit', 'Cancel run', 'Delete'],
      ['Edit', 'Cancel run (disabled)', 'Delete'],
      ['Edit', 'Cancel run (disabled)', 'Delete'],
    ])
    for (const { state, places } of seen) expect(places, state).toEqual(seen[0]?.places)
    await menu.click()
    await row.getByRole('button', { name: /^Cancel run/ }).hover()
    await row.getByRole('tooltip').getByText('No run is in progress.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('reload the page at most once at a time, however slow it is', async () => {
    const row = page.getByRole('table', { name: 'Sources' }).locator('tbody tr').first()
    await page.goto(collection)
    await page.waitForLoadState('networkidle')
    const held: (() => void)[] = []
    let isHolding = true
    const isReload = (url: URL) => url.pathname.endsWith('.data')
    await row.getByRole('button', { name: /^Refresh/ }).click()
    await row.getByRole('button', { name: /^Pause/ }).waitFor()
    await page.route(isReload, async (route) => {
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await expect.poll(() => held.length).toBe(1)
    // The stream of the sources goes on, and asks for the next reload after five seconds: four pages and more.
    const done = async () =>
      Number(/read ([\d,]+) of/i.exec((await row.getByText(/of \d+/).textContent()) ?? '')?.[1] ?? 0)
    const before = await done()
    await expect.poll(done).toBeGreaterThan(before + 4)
    expect(held.length).toBe(1)
    isHolding = false
    for (const release of held) release()
    await page.unrouteAll({ behavior: 'wait' })
    await openRowMenu(row)
    await row.getByRole('button', { name: /^Cancel run/ }).click()
    await row.getByText(/^Cancelled: \d+ checked/).waitFor()
    expect(newcomer.problems).toEqual([])
  })

  it('reload without an answer to the question about unsaved changes', async () => {
    const row = page.getByRole('table', { name: 'Sources' }).locator('tbody tr').first()
    await row.getByRole('button', { name: /^Refresh/ }).click()
    await row.getByRole('button', { name: /^Pause/ }).waitFor()
    await page.getByRole('link', { name: 'Add source' }).click()
    await page.locator('#add-source-url').fill('https://lamps.example/')
    const held: (() => void)[] = []
    await page.route(
      (url) => url.pathname.endsWith('.data'),
      async (route) => {
        await new Promise<void>((resolve) => held.push(resolve))
        await route.continue()
      },
    )
    await expect.poll(() => held.length).toBe(1)
    const question = page.getByRole('dialog', { name: 'Leave without saving your changes?' })
    await page.keyboard.press('Escape')
    await question.waitFor()
    const reloaded = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('.data'))
    for (const release of held) release()
    await reloaded
    // The run goes on, and none of its reloads answers the question.
    const requested = slowSite.requests.length
    await expect.poll(() => slowSite.requests.length).toBeGreaterThan(requested + 3)
    expect(await question.isVisible()).toBe(true)
    expect(held.length).toBe(1)
    await page.unrouteAll({ behavior: 'wait' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await page.locator('#add-source-url').inputValue()).toBe('https://lamps.example/')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await openRowMenu(row)
    await row.getByRole('button', { name: /^Cancel run/ }).click()
    await row.getByText(/^Cancelled: \d+ checked/).waitFor()
  })

  it('treat a double click as one click, although the first one changes the button', async () => {
    const row = page.getByRole('table', { name: 'Sources' }).locator('tbody tr').first()
    const place = await row.getByRole('button', { name: /^Refresh/ }).boundingBox()
    const [x, y] = [(place?.x ?? 0) + 20, (place?.y ?? 0) + 12]
    await page.mouse.click(x, y)
    await row.getByRole('button', { name: /^Pause/ }).waitFor()
    // The second click of a slow double click: the browser counts it, and the button is another by now.
    await page.mouse.move(x, y)
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await row.getByText(/of \d+/).waitFor()
    await expect.poll(() => row.getByText('Paused', { exact: true }).count()).toBe(0)
    await openRowMenu(row)
    await row.getByRole('button', { name: /^Cancel run/ }).dblclick()
    await row.getByText(/^Cancelled: \d+ checked/).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('work with the keyboard alone, and keep the focus', async () => {
    const row = page.getByRole('table', { name: 'Sources' }).locator('tbody tr').first()
    await row.getByRole('button', { name: /^Refresh/ }).focus()
    await page.keyboard.press('Enter')
    await row.getByRole('button', { name: /^Pause/ }).waitFor()
    await expect.poll(focused).toBe('Pause')
    // A page takes longer than the cancelling of a run that reads none.
    await row.getByText(/of \d+/).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Edit')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await row.getByText('Cancelling', { exact: true }).waitFor()
    await expect.poll(() => row.getByRole('status').textContent()).toMatch(/^Cancelling 127/)
    await row.getByText(/^Cancelled: \d+ checked/).waitFor()
    await expect.poll(() => row.getByText(/left/).count()).toBe(0)
    const inRow = () => row.evaluate((element) => element.contains(document.activeElement))
    await expect.poll(inRow).toBe(true)
    await openRowMenu(row)
    await row.getByRole('link', { name: /^Edit/ }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(inRow).toBe(true)
  })

  it('link a failed source to its reason in the manual', async () => {
    await page.goto(`${collection}?dialog=add-source`)
    await page.waitForLoadState('networkidle')
    await page.getByRole('radio', { name: 'URL' }).check()
    await page.locator('#add-source-url').fill('http://10.0.0.1/old-shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Add source' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const row = page.getByRole('table', { name: 'Sources' }).locator('tbody tr').first()
    await row.getByText('CRAWL_ALLOW_PRIVATE_NETWORKS=10.0.0.1 ').waitFor()
    const opening = page.waitForEvent('popup')
    await row.getByRole('link', { name: 'What can I do?' }).click()
    const manual = await opening
    await manual.waitForLoadState()
    expect(new URL(manual.url()).hash).toBe('#private-address')
    const target = manual.locator('tr:target')
    await expect.poll(() => target.textContent()).toContain('It is in a private network')
    const top = (await target.boundingBox())?.y ?? -1
    expect(top > 0 && top < 900).toBe(true)
    await manual.close()
  })

  it('update an address that is retried, even if its source is on another page of the table', async () => {
    await page.goto(`${collection}?sources-size=5`)
    const shown = await page.locator('[name=shown_organization_id]').first().inputValue()
    for (const path of ['/storm', '/', unbreakable, '/a', '/b']) {
      const body = new URLSearchParams({ intent: 'add-source', type: 'url', url: site.origin + path })
      body.set('shown_organization_id', shown)
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
    // A source that is busy refuses to retry an address.
    await page.goto(`${collection}?sources-size=50`)
    const rows = page.getByRole('table', { name: 'Sources' }).locator('tbody tr')
    await rows.nth(5).waitFor()
    await expect.poll(() => rows.getByText(/Processing|Crawling/).count(), { timeout: 60_000 }).toBe(0)
    await page.goto(`${collection}?sources-size=5`)
    await expect.poll(() => page.getByRole('link', { name: 'The lamp shop', exact: true }).count()).toBe(0)
    await page.waitForLoadState('networkidle')
    site.set('/storm', { body: pageOf('Storm and rain'), delayMs: 2_500 })
    // The first one is left out by its source's pattern.
    const row = page.getByRole('table', { name: 'Addresses' }).locator('tbody tr').filter({ hasText: '/storm' }).nth(1)
    await row.getByRole('button', { name: /^Retry/ }).click()
    await row.getByText('Storm and rain').waitFor()
    await expect.poll(() => row.getByText(/Pending Crawl|Crawling/).count()).toBe(0)
  })

  it('ask for a query if a search has none', async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('Enter a question or keywords.').waitFor()
    expect(newcomer.problems).toEqual([])
  })
})
