import { expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { crawledSite } from '../../support/sites/crawled-site'
import type { SiteAnswer } from '../../support/sites/site'

const { collection, site, open } = crawledSite()

const text = 'The wick of the lamp is trimmed with the scissors that are in the box, and it is not pulled.'
const page = (language: string, body: string, links: string[] = []) =>
  `<html lang="${language}"><head><title>Lamps</title></head><body><main><h1>Wicks</h1><p>${body}</p></main>
   <nav>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</nav></body></html>`

/** Pages that are not translated yet have the English text under /de/, too. */
function manual(start: Record<string, SiteAnswer>, german = 'de'): Record<string, SiteAnswer> {
  return {
    ...start,
    '/en/wick': page('en', text),
    '/de/wick': page(german, text),
    '/documentation/17/burner': page('en', `${text} So is the burner.`),
    '/de/burner': page(german, `${text} So is the burner.`),
    '/de/docht': page('de', 'Der Docht der Lampe wird mit der Schere geschnitten, und er wird nicht gezogen.'),
  }
}

const links = ['/de/wick', '/en/wick', '/de/burner', '/documentation/17/burner', '/de/docht']
const indexed = ['/de/docht', '/documentation/17/burner', '/en/wick']

const indexedPages = async () =>
  Object.entries(await collection.addresses())
    .filter(([path, { fragments }]) => fragments > 0 && !['/', '/en/'].includes(path))
    .map(([path]) => path)
    .sort()

async function previewed(): Promise<string[]> {
  const results = new Map<string, boolean>()
  const input = { type: 'domain' as const, name: '', url: site.origin }
  const { signal } = new AbortController()
  for await (const event of await collection.test.app.services.sources.preview(
    system,
    { organizationId: collection.orgId, collectionId: null },
    input,
    signal,
  )) {
    if (event.kind === 'address') results.set(new URL(event.address).pathname, event.in)
  }
  return [...results].flatMap(([path, isIn]) => (isIn && !['/', '/en/'].includes(path) ? [path] : [])).sort()
}

it.each([
  ['declared', manual({ '/': page('en', 'All about lamps.', links) })],
  ['named by the URL alone', manual({ '/': page('en', 'All about lamps.', links) }, 'en')],
  [
    'that of the page to which the front page leads',
    manual({ '/': { status: 302, headers: { location: '/en/' } }, '/en/': page('en', 'All about lamps.', links) }),
  ],
])('a page in the main language wins over its equal in another one: %s', async (_how, pages) => {
  await open(pages)
  const id = await collection.add({ type: 'domain', url: site.origin })
  expect(await indexedPages()).toEqual(indexed)
  expect((await collection.addresses())['/de/wick']).toMatchObject({
    ...{ reason: 'duplicate', canonical_url: `${site.origin}/en/wick` },
  })
  // Every page is read again, and the German ones come first.
  for (const [path, answer] of Object.entries(pages)) {
    if (typeof answer === 'string') site.set(path, { body: answer, headers: { 'cache-control': 'no-store', etag: '' } })
  }
  await collection.refresh(id)
  expect(await indexedPages()).toEqual(indexed)
  expect(await previewed()).toEqual(indexed)
})

it('pages of a sitemap are compared by the language of their text', async () => {
  const urls = links.map((link) => `<url><loc>{origin}${link}</loc></url>`).join('')
  await open({
    ...manual({}),
    '/sitemap.xml': { body: `<urlset>${urls}</urlset>`, headers: { 'content-type': 'text/xml' } },
  })
  await collection.add({ type: 'sitemap', url: `${site.origin}/sitemap.xml` })
  expect(await indexedPages()).toEqual(indexed)
})
