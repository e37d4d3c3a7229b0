import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createExtractor } from '../../../server/adapters/extraction/extractor'
import { createSafeFetch } from '../../../server/adapters/fetch/safe-fetch'
import { type CrawlType, discover } from '../../../server/engine/crawl/discover/discover'
import type { Discovered } from '../../../server/engine/crawl/discover/discovered'
import { fetchPage } from '../../../server/engine/crawl/fetch/fetch-page'
import type { PageOutcome } from '../../../server/engine/crawl/fetch/page-outcome'
import { createCrawlDeps } from '../../support/sites/crawl-deps'
import { lampPaths } from '../../support/sites/lamp-pages'
import { lampSite, type Site, type SiteAnswer, startSite } from '../../support/sites/site'

const extractor = createExtractor({ modelFolder: 'models/all-MiniLM-L6-v2' })
afterAll(() => extractor.close())

let close: (() => Promise<unknown>)[] = []
beforeEach(() => {
  close = []
})
afterEach(async () => {
  for (const end of close) await end()
})

/** The crawl as the product wires it, against sites on this machine. */
function crawler(allowPrivateNetworks = ['127.0.0.0/8']) {
  const fetcher = createSafeFetch({ allowPrivateNetworks, userAgent: 'Sitelore/test' })
  close.push(fetcher.close)
  const deps = createCrawlDeps(fetcher, extractor)
  return {
    visit: (url: string, more: Partial<Parameters<typeof fetchPage>[1]> = {}) =>
      fetchPage(deps, { url, followLinks: true, site: null, access: null, ...more }),
    async discover(type: CrawlType, url: string) {
      const found: Discovered[] = []
      for await (const discovered of discover(deps, { type, url })) found.push(discovered)
      return {
        addresses: found.flatMap((discovered) => (discovered.kind === 'address' ? discovered.url : [])),
        problems: found.flatMap((discovered) => (discovered.kind === 'problem' ? discovered.reason : [])),
      }
    },
  }
}

async function opened(site: Promise<Site>): Promise<Site> {
  const started = await site
  close.push(started.close)
  return started
}

const shop = (changes?: Record<string, SiteAnswer | null>) => opened(lampSite(changes))
const site = (pages: Record<string, SiteAnswer>) => opened(startSite(pages))
const paths = (addresses: string[]) => addresses.map((address) => new URL(address).pathname)

describe('discover', () => {
  it('yields a URL itself, the entries of a sitemap, and both for a domain', async () => {
    const { origin } = await shop()
    expect(await crawler().discover('url', `${origin}/shipping?utm_source=x#y`)).toEqual({
      addresses: [`${origin}/shipping`],
      problems: [],
    })
    const listed = await crawler().discover('sitemap', `${origin}/sitemap.xml`)
    expect(paths(listed.addresses)).toEqual(lampPaths)
    const domain = await crawler().discover('domain', `${origin}/help/faq`)
    expect(paths(domain.addresses)).toEqual(lampPaths)
  })

  it('follows an index, stays on its site and reports what it skipped', async () => {
    const otherText = 'http://127.0.0.9:1234'
    const index = (names: string[]) =>
      `<sitemapindex>${names.map((name) => `<sitemap><loc>${name}</loc></sitemap>`).join('')}</sitemapindex>`
    const list = (names: string[]) =>
      `<urlset>${names.map((name) => `<url><loc>${name}</loc></url>`).join('')}</urlset>`
    const { origin, requests } = await site({
      '/index.xml': index(['{origin}/a.xml', '{origin}/index.xml', `${otherText}/b.xml`, '/deeper.xml']),
      '/deeper.xml': index(['/deepest.xml']),
      '/deepest.xml': index(['/last.xml']),
      '/last.xml': index(['/beyond.xml']),
      '/a.xml': list(['{origin}/1', '{origin}/1#x', `${otherText}/2`, 'mailto:a@b.example', '/3']),
      '/beyond.xml': list(['{origin}/never']),
    })
    expect(await crawler().discover('sitemap', `${origin}/index.xml`)).toEqual({
      addresses: [`${origin}/1`, `${origin}/3`],
      problems: ['over-limit', 'other-host'],
    })
    expect(requests.map(({ path }) => path)).not.toContain('/beyond.xml')
  })

  it.each([
    ['<html><p>Sitemap</p></html>', 'only-xml-sitemaps'],
    ['<urlset></urlset>', 'sitemap-empty'],
    [{ status: 404 }, 'not-found'],
    [{ status: 503 }, 'http-server-error'],
  ] as [SiteAnswer, string][])('reports why a sitemap is empty: %s', async (answer, reason) => {
    const { origin } = await site({ '/sitemap.xml': answer })
    expect(await crawler().discover('sitemap', `${origin}/sitemap.xml`)).toEqual({ addresses: [], problems: [reason] })
  })

  it('does not need a sitemap for a domain', async () => {
    const { origin } = await site({ '/': 'home' })
    expect(await crawler().discover('domain', origin)).toEqual({ addresses: [`${origin}/`], problems: [] })
  })

  it('rejects an invalid address', async () => {
    for (const type of ['url', 'sitemap', 'domain'] as const) {
      expect(await crawler().discover(type, 'two words'), type).toEqual({
        addresses: [],
        problems: ['invalid-address'],
      })
    }
  })
})

