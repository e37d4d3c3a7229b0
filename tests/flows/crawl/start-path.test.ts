import { expect, it } from 'vitest'
import type { SourceInput } from '../../../contract/sources/source'
import { system } from '../../../server/actor'
import { crawledSite } from '../../support/sites/crawled-site'

const { collection, site, open } = crawledSite()

const page = (title: string, links: string[] = []) =>
  `<title>${title}</title><main><h1>${title}</h1><p>All about ${title}, in words of its own.</p>
   ${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</main>`

/** A site whose front page is missing, so that nothing leads to its manual. */
const manual = {
  '/docs/17/': page('Manual', ['/docs/17/wick', '/shop']),
  '/docs/17/wick': page('Wicks'),
  '/shop': page('Shop'),
}

const typed = (): SourceInput => ({ type: 'domain', name: '', url: `${site.origin}/docs/17/#start` })

async function previewed(input: SourceInput) {
  const results: [string, boolean, boolean][] = []
  const { signal } = new AbortController()
  for await (const event of await collection.test.app.services.sources.preview(
    system,
    { organizationId: collection.orgId, collectionId: null },
    input,
    signal,
  )) {
    if (event.kind === 'address') results.push([new URL(event.address).pathname, event.in, event.read])
  }
  return results
}

it('a domain that was typed with a path is read from there, and then from its front page', async () => {
  await open(manual)
  const id = await collection.add(typed())
  expect(await collection.source(id)).toMatchObject({
    ...{ type: 'domain', url: `${site.origin}/`, start_path: '/docs/17/', status: 'idle' },
    name: new URL(site.origin).host,
  })
  const pages = site.visited().filter((path) => !/\.(xml|txt)$/.test(path))
  expect(pages.slice(0, 2)).toEqual(['/docs/17/', '/'])
  const addresses = await collection.addresses()
  expect(addresses['/']).toMatchObject({ status: 'fail', reason: 'not-found' })
  for (const path of Object.keys(manual)) expect(addresses[path]).toMatchObject({ status: 'idle', reason: null })

  const asked = site.requests.length
  await collection.refresh(id)
  expect(site.requests.slice(asked).map(({ path }) => path)).toContain('/docs/17/')
})

it('a preview asks for the page that was typed, and says nothing of pages that it has not asked for', async () => {
  await open(manual)
  const results = await previewed(typed())
  expect(results[0]).toEqual(['/docs/17/', true, true])
  expect(results).toContainEqual(['/', false, true])
  expect(results.filter(([, isIn, isRead]) => !isIn && !isRead)).toEqual([])
})

it('other sources have no start path, and a domain is still one source', async () => {
  await open(manual)
  const url = `${site.origin}/docs/17/`
  expect(await collection.source(await collection.add({ type: 'url', url }))).toMatchObject({ url, start_path: null })
  expect(await collection.source(await collection.add({ type: 'domain', url: site.origin }))).toMatchObject({
    start_path: null,
  })
  await expect(collection.add(typed())).rejects.toMatchObject({ code: 'conflict' })
})
