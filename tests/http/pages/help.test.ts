import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBrowser } from '../../support/browser/browser'
import { pageRoutes } from '../../support/web/page-routes'
import { startWebSite, type WebSite } from '../../support/web/web-site'

const reader = createBrowser()
let web: WebSite

beforeAll(async () => {
  web = await startWebSite(await pageRoutes())
})
afterAll(() => web?.close())

const dataOf = async (path: string) => {
  const { status, text } = await reader.open(web.origin + path.replace(/(\?|$)/, '.data$1'))
  return { status, text }
}

it('lists the sections of a page', async () => {
  const page = await dataOf('/help/agents')
  expect(page.status).toBe(200)
  for (const text of ['Create an agent', 'create-an-agent', 'Statuses']) expect(page.text).toContain(text)
})

it('responds to an unknown page with 404 and no redirect', async () => {
  const page = await dataOf('/help/no-such-page')
  expect(page.status).toBe(404)
  expect(page.text).not.toContain('SingleFetchRedirect')
})

it('finds sections of the manual that have all words', async () => {
  const found = await dataOf('/help?q=similarity+threshold')
  expect(found.text).toContain('agents')
  expect(found.text.toLowerCase()).toContain('similarity threshold')
  const none = await dataOf('/help?q=similarity+xylophone')
  expect(none.text).not.toContain('excerpt')
})
