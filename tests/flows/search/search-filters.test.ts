import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchFilters } from '../../../contract/chat/search-query'
import { addresses } from '../../../db/schema/addresses'
import { files } from '../../../db/schema/files'
import { system } from '../../../server/actor'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { type Site, startSite } from '../../support/sites/site'

// Filters apply before ranking.

let site: Site
let content: CrawledCollection
let crawled: string
let single: string

const page = (language: string, text: string, head = '') =>
  `<html lang="${language}"><head><title>Lamps</title>${head}</head><body><main><h1>Lamps</h1><p>${text}</p></main></body></html>`
const published = (day: string) => `<meta property="article:published_time" content="${day}T10:00:00Z">`

beforeAll(async () => {
  site = await startSite({
    '/': page(
      'en',
      'The lamp of the front page. <a href="/docs/care">Care</a> <a href="/docs/deep/oil">Oil</a> <a href="/de/pflege">Pflege</a> <a href="/prices.csv">Prices</a>',
    ),
    '/docs/care': page('en-GB', 'A lamp is wiped with a dry cloth.', published('2026-03-01')),
    '/docs/deep/oil': page('en', 'A lamp takes lamp oil and nothing else.', published('2026-05-01')),
    '/de/pflege': page('de', 'Eine Lamp wird trocken abgewischt.'),
    '/prices.csv': { headers: { 'content-type': 'text/csv; charset=utf-8' }, body: 'lamp,euros\nStorm lamp,12\n' },
    '/alone': page('en', 'A lamp that no link leads to.'),
  })
  content = await createCollection()
  crawled = await content.add({ type: 'domain', url: site.origin })
  single = await content.add({ type: 'url', url: `${site.origin}/alone` })
})
afterAll(async () => {
  await content.test.close()
  await site.close()
})

async function pathsOf(filters: SearchFilters): Promise<string[]> {
  const asked = { collectionId: content.collectionId, query: 'lamp', limit: 25, threshold: 0, ...filters }
  const { fragments } = await content.test.app.services.search.collection(system, content.orgId, asked)
  return [...new Set(fragments.map(({ url }) => (url.startsWith('http') ? new URL(url).pathname : url)))].sort()
}

const everything = ['/', '/alone', '/de/pflege', '/docs/care', '/docs/deep/oil', '/prices.csv']

describe('without a filter', () => {
  it('searches everything, also with empty filters', async () => {
    expect(await pathsOf({})).toEqual(everything)
    expect(await pathsOf({ path: [], language: [], type: [], sourceId: [] })).toEqual(everything)
  })
})

