import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRobots } from '../../server/engine/crawl/formats/robots'
import { pageRoutes } from '../support/web/page-routes'
import { startWebSite, type WebSite } from '../support/web/web-site'

let site: WebSite

beforeAll(async () => {
  site = await startWebSite(await pageRoutes())
})
afterAll(() => site.close())

const read = async (path: string) => {
  const response = await fetch(site.origin + path, { redirect: 'manual' })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('robots.txt', () => {
  const rules = async () => parseRobots((await read('/robots.txt')).text, 'somebot', `${site.origin}/robots.txt`)

  it('is a text that names the sitemap at PUBLIC_URL', async () => {
    expect(await read('/robots.txt')).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' })
    expect((await rules()).sitemaps).toEqual([`${site.origin}/sitemap.xml`])
  })

  it.each(['/', '/terms', '/help', '/help/crawling', '/thread/abc', '/widget.js', '/assets/app.css', '/sitemap.xml'])(
    'allows %s',
    async (path) => expect((await rules()).isAllowed(site.origin + path)).toBe(true),
  )

  it.each([
    '/login',
    '/logout',
    '/dashboard',
    '/dashboard/agents',
    '/onboarding',
    '/v1/auth/me',
    '/mcp',
    '/oidc/auth',
    '/setup',
    '/?error=access_denied',
  ])('disallows %s', async (path) => expect((await rules()).isAllowed(site.origin + path)).toBe(false))
})

describe('sitemap.xml', () => {
  it('lists the public pages, each of which exists, may be crawled and indexed', async () => {
    const { status, type, text } = await read('/sitemap.xml')
    expect([status, type]).toEqual([200, 'application/xml; charset=utf-8'])
    const listed = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url)
    expect(listed.slice(0, 2)).toEqual([`${site.origin}/`, `${site.origin}/terms`])
    expect(listed).toContain(`${site.origin}/help/crawling`)
    const robots = parseRobots((await read('/robots.txt')).text, 'somebot', `${site.origin}/robots.txt`)
    for (const url of listed) {
      expect(robots.isAllowed(url), url).toBe(true)
      const response = await fetch(url, { redirect: 'manual' })
      expect([url, response.status, response.headers.get('x-robots-tag')]).toEqual([url, 200, null])
    }
  })
})

it('keeps shared threads out of indexes', async () => {
  const response = await fetch(`${site.origin}/thread/none`)
  expect(response.headers.get('x-robots-tag')).toBe('noindex')
})
