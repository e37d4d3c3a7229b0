import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { type Site, startSite } from '../../support/sites/site'

// Keyword hits pass the default threshold.

let site: Site
let crawled: CrawledCollection
let lamp: string

const page = (text: string) => `<html lang="en"><title>Parts</title><main><h1>Parts</h1><p>${text}</p></main></html>`

beforeAll(async () => {
  site = await startSite({
    '/gasket': page('The gasket is changed once a year, with the engine cold.'),
    '/code': page('Part HX-7731 fits pumps that were made before 2019.'),
    '/sum': page('Compare the SHA256 sum of the image.'),
    '/error': page('Error E1042 means that nothing flows.'),
    '/lamp': page('A lamp for dark evenings and long tables.'),
  })
  crawled = await createCollection()
  for (const path of ['/gasket', '/code', '/sum', '/error']) await crawled.add({ type: 'url', url: site.origin + path })
  lamp = await crawled.add({ type: 'url', url: `${site.origin}/lamp` })
})
afterAll(async () => {
  await crawled.test.close()
  await site.close()
})

async function pathsOf(query: string): Promise<string[]> {
  const asked = { collectionId: crawled.collectionId, query, explain: true }
  const { fragments } = await crawled.test.app.services.search.collection(system, crawled.orgId, asked)
  return fragments.map(({ url }) => new URL(url).pathname)
}

describe('a keyword search with the default threshold finds', () => {
  it.each([
    ['a misspelt word', 'gaskit', '/gasket'],
    ['a code without its sign', 'HX7731', '/code'],
    ['a part of a code', '7731', '/code'],
    ['a code with a sign that the page does not use', 'E-1042', '/error'],
    ['parts of a name', 'sha 256', '/sum'],
    ['the plural of a short word', 'lamps', '/lamp'],
  ])('%s', async (_, query, path) => {
    expect(await pathsOf(query)).toEqual([path])
  })
})

it('reports the corrections of misspelt words, and ranks their hits lower', async () => {
  const search = (query: string) =>
    crawled.test.app.services.search.collection(system, crawled.orgId, {
      collectionId: crawled.collectionId,
      query,
      explain: true,
    })
  const [guessed, written] = [await search('gaskit'), await search('gasket')]
  expect(guessed.explanation?.words).toEqual(['gasket'])
  expect(guessed.fragments[0]?.score).toBeLessThan(written.fragments[0]?.score ?? 0)
})

it('finds nothing of a deleted source that is not purged yet', async () => {
  const { app, runner } = crawled.test
  await runner.stop()
  expect(await pathsOf('lamp')).toEqual(['/lamp'])
  await app.services.sources.remove(system, {
    organizationId: crawled.orgId,
    collectionId: crawled.collectionId,
    sourceId: lamp,
  })
  expect(await pathsOf('lamp')).toEqual([])
})