describe('a filter by', () => {
  it.each<[string, SearchFilters, string[]]>([
    ['path', { path: ['/docs/*'] }, ['/docs/care']],
    ['paths', { path: ['/docs/**', '/alone'] }, ['/alone', '/docs/care', '/docs/deep/oil']],
    ['path without a star', { path: ['/docs'] }, ['/docs/care', '/docs/deep/oil']],
    ['language', { language: ['en'] }, ['/', '/alone', '/docs/care', '/docs/deep/oil']],
    ['language and region', { language: ['en-gb'] }, ['/docs/care']],
    ['languages', { language: ['de', 'en-gb'] }, ['/de/pflege', '/docs/care']],
    ['type', { type: ['csv'] }, ['/prices.csv']],
    ['types', { type: ['page', 'pdf'] }, everything.filter((path) => path !== '/prices.csv')],
    ['a type without files', { type: ['docx'] }, []],
    ['start', { publishedSince: new Date('2026-04-01') }, ['/docs/deep/oil']],
    ['end', { publishedUntil: new Date('2026-04-01') }, ['/docs/care']],
    [
      'span',
      { publishedSince: new Date('2026-02-01'), publishedUntil: new Date('2026-06-01') },
      ['/docs/care', '/docs/deep/oil'],
    ],
    ['time of fetching', { fetchedSince: new Date('2026-01-01') }, everything],
    ['a future time of fetching', { fetchedSince: new Date(Date.now() + 60_000) }, []],
    ['an unknown modification date', { modifiedUntil: new Date(Date.now() + 60_000) }, []],
    [
      'several of these',
      { language: ['en'], path: ['/docs/**'], publishedSince: new Date('2026-04-01') },
      ['/docs/deep/oil'],
    ],
  ])('%s', async (_, filters, paths) => {
    expect(await pathsOf(filters)).toEqual(paths)
  })

  it('source', async () => {
    expect(await pathsOf({ sourceId: [single] })).toEqual(['/alone'])
    expect(await pathsOf({ sourceId: [crawled] })).toEqual(everything.filter((path) => path !== '/alone'))
    expect(await pathsOf({ sourceId: [single, crawled] })).toEqual(everything)
    expect(await pathsOf({ sourceId: [crawled], path: ['/alone'] })).toEqual([])
  })

  it('source is rejected if the collection has no such source', async () => {
    const { id: otherText } = await content.test.app.services.collections.create(system, content.orgId, {
      name: 'Other',
      description: '',
    })
    const ofOther = await content.test.app.services.sources.create(
      system,
      { organizationId: content.orgId, collectionId: otherText },
      {
        type: 'url',
        name: '',
        url: `${site.origin}/alone`,
      },
    )
    for (const sourceId of ['nothing', ofOther.id]) {
      await expect(pathsOf({ sourceId: [single, sourceId] })).rejects.toMatchObject({
        code: 'not_found',
        details: { fields: { sourceId: [expect.stringContaining('This collection has no such source')] } },
      })
    }
  })

  it('the name of a file, like a path', async () => {
    const { app } = content.test
    const { id } = await app.services.collections.create(system, content.orgId, { name: 'Files', description: '' })
    const { id: sourceId } = await app.services.sources.create(
      system,
      { organizationId: content.orgId, collectionId: id },
      {
        type: 'url',
        name: '',
        url: `${site.origin}/alone`,
      },
    )
    await content.test.runner.idle()
    // As an upload is stored: its address is its name.
    await app.db.write((tx) =>
      tx.update(addresses).set({ url: 'price list.csv', contentType: 'csv' }).where(eq(addresses.sourceId, sourceId)),
    )
    const urls = async (filters: SearchFilters) =>
      (
        await app.services.search.collection(system, content.orgId, { collectionId: id, query: 'lamp', ...filters })
      ).fragments.map(({ url }) => url)
    expect(await urls({ path: ['*.csv'] })).toEqual(['price list.csv'])
    expect(await urls({ path: ['/price list.csv'] })).toEqual(['price list.csv'])
    expect(await urls({ path: ['/docs/**'] })).toEqual([])
    expect(await urls({ type: ['csv'] })).toEqual(['price list.csv'])
    expect(await app.db.read.select().from(files)).toEqual([])
  })
})

it("shows the visitor's language among pages with the same content", async () => {
  const { app, runner } = content.test
  const { id } = await app.services.collections.create(system, content.orgId, { name: 'Languages', description: '' })
  const text = 'Lantern hook 7'
  site.set('/hook/de', page('de', text))
  site.set('/hook/en', page('en', `${text}.`))
  for (const path of ['/hook/de', '/hook/en']) {
    await app.services.sources.create(
      system,
      { organizationId: content.orgId, collectionId: id },
      { type: 'url', name: '', url: site.origin + path },
    )
  }
  await runner.idle()
  for (const preferredLanguage of ['de', 'en']) {
    const asked = { collectionId: id, query: 'lantern hook', preferredLanguage, explain: true }
    const { fragments, explanation } = await app.services.search.collection(system, content.orgId, asked)
    expect(fragments.map(({ url }) => url)).toEqual([`${site.origin}/hook/${preferredLanguage}`])
    expect(explanation?.dropped).toMatchObject([{ reason: 'duplicate', duplicate_of: fragments[0]?.id }])
  }
})

it('explains how hits were ranked, and what was skipped', async () => {
  const asked = { collectionId: content.collectionId, query: 'lamp oil', limit: 1, path: ['/docs/**'], explain: true }
  const found = await content.test.app.services.search.collection(system, content.orgId, asked)
  expect(found.fragments).toHaveLength(1)
  expect(found.fragments[0]?.figures).toMatchObject({
    ...{ keyword_rank: 1, vector_rank: null, cosine: null, fusion_score: 1, term_coverage: 1, similarity: 2.5 / 3 },
    bm25: expect.any(Number),
  })
  expect(found.explanation).toMatchObject({ words: ['lamp', 'oil'], keyword_hits: 2, vector_hits: 0, ranked: 2 })
  expect(found.explanation).toMatchObject({ threshold: 0.3, filtered_to: 2 })
  expect(found.explanation?.dropped).toMatchObject([
    { url: `${site.origin}/docs/care`, title: 'Lamps', reason: 'over-limit', duplicate_of: null, term_coverage: 0.5 },
  ])
  const plain = await content.test.app.services.search.collection(system, content.orgId, { ...asked, explain: false })
  expect(plain).not.toHaveProperty('explanation')
  expect(plain.fragments[0]).not.toHaveProperty('figures')
})
