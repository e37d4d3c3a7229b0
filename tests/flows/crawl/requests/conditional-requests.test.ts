import { beforeEach, expect, it } from 'vitest'
import type { AddressView } from '../../../../contract/views/address'
import { crawledSite } from '../../../support/sites/crawled-site'
import type { SiteAnswer, SiteRequest } from '../../../support/sites/site'

// A second crawl of an unchanged site sends one conditional request per page and extracts nothing.

const { collection, site, open } = crawledSite()
let extracted: string[]
beforeEach(async () => {
  extracted = []
  const { extractor } = collection.test.app.engine
  const extract = extractor.extract.bind(extractor)
  extractor.extract = (page) => {
    extracted.push(new URL(page.url).pathname)
    return extract(page)
  }
})

const page = (title: string, links: string[] = [], head = '') =>
  `<html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
   <p>All about ${title}, with some words of its own.</p></main>
   <nav>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</nav></body></html>`
const to = (location: string): SiteAnswer => ({ status: 302, headers: { location } })

/** Pages that the second crawl requests, without sitemaps and feeds, and whether conditionally. */
async function askedAgain(id: string): Promise<string[]> {
  const before = site.requests.length
  extracted = []
  await collection.refresh(id)
  const lists = ['/robots.txt', '/sitemap.xml', '/sitemap_index.xml', '/llms.txt']
  const asked = site.requests.slice(before).filter(({ path }) => !lists.includes(path))
  return asked.map(({ path, headers }: SiteRequest) => `${path}${headers['if-none-match'] ? ' if changed' : ''}`).sort()
}

const outcome = (address?: AddressView) =>
  address && [address.status, address.reason, address.message, address.canonical_url, address.http_status]

it('does not request the target of a redirect twice', async () => {
  await open({
    '/': to('/docs/index.html'),
    '/docs/index.html': page('Lamps', ['/storm', '/old', '/older', '/lost']),
    '/storm': page('Storm'),
    '/old': to('/storm'),
    '/older': to('/old'),
    '/lost': to('/nowhere'),
  })
  const id = await collection.add({ type: 'domain', url: site.origin })
  const first = await collection.addresses()
  expect(await askedAgain(id)).toEqual([
    '/',
    '/docs/index.html if changed',
    '/lost',
    '/nowhere',
    '/old',
    // A redirect alone is known to lead nowhere by itself.
    '/old',
    '/older',
    '/storm if changed',
  ])
  expect(extracted).toEqual([])
  const second = await collection.addresses()
  for (const path of ['/', '/old', '/older', '/lost', '/nowhere'])
    expect(outcome(second[path]), path).toEqual(outcome(first[path]))
  expect(second['/older']).toMatchObject({
    reason: 'redirected',
    canonical_url: `${site.origin}/storm`,
    http_status: 302,
  })
  expect(second['/lost']).toMatchObject({ status: 'fail', reason: 'not-found' })
})

it('requests a feed conditionally, and follows its new links', async () => {
  const feed = (paths: string[]): SiteAnswer => ({
    headers: { 'content-type': 'application/rss+xml' },
    body: `<rss version="2.0"><channel>${paths.map((path) => `<item><link>{origin}${path}</link></item>`).join('')}</channel></rss>`,
  })
  await open({
    '/': page('Lamps', ['/feed']),
    '/feed': feed(['/storm']),
    '/storm': page('Storm'),
    '/desk': page('Desk'),
  })
  const id = await collection.add({ type: 'domain', url: site.origin })
  const first = await collection.addresses()
  expect(first['/feed']).toMatchObject({ status: 'idle', reason: 'feed', canonical_url: null, fragments: 0 })
  expect(await askedAgain(id)).toEqual(['/ if changed', '/feed if changed', '/storm if changed'])
  const second = await collection.addresses()
  expect(outcome(second['/feed'])).toEqual(outcome(first['/feed'])?.with(-1, 304))

  site.set('/feed', feed(['/storm', '/desk']))
  expect(await askedAgain(id)).toEqual(['/ if changed', '/desk', '/feed if changed', '/storm if changed'])
  expect((await collection.addresses())['/desk']).toMatchObject({ reason: null, fragments: 1 })
})

const canonical = (path: string) => `<link rel="canonical" href="${path}">`

it('requests a page conditionally if its canonical address replaced it, and indexes it once that address is gone', async () => {
  await open({
    '/': page('Lamps', ['/print/storm', '/storm', '/print/desk', '/desk']),
    '/print/storm': page('Storm in print', ['/behind'], canonical('/storm')),
    '/storm': page('Storm'),
    '/print/desk': page('Desk in print', [], canonical('/desk')),
    '/desk': page('Desk'),
    '/behind': page('Behind'),
  })
  const id = await collection.add({ type: 'domain', url: site.origin })
  const first = await collection.addresses()
  expect(first['/print/storm']).toMatchObject({ reason: 'canonical', fragments: 0 })
  const asked = ['/', '/behind', '/desk', '/print/desk', '/print/storm', '/storm'].map((path) => `${path} if changed`)
  expect(await askedAgain(id)).toEqual(asked)
  expect(extracted).toEqual([])
  expect((await collection.source(id)).last_run).toMatchObject({
    checked: 6,
    unchanged: 4,
    canonicalized: 2,
    fetched: 0,
  })
  const second = await collection.addresses()
  for (const path of ['/print/storm', '/print/desk']) {
    expect(outcome(second[path])).toEqual(outcome(first[path] && { ...first[path], http_status: 304 }))
  }

  site.set('/storm', { status: 410 })
  site.set('/print/desk', page('Desk in print, and more', [], canonical('/desk')))
  await collection.refresh(id)
  const third = await collection.addresses()
  expect(third['/print/storm']).toMatchObject({ status: 'idle', reason: null, canonical_url: null, fragments: 1 })
  expect(third['/print/desk']).toMatchObject({ reason: 'canonical', canonical_url: `${site.origin}/desk` })
  expect(await askedAgain(id)).toEqual(asked.map((text) => (text.startsWith('/storm ') ? '/storm' : text)))
  expect((await collection.addresses())['/print/storm']).toMatchObject({ reason: null, fragments: 1 })
})

it('reports the same for such a page after a failure in between', async () => {
  await open({
    '/': page('Lamps', ['/print/storm', '/storm']),
    '/print/storm': page('Storm in print', [], canonical('/storm')),
    '/storm': page('Storm'),
  })
  const id = await collection.add({ type: 'domain', url: site.origin })
  const before = outcome((await collection.addresses())['/print/storm'])
  let asked = 0
  site.set('/print/storm', () => ({ status: asked++ === 0 ? 500 : 304 }))
  await collection.refresh(id)
  expect(asked).toBe(2)
  expect(outcome((await collection.addresses())['/print/storm'])).toEqual(before?.with(-1, 304))
})
