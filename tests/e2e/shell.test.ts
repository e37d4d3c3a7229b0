import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/browser/chromium'
import { createLampAgent } from '../support/browser/lamp-agent'
import { type OpenBrowser, openBrowser, signIn } from '../support/browser/newcomer'
import { type Provider, startProvider } from '../support/providers/provider'
import { lampSite, type Site } from '../support/sites/site'
import { type BuiltServer, startServerWithAccount } from '../support/web/server'

const maxLayoutShift = 0.02

describe.skipIf(chromium === null)('what surrounds the pages of the dashboard', () => {
  let server: BuiltServer
  let site: Site
  let provider: Provider
  let browser: OpenBrowser
  let page: Page
  let collection = ''
  let agent = ''
  let source = ''
  let address = ''
  let thread = ''

  beforeAll(async () => {
    provider = await startProvider()
    site = await lampSite()
    server = await startServerWithAccount({ OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'any-text' })
    browser = await openBrowser((text) => text.includes('status of 400'))
    page = browser.page
    await page.addInitScript(() => {
      const shifts = { sum: 0 }
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) shifts.sum += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await signIn(page, server)
    const created = await createLampAgent(page, server, site)
    collection = created.collection
    agent = created.agent
    await page.getByLabel('Message', { exact: true }).fill('How do I change the battery of my Storm 40?')
    await page.keyboard.press('Enter')
    await page.waitForURL(/thread=/)
    thread = `/dashboard/threads/${new URL(page.url()).searchParams.get('thread')}`
    await page.goto(`${agent}/api`)
    await page.getByRole('button', { name: 'Create keys' }).click()
    await page.getByText('Private key').first().waitFor()
    await page.goto(collection)
    source = await firstLink('Sources')
    address = await firstLink('Addresses')
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    expect(await server?.stop()).toBe(0)
    await site?.close()
    await provider?.close()
  })

  const sidebar = () => page.getByRole('navigation', { name: 'Main' })

  const dashboardPages = () => [
    '/dashboard',
    '/dashboard/collections',
    ...[collection, source, address].map(pathOf),
    '/dashboard/agents',
    ...['', '/ai', '/api', '/widget', '/demo-widget', '/demo-search'].map((tab) => pathOf(agent) + tab),
    '/dashboard/threads',
    thread,
    '/dashboard/settings',
    '/dashboard/settings/provider',
    '/dashboard/settings/usage',
    '/dashboard/members',
    '/dashboard/audit',
    '/dashboard/account',
    '/admin',
    '/admin/users',
  ]

  const pathOf = (url: string) => new URL(url, server.origin).pathname

  async function firstLink(table: string): Promise<string> {
    const row = page.getByRole('table', { name: table }).locator('tbody tr').first()
    return (await row.getByRole('link').first().getAttribute('href')) ?? ''
  }

  async function layoutShifts(paths: string[]): Promise<Record<string, number>> {
    const shifts: Record<string, number> = {}
    for (const path of paths) {
      const url = server.origin + path
      // A busy machine may paint a table before all of its rows have arrived. What the page moves, it moves every time,
      // so the majority of three loads counts.
      const sums = [await layoutShiftOf(url), await layoutShiftOf(url)]
      if (sums.filter(isTooMuch).length === 1) sums.push(await layoutShiftOf(url))
      const moved = sums.filter(isTooMuch)
      if (moved.length > 1) shifts[path] = Math.max(...moved)
    }
    return shifts
  }

  const isTooMuch = (sum: number) => sum > maxLayoutShift

  async function layoutShiftOf(url: string): Promise<number> {
    await page.goto(url)
    await page.waitForLoadState('networkidle')
    return page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve((window as unknown as { shifts: { sum: number } }).shifts.sum)),
          ),
        ),
    )
  }

  /** Who sees it is asked of the browser: the topmost element at the middle. */
  function isOnTop(element: Locator): Promise<boolean> {
    return element.evaluate((found) => {
      const { left, top, width, height } = found.getBoundingClientRect()
      return found.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
  }

  it('moves nothing after load while the sidebar is open', async () => {
    expect(await layoutShifts(dashboardPages())).toEqual({})
    await expect
      .poll(() => sidebar().getByRole('button', { name: 'Hide sidebar' }).getAttribute('aria-expanded'))
      .toBe('true')
  }, 300_000)

  it('moves nothing after load while the sidebar is collapsed, for the server renders it so', async () => {
    await sidebar().getByRole('button', { name: 'Hide sidebar' }).click()
    await sidebar().getByRole('button', { name: 'Show sidebar' }).waitFor()
    expect((await sidebar().boundingBox())?.width).toBeLessThan(80)
    await page.waitForLoadState('networkidle')
    expect(await layoutShifts(dashboardPages())).toEqual({})
    expect((await sidebar().boundingBox())?.width).toBeLessThan(80)
    const html = await (await browser.context.request.get(`${server.origin}/dashboard`)).text()
    expect(html).toContain('aria-expanded="false"')
    await page.goto(`${server.origin}/dashboard/collections`)
    await page.waitForLoadState('networkidle')
    await sidebar().getByRole('button', { name: 'Show sidebar' }).click()
    await sidebar().getByRole('link', { name: 'Agents' }).click()
    await page.waitForURL('**/dashboard/agents')
    expect((await sidebar().boundingBox())?.width).toBeGreaterThan(200)
    await page.reload()
    expect((await sidebar().boundingBox())?.width).toBeGreaterThan(200)
  }, 300_000)

  it('moves nothing in the manual', async () => {
    expect(await layoutShifts(['/help', '/help/api', '/help/crawling'])).toEqual({})
  })

  it('goes to a place that is named by a part of its name, with the keyboard alone', async () => {
    await page.goto(`${server.origin}/dashboard/threads`)
    await page.waitForLoadState('networkidle')
    const opener = page.getByRole('link', { name: 'Agents', exact: true }).first()
    await opener.focus()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Go to' })
    await field.fill('lamp')
    const option = page.getByRole('option', { name: /^Lamp manuals.*Collection/ })
    await option.waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect(await opener.evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+k')
    await field.fill('audit')
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThanOrEqual(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard/audit')
    await page.keyboard.press('Control+k')
    await field.fill('no such place')
    await page.getByText('Nothing has this name. Try fewer letters.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('lists the settings in the sidebar while one of them is open', async () => {
    await page.goto(`${server.origin}/dashboard/settings`)
    const settings = sidebar().getByRole('list', { name: 'Settings' }).getByRole('link')
    expect(await settings.allTextContents()).toEqual([
      'General',
      'Members',
      'Provider',
      'Plan and usage',
      'Data',
      'Audit log',
    ])
    for (const name of ['Plan and usage', 'Provider', 'Members', 'Data', 'Audit log', 'General']) {
      await settings.filter({ hasText: name }).click()
      await expect.poll(() => sidebar().locator('[aria-current=page]').textContent()).toBe(name)
    }
    await page.getByRole('link', { name: 'Edit organization' }).click()
    await page.getByRole('dialog', { name: 'Edit organization' }).waitFor()
  })

  it('collapses the sidebar without a script as well', async () => {
    const context = await browser.context.browser()?.newContext({
      javaScriptEnabled: false,
      storageState: await browser.context.storageState(),
    })
    const plain = await context?.newPage()
    if (!plain) throw new Error('There is no browser.')
    await plain.goto(`${server.origin}/dashboard/agents?page=1`)
    await plain.getByRole('button', { name: 'Hide sidebar' }).click()
    await plain.getByRole('button', { name: 'Show sidebar' }).waitFor()
    expect(plain.url()).toBe(`${server.origin}/dashboard/agents?page=1`)
    await context?.close()
  })

  it('shows notifications above an open dialog, where they can be dismissed', async () => {
    await page.goto(`${collection}?dialog=add-source`)
    await page.waitForLoadState('networkidle')
    const dialog = page.getByRole('dialog', { name: 'Add a source' })
    await dialog.getByLabel('File', { exact: false }).first().check()
    const picture = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('no text') }
    for (const size of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      await dialog.locator('#add-source-file').setInputFiles([picture])
      const notification = page.locator('.notification').last()
      await notification.waitFor()
      expect(await isOnTop(notification), `${size.width} px`).toBe(true)
      expect(await isOnTop(dialog.getByRole('button', { name: 'Add source' })), `${size.width} px`).toBe(true)
      await notification.getByRole('button', { name: 'Dismiss' }).click()
      await notification.waitFor({ state: 'detached' })
      await expect.poll(() => dialog.isVisible()).toBe(true)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await dialog.locator('#add-source-file').setInputFiles([picture])
    await page.locator('.notification').last().waitFor()
    // The type that was chosen would be lost, so the page asks first.
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Leave without saving your changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    // Until the question has closed, Escape would close it rather than the dialog.
    await question.waitFor({ state: 'detached' })
    expect(await dialog.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await isOnTop(page.locator('.notification').last())).toBe(true)
  })

  it('keeps notifications away from Send message', async () => {
    for (const size of [
      { width: 1280, height: 900 },
      { width: 1280, height: 640 },
      { width: 390, height: 844 },
      { width: 360, height: 640 },
    ]) {
      await page.setViewportSize(size)
      await page.goto(agent)
      await page.waitForLoadState('networkidle')
      const send = page.getByRole('button', { name: 'Send message' })
      await send.click()
      const notification = page.locator('.notification').last()
      await notification.getByText('Failed to send message').waitFor()
      await send.scrollIntoViewIfNeeded()
      const [toast, button] = await Promise.all([notification.boundingBox(), send.boundingBox()])
      if (!toast || !button) throw new Error('Nothing is shown.')
      const isApart = toast.y + toast.height <= button.y || toast.y >= button.y + button.height
      const isAside = toast.x + toast.width <= button.x || toast.x >= button.x + button.width
      expect(isApart || isAside, `${size.width} x ${size.height}`).toBe(true)
    }
  })

  it('keeps the button that sends a long form in view', async () => {
    const forms: [path: string, button: string][] = [
      [`${collection}?dialog=add-source`, 'Add source'],
      [`${agent}/ai`, 'Save settings'],
      [`${agent}/api`, 'Save'],
      [`${agent}?dialog=edit`, 'Save'],
      [`${server.origin}/dashboard?dialog=organization`, 'Save'],
      [`${server.origin}/dashboard/account?dialog=token`, 'Create token'],
    ]
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      for (const [path, name] of forms) {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        const button = page.getByRole('button', { name, exact: true }).last()
        const field = button.locator('xpath=ancestor::form').locator('input:visible, textarea:visible').first()
        await field.evaluate((element) => element.scrollIntoView({ block: 'center' }))
        expect(await isOnTop(button), `${path} at ${size.width} px`).toBe(true)
        await page.keyboard.press('Escape')
      }
      await page.goto(`${collection}?dialog=add-source`)
      await page.getByRole('dialog').locator('summary').click()
      expect(await isOnTop(page.getByRole('dialog').getByRole('button', { name: 'Add source' }))).toBe(true)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('moves nothing in the onboarding, and focuses the first field of each step', async () => {
    await page.goto(`${server.origin}/dashboard?dialog=new-organization`)
    await page.waitForLoadState('networkidle')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Night Shift')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.waitForURL('**/onboarding')
    expect(await layoutShifts(['/onboarding'])).toEqual({})
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'))
    await expect.poll(focused).toBe('goals')
    // Questions with many answers are lists, not cards.
    expect(await page.getByRole('radio').count()).toBe(0)
    await page.getByLabel('Semantic search').check()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(focused).toBe('sector')
    for (const name of ['sector', 'position', 'size']) await page.locator(`[name=${name}]`).selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(focused).toBe('source')
    await page.locator('[name=source]').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Finish' }).click()
    await page.waitForURL('**/dashboard')
  })

  it('met no error on the way', () => {
    expect(browser.problems).toEqual([])
  })
})
