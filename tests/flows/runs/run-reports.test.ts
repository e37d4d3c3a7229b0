import { eq } from 'drizzle-orm'
import pino from 'pino'
import { afterEach, expect, it } from 'vitest'
import { sources } from '../../../db/schema/collections'
import { jobs } from '../../../db/schema/jobs'
import { system } from '../../../server/actor'
import type { Overrides } from '../../../server/app'
import type { Embedder } from '../../../server/engine/ports/search-index'
import { createTestApp, type TestApp } from '../../support/app'
import { addressRef } from '../../support/refs'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { type Site, type SiteAnswer, startSite } from '../../support/sites/site'
import { until } from '../../support/until'

// A run's report covers that run only, whatever runs after it or in parallel.

let test: TestApp
let site: Site
let collection: CrawledCollection
afterEach(async () => {
  await test.close()
  await site.close()
})

const vector = () => new Float32Array(384).fill(1 / Math.sqrt(384))
const embedderOf = (model: string): Embedder => ({
  model,
  dimensions: 384,
  embedPassages: async (texts) => texts.map(vector),
  embedQuery: async () => vector(),
  close: async () => {},
})
const page = (title: string, text: string, links: string[] = []) =>
  `<title>${title}</title><main><h1>${title}</h1><p>${text}</p>${links.map((path) => `<a href="${path}">${path}</a>`).join(' ')}</main>`

async function start(answers: Record<string, SiteAnswer>, overrides: Overrides = {}): Promise<void> {
  site = await startSite(answers)
  test = await createTestApp({}, overrides)
  collection = await createCollection({}, 'Fennel', test)
}

const reports = async (id: string) =>
  (
    await test.app.services.runControl.reports(
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
      { page: 1, limit: 20 },
    )
  ).docs

it('counts an embedding in the run that created its fragment, also after the next run', async () => {
  await start({ '/': page('Lamps', 'All of our lamps.', ['/storm']), '/storm': page('Storm', 'It burns in any wind.') })
  const id = await collection.add({ type: 'domain', url: site.origin })
  expect(await collection.source(id)).toMatchObject({ pending_embeddings: 2, last_run: { fragments: 2, embedded: 0 } })
  site.set('/storm', page('Storm', 'It burns in rain as well.'))
  await collection.refresh(id)
  expect((await reports(id)).map(({ fragments, embedded }) => [fragments, embedded])).toEqual([
    [1, 0],
    [2, 0],
  ])
  await test.app.services.embedding.ready(embedderOf('one'))
  await test.runner.idle()
  // One fragment of the first run has gone before its vector came.
  const counted = [
    [1, 1],
    [2, 1],
  ]
  expect((await reports(id)).map(({ fragments, embedded }) => [fragments, embedded])).toEqual(counted)
  expect((await collection.source(id)).pending_embeddings).toBe(0)
  await test.app.services.embedding.ready(embedderOf('two'))
  await test.runner.idle()
  expect((await reports(id)).map(({ fragments, embedded }) => [fragments, embedded])).toEqual(counted)
})

it('retrying one address changes neither the last full run nor the schedule', async () => {
  await start({
    '/': page('Lamps', 'All of our lamps.', ['/storm', '/gone']),
    '/storm': page('Storm', 'It burns in any wind.'),
  })
  const id = await collection.add({ type: 'domain', url: site.origin })
  const before = await collection.source(id)
  expect(before.last_full_run).toEqual(before.last_run)
  expect(before.last_run?.rejected).toMatchObject([{ reason: 'not-found', count: 1 }])
  const address = (await collection.addresses())['/storm']?.id ?? ''
  await test.app.services.addresses.retry(system, addressRef(collection, address))
  await test.runner.idle()
  const after = await collection.source(id)
  expect(after.last_run).toMatchObject({ kind: 'address', checked: 1, rejected: [] })
  expect(after).toMatchObject({
    last_full_run: before.last_run,
    refreshed_at: before.refreshed_at,
    refresh_due_at: before.refresh_due_at,
  })
})

it('a run that is being cancelled cannot be joined; with auto another one follows', async () => {
  const paths = Array.from({ length: 12 }, (_, index) => `/page-${index}`)
  const pages = paths.map((path): [string, SiteAnswer] => [path, { body: page(path, `About ${path}.`), delayMs: 150 }])
  await start({ '/': page('Lamps', 'All of our lamps.', paths), ...Object.fromEntries(pages) })
  const { app, runner } = test
  const id = await collection.add({ type: 'domain', url: site.origin }, false)
  await until(() => site.visited().includes('/page-0'))
  const place = [
    system,
    { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
  ] as const
  await app.services.runControl.cancel(...place)
  const cancelled = (await collection.source(id)).last_run
  expect(cancelled).toMatchObject({ cancelled: true, finished_at: null })
  const refused = app.services.runControl.refresh(...place, { crawl: true, auto: false }, { waitMs: 0 })
  await expect(refused).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('being cancelled') })
  const joined = await app.services.runControl.refresh(...place, { crawl: true, auto: true })
  expect(joined).toMatchObject({ success: true, status: 'crawling' })
  expect((await collection.source(id)).last_run?.id).not.toBe(cancelled?.id)
  await runner.idle()
  expect((await reports(id)).map((run) => run.cancelled)).toEqual([false, true])
  expect(await collection.source(id)).toMatchObject({ status: 'idle', last_run: { cancelled: false, checked: 13 } })
})

it('a paused run that is cancelled does not continue in parallel with the next one', async () => {
  const paths = Array.from({ length: 20 }, (_, index) => `/page-${index}`)
  const pages = paths.map((path): [string, SiteAnswer] => [path, { body: page(path, `About ${path}.`), delayMs: 100 }])
  await start({ '/': page('Lamps', 'All of our lamps.', paths), ...Object.fromEntries(pages) })
  const { app, runner } = test
  const id = await collection.add({ type: 'domain', url: site.origin }, false)
  await until(() => site.visited().includes('/page-0'))
  const place = [
    system,
    { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
  ] as const
  await app.services.runControl.pause(...place)
  await runner.idle()
  await runner.stop()
  await app.services.runControl.cancel(...place)
  const refused = app.services.runControl.refresh(...place, { crawl: true, auto: true }, { waitMs: 0 })
  await expect(refused).rejects.toMatchObject({ code: 'conflict' })
})

it('a run whose source is purged ends silently', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  const map =
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{origin}/storm</loc></url></urlset>'
  await start({ '/sitemap.xml': { body: map, delayMs: 500 } }, { log })
  const id = await collection.add({ type: 'sitemap', url: `${site.origin}/sitemap.xml` }, false)
  await until(() => site.visited().includes('/sitemap.xml'))
  await test.app.db.write((tx) => tx.delete(sources).where(eq(sources.id, id)))
  await test.runner.idle()
  expect(lines).toEqual([])
  expect(await test.app.db.read.$count(jobs, eq(jobs.kind, 'crawl-source'))).toBe(0)
})
