import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../support/chromium'
import { type OpenBrowser, openBrowser, seriousFindings, signUp } from '../support/newcomer'
import { type BuiltServer, startBuiltServer } from '../support/server'

const lists = ['users', 'organizations', 'agents', 'collections', 'sources', 'urls', 'threads']

describe.skipIf(chromium === null)('the back office', () => {
  let server: BuiltServer
  let browser: OpenBrowser
  let page: Page

  beforeAll(async () => {
    server = await startBuiltServer()
    browser = await openBrowser()
    page = browser.page
    await signUp(page, server)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    expect(await server?.stop()).toBe(0)
  })

  const requests: string[] = []
  const open = async (path: string) => {
    await page.goto(server.origin + path)
    await page.waitForLoadState('networkidle')
  }

  it('opens from the sidebar of a platform administrator and draws the growth of users', async () => {
    page.on('request', (request) => requests.push(request.url()))
    await open('/dashboard')
    expect(requests.filter((url) => url.includes('growth-chart'))).toEqual([])
    await page.getByRole('link', { name: 'Admin Panel' }).click()
    await page
      .getByRole('heading', { level: 1, name: /^(Captain on deck|Welcome back commander|At a glance\.\.\.)$/ })
      .waitFor()
    const area = page.locator('.recharts-area').first()
    await area.waitFor()
    expect(requests.filter((url) => url.includes('growth-chart'))).toHaveLength(1)
    expect(await page.locator('.recharts-surface').first().getAttribute('height')).toBe('256')
    await area.hover()
    await page.getByText(/^\d+ users - \d{4}-\d{2}-\d{2}$/).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  it('lists everything, and says where nothing is found', async () => {
    for (const name of lists) {
      await open(`/admin/${name}`)
      expect(await seriousFindings(page), name).toEqual([])
      if (name === 'users') continue
      const filter = name === 'organizations' ? 'created_by' : 'organization_id'
      await open(`/admin/${name}?${filter}=nobody`)
      await page.getByText(`No ${name === 'urls' ? 'URLs' : name} found`).waitFor()
      await page.getByRole('link', { name: 'Show all' }).click()
      await page.waitForURL(`**/admin/${name}`)
    }
  })

  it('sorts a list by its address', async () => {
    await open('/admin/users')
    await page.getByRole('columnheader', { name: 'E-mail' }).getByRole('link').click()
    await page.waitForURL('**/admin/users?sort=email')
    await page.getByRole('columnheader', { name: 'E-mail', exact: true }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'E-mail' }).getAttribute('aria-sort')).toBe('ascending')
  })

  it('goes from a person to their organization and its log', async () => {
    await page.getByRole('link', { name: 'Inspect ada@example.com' }).click()
    await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor()
    await page.getByText('Staff').waitFor()
    await page.getByRole('table', { name: 'Organizations' }).getByRole('link', { name: 'Harbour Lamps' }).click()
    await page.getByRole('heading', { level: 1, name: 'Harbour Lamps' }).waitFor()
    await page.getByRole('heading', { name: 'Plan Details' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  })

  it('shows how the installation is', async () => {
    await open('/admin')
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
    for (const name of ['Process', 'Storage', 'Jobs', 'Failing sources', 'What may leave this machine'])
      await page.getByRole('heading', { level: 2, name }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  it('leads from a missing record to its list', async () => {
    await open('/admin/agents/nothing')
    expect(new URL(page.url()).pathname).toBe('/admin/agents')
    await open('/admin/collections/nothing')
    expect(new URL(page.url()).pathname).toBe('/admin/users')
    expect(browser.problems).toEqual([])
  })
})