describe('fetchPage', () => {
  it('crawls the entire shop by its links', async () => {
    const { origin, visited } = await shop()
    const { visit } = crawler()
    const outcomes = new Map<string, PageOutcome>()
    const line = [`${origin}/`]
    for (let url = line.shift(); url; url = line.shift()) {
      if (outcomes.has(url)) continue
      const outcome = await visit(url, { site: origin })
      outcomes.set(url, outcome)
      if (outcome.kind === 'fetched' || outcome.kind === 'refused') line.push(...outcome.links)
      if (outcome.kind === 'moved' && outcome.to !== null) line.push(outcome.to)
    }
    const kinds = Object.fromEntries(
      [...outcomes].map(([url, outcome]) => [
        new URL(url).pathname,
        'reason' in outcome ? outcome.reason : outcome.kind,
      ]),
    )
    expect(kinds).toEqual({
      ...Object.fromEntries(lampPaths.map((path) => [path, 'fetched'])),
      '/old-storm': 'redirected',
      '/private/prices': 'robots-disallowed',
      '/members': 'noindex',
      '/empty': 'empty-page',
      '/missing': 'not-found',
    })
    expect(visited()).not.toContain('/private/prices')
    expect(visited()).not.toContain('/catalog.epub')
    expect(outcomes.get(`${origin}/old-storm`)).toMatchObject({ to: `${origin}/lamps/storm-40` })
    const battery = outcomes.get(`${origin}/help/battery`)
    expect(battery).toMatchObject({
      kind: 'fetched',
      httpStatus: 200,
      document: { title: 'Changing the battery of a Storm 40', language: 'en' },
    })
    const texts = battery?.kind === 'fetched' ? battery.fragments.map(({ text }) => text).join('\n') : ''
    expect(texts).toContain('2. Turn the base ring a quarter turn to the left')
    expect(texts).not.toMatch(/cookies|All rights reserved|window\.shop/)
  })

  it('sends conditional requests', async () => {
    const { origin } = await shop()
    const { visit } = crawler()
    const first = await visit(`${origin}/shipping`)
    expect(first).toMatchObject({ kind: 'fetched', etag: expect.stringMatching(/^"/) })
    const etag = first.kind === 'fetched' ? first.etag : null
    expect(await visit(`${origin}/shipping`, { etag })).toEqual({ kind: 'unchanged' })
  })

  it.each([
    [{ status: 410 }, { kind: 'gone', reason: 'gone', httpStatus: 410 }],
    [{ status: 403 }, { kind: 'refused', reason: 'access-denied', httpStatus: 403 }],
    [{ status: 500 }, { kind: 'refused', reason: 'http-server-error', retryAfterMs: 60_000 }],
    [
      { status: 503, headers: { 'retry-after': '5' } },
      { kind: 'refused', retryAfterMs: 5000 },
    ],
    [
      { status: 429, headers: { 'retry-after': '999999' } },
      { kind: 'refused', reason: 'rate-limited', retryAfterMs: 3_600_000 },
    ],
    [
      { headers: { 'content-type': 'image/png' }, body: '' },
      { kind: 'refused', reason: 'not-html', message: expect.stringContaining('image') },
    ],
    [
      { headers: { 'content-type': 'application/pdf' }, body: '%PDF-' },
      { kind: 'document', type: 'pdf', download: null },
    ],
    [
      { headers: { 'content-type': 'text/plain' }, body: 'words' },
      { kind: 'document', type: 'txt', download: null },
    ],
    [{ headers: { 'x-robots-tag': 'otherbot: noindex, nofollow' }, body: '<p>Words.' }, { kind: 'fetched' }],
    [
      { headers: { 'x-robots-tag': 'otherbot: nofollow, sitelore: noindex' }, body: '<a href="/next">Words.' },
      { kind: 'refused', reason: 'noindex', links: [expect.stringMatching(/next$/)] },
    ],
    [
      {
        headers: { 'x-robots-tag': 'unavailable_after: 25 Jun 2030 15:00:00 GMT, none' },
        body: '<a href="/next">Words.',
      },
      { kind: 'refused', reason: 'noindex', links: [] },
    ],
    [{ body: '<meta name="robots" content="nofollow"><a href="/next">Words.' }, { kind: 'fetched', links: [] }],
    [{ body: '' }, { kind: 'refused', reason: 'empty-page' }],
    [
      { status: 302, headers: { location: '/page' } },
      { kind: 'refused', reason: 'too-many-redirects' },
    ],
  ] as [SiteAnswer, object][])('answers %j', async (answer, expected) => {
    const { origin } = await site({ '/page': answer })
    expect(await crawler().visit(`${origin}/page`)).toMatchObject(expected)
  })

  it('honors Retry-After, and reports rate-limited if the delay is long', async () => {
    const { origin, visited } = await site({
      '/busy': { status: 503, headers: { 'retry-after': '300' } },
      '/page': '<p>Words.',
    })
    const { visit } = crawler()
    await visit(`${origin}/busy`)
    const later = await visit(`${origin}/page`)
    expect(later).toMatchObject({ kind: 'refused', reason: 'rate-limited' })
    expect(later.kind === 'refused' && later.retryAfterMs).toBeGreaterThan(290_000)
    expect(visited()).toEqual(['/busy'])
  })

  it('obeys robots.txt, also after redirects and when it is unavailable', async () => {
    const rules = 'User-agent: sitelore\nDisallow: /closed'
    const { origin, set, visited } = await site({
      '/robots.txt': rules,
      '/open': { status: 302, headers: { location: '/closed' } },
      '/closed': '<p>No.',
    })
    expect(await crawler().visit(`${origin}/closed`)).toMatchObject({ kind: 'refused', reason: 'robots-disallowed' })
    expect(visited()).toEqual([])
    expect(await crawler().visit(`${origin}/open`)).toMatchObject({ reason: 'robots-disallowed' })
    set('/robots.txt', { status: 500 })
    expect(await crawler().visit(`${origin}/closed`)).toMatchObject({ kind: 'refused', reason: 'robots-unavailable' })
    set('/robots.txt', { status: 403 })
    expect(await crawler().visit(`${origin}/closed`)).toMatchObject({ kind: 'fetched' })
  })

  it('fetches robots.txt once for many pages', async () => {
    const { origin, requests } = await shop()
    const { visit } = crawler()
    await Promise.all(lampPaths.map((path) => visit(origin + path)))
    expect(requests.filter(({ path }) => path === '/robots.txt')).toHaveLength(1)
  })

  it('stays on its site, also across redirects', async () => {
    const otherSite = await site({ '/': '<p>Elsewhere.' })
    const { origin } = await site({ '/away': { status: 301, headers: { location: `${otherSite.origin}/` } } })
    expect(await crawler().visit(`${origin}/away`, { site: origin })).toMatchObject({
      reason: 'other-host',
      message: expect.stringContaining(String(otherSite.port)),
    })
    expect(await crawler().visit(`${origin}/away`)).toMatchObject({
      kind: 'moved',
      to: `${otherSite.origin}/`,
    })
  })

  it('reports why an address is rejected', async () => {
    const closed = crawler([])
    expect(await closed.visit('http://127.0.0.1:8080/')).toMatchObject({ kind: 'refused', reason: 'private-address' })
    expect(await closed.visit('http://nowhere.invalid/')).toMatchObject({
      reason: expect.stringMatching(/unresolved|connection-failed/),
    })
    expect(await closed.visit('no address')).toMatchObject({ reason: 'invalid-address' })
    expect(await closed.visit(`http://a.example/${'x/'.repeat(9)}`)).toMatchObject({ reason: 'trap' })
    const gone = await startSite({})
    await gone.close()
    expect(await crawler().visit(`${gone.origin}/`)).toMatchObject({ kind: 'refused', reason: 'connection-failed' })
  })
})
