import { afterEach, expect, it } from 'vitest'
import type { Extractor } from '../../../server/engine/ports/extractor'
import { createTestApp } from '../../support/app'
import { sharedExtractor } from '../../support/shared-extractor'
import { createCollection } from '../../support/sites/crawl'
import { type Site, startSite } from '../../support/sites/site'

const page = (title: string, links: string[] = []) =>
  `<title>${title}</title><main><h1>${title}</h1><p>All about ${title}, in words of its own.</p>
   ${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</main>`
const pages = {
  '/': page('Lamps', ['/slow', '/wicks', '/oil']),
  '/slow': page('Slow'),
  '/wicks': page('Wicks', ['/glass']),
  '/oil': page('Oil'),
  '/glass': page('Glass'),
}

const close: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of close.splice(0).reverse()) await end()
})

/** Crawls a site, one page of which takes too long this many times. */
async function crawlWithTimeouts(timeouts: number) {
  const extractor = sharedExtractor()
  const slow: Extractor = {
    ...extractor,
    extract: async (request) =>
      new URL(request.url).pathname === '/slow' && timeouts-- > 0 ? 'timeout' : extractor.extract(request),
  }
  const test = await createTestApp({}, { extractor: slow })
  close.push(test.close)
  const collection = await createCollection({}, 'Fennel', test)
  const site: Site = await startSite(pages)
  close.push(site.close)
  await collection.add({ type: 'domain', url: site.origin })
  const visited = site.visited().filter((path) => path in pages)
  return { addresses: await collection.addresses(), visited }
}

it('a page that took too long is read at the end of the run', async () => {
  const { addresses, visited } = await crawlWithTimeouts(1)
  expect(addresses['/slow']).toMatchObject({ status: 'idle', reason: null, fragments: 1 })
  expect(visited.filter((path) => path === '/slow')).toHaveLength(2)
  expect(visited.at(-1)).toBe('/slow')
})

it('a page that takes too long again has failed', async () => {
  const { addresses, visited } = await crawlWithTimeouts(9)
  expect(addresses['/slow']).toMatchObject({ status: 'fail', reason: 'extraction-timeout' })
  expect(visited.filter((path) => path === '/slow')).toHaveLength(2)
  expect(addresses['/glass']).toMatchObject({ status: 'idle' })
})
