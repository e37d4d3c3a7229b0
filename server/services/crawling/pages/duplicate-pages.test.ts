import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addresses, fragments } from '../../../../db/schema/addresses'
import { openTestApp } from '../../../../tests/support/app'
import { system } from '../../../actor'
import type { App } from '../../../app'
import type { FetchedPage } from '../../../engine/crawl/fetch/page-outcome'
import type { FileReading } from '../../../engine/documents/ports'
import { type RunContext, takeRun } from '../../runs/run-context'
import { openVisits } from '../../runs/visits'
import type { Visit } from '../frontier/frontier'
import type { Finding } from './decide'
import { textOfPage } from './read-text'

const site = 'http://127.0.0.1:9'
let app: App
let run: RunContext
beforeEach(async () => {
  app = (await openTestApp()).app
  const { id: orgId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Pages', description: '' })
  const input = { type: 'domain' as const, name: '', url: `${site}/` }
  const { id } = await app.services.sources.create(system, { organizationId: orgId, collectionId }, input)
  const runId =
    (await app.services.sources.get(system, { organizationId: orgId, collectionId, sourceId: id })).last_run?.id ?? ''
  const found = await takeRun(app.db, id, runId)
  if (!found) throw new Error('There is no run.')
  run = found
})
afterEach(() => app.close())

const urlOf = (path: string) => `${site}${path}`

function pageOf(text: string): FetchedPage {
  const fragments = [`${text} 0`, `${text} 1`].map((passage, ordinal) => ({
    ...{ ordinal, text: passage, title: text, headings: [], innerHeadings: [], anchor: null },
    ...{ hash: passage, tokens: 2, language: 'en' },
  }))
  return {
    ...{ kind: 'fetched', httpStatus: 200, contentType: 'text/html', bytes: 10, etag: '"1"', lastModified: null },
    document: {
      ...{ title: text, description: '', language: 'en', canonical: null, noindex: false, nofollow: false },
      ...{
        unavailableAfter: null,
        interstitial: null,
        forward: null,
        textFrom: 'page',
        isLinkList: false,
        publishedAt: null,
        author: '',
        siteName: '',
        icon: null,
        modifiedAt: null,
      },
    },
    ...{ unavailableAfter: null, fragments, textHash: text, links: [], excludedLinks: [], feeds: [] },
    languages: new Map(),
    pageBlocks: { blocks: new Uint8Array(), hashes: new Uint8Array() },
  }
}

/** In the order of the paths. */
async function claim(...paths: string[]): Promise<Visit[]> {
  await app.services.crawling.frontier.enqueue(
    run,
    paths.map((path) => ({ url: urlOf(path), depth: 0, discoveredFrom: urlOf('/') })),
  )
  const rows = await app.services.crawling.frontier.claim(run, paths.length)
  const claimed = rows === 'out-of-crawls' ? [] : rows
  return paths.flatMap((path) => claimed.filter(({ url }) => url === urlOf(path)))
}

/** Visits the address again, as the next run does. */
async function claimAgain({ addressId }: Visit): Promise<Visit[]> {
  await app.db.write(async (tx) => {
    await openVisits(tx, run.runId, await tx.select().from(addresses).where(eq(addresses.id, addressId)))
  })
  const claimed = await app.services.crawling.frontier.claim(run, 100)
  return claimed === 'out-of-crawls' ? [] : claimed
}

const apply = (visit: Visit, finding: Finding) => app.services.crawling.applyVisit(run, visit, finding)
const store = (visit: Visit, text: string) => {
  const page = pageOf(text)
  return app.services.crawling.applyVisit(run, visit, textOfPage(page), page)
}

async function rowOf(path: string) {
  const [row] = await app.db.read
    .select()
    .from(addresses)
    .where(eq(addresses.url, urlOf(path)))
  if (!row) throw new Error('There is no such address.')
  const keys = await app.db.read
    .select({ key: fragments.key })
    .from(fragments)
    .where(eq(fragments.addressId, row.id))
    .orderBy(fragments.ordinal)
  return { ...row, keys: keys.map(({ key }) => key) }
}

describe('pages with the same text', () => {
  it('have the same owner in every order of storing, and the text once', async () => {
    const paths = ['', '/b', '/aa', '/ab', '?id=7']
    for (const [number, order] of permutations(paths).entries()) {
      const folder = `/${number + 100}`
      const rows = await claim(...order.map((path) => folder + path))
      await Promise.all(rows.map((row) => store(row, folder)))
      const owner = await rowOf(folder)
      expect(owner, order.join(' ')).toMatchObject({ status: 'idle', reason: null, canonicalUrl: null, fragments: 2 })
      expect(owner.keys).toHaveLength(2)
      for (const path of paths.slice(1)) {
        expect(await rowOf(folder + path), `${order.join(' ')}: ${path}`).toMatchObject({
          ...{ status: 'idle', reason: 'duplicate', canonicalUrl: owner.url, fragments: 0, keys: [] },
          message: expect.stringContaining(owner.url),
        })
      }
    }
    const [report] = await app.services.sources
      .list(system, run.source, { page: 1, limit: 1 })
      .then(({ docs }) => docs.map((source) => source.last_run))
    expect(report).toMatchObject({ new: 120, fragments: 240, checked: 600 })
  }, 60_000)

  it('leave the text to the preferred page while the other is fetched', async () => {
    const [old] = await claim('/old-storm')
    if (!old) throw new Error('Nothing was claimed.')
    await store(old, 'Storm')
    const { keys } = await rowOf('/old-storm')
    for (const [path, finish] of [
      ['/storm-1', (visit: Visit) => apply(visit, { kind: 'unchanged' })],
      ['/storm', (visit: Visit) => store(visit, 'Storm')],
    ] as const) {
      const [preferred] = await claim(path)
      const [claimedAgain] = await claimAgain(old)
      if (!preferred || !claimedAgain) throw new Error('Nothing was claimed.')
      await store(preferred, 'Storm')
      await finish(claimedAgain)
      expect(await rowOf(path)).toMatchObject({ reason: null, fragments: 2, keys })
      expect(await rowOf('/old-storm')).toMatchObject({ reason: 'duplicate', canonicalUrl: urlOf(path), keys: [] })
    }
    expect(await rowOf('/storm-1')).toMatchObject({ reason: 'duplicate', canonicalUrl: urlOf('/storm') })
  })

  it('keep the text when a page that was merged while it was fetched is gone', async () => {
    const [old] = await claim('/old-storm')
    if (!old) throw new Error('Nothing was claimed.')
    await store(old, 'Storm')
    const [preferred] = await claim('/storm')
    const [claimedAgain] = await claimAgain(old)
    if (!preferred || !claimedAgain) throw new Error('Nothing was claimed.')
    await store(preferred, 'Storm')
    await apply(claimedAgain, { kind: 'gone', reason: 'gone', message: '', httpStatus: 410 })
    expect((await rowOf('/storm')).keys).toHaveLength(2)
    expect(await rowOf('/old-storm')).toMatchObject({ status: 'fail', reason: 'gone', canonicalUrl: null, keys: [] })
    const { organizationId, collectionId, id } = run.source
    expect(
      (await app.services.sources.get(system, { organizationId, collectionId, sourceId: id })).last_run,
    ).toMatchObject({
      withdrawn: 0,
    })
  })

  it('are stored once when long documents end together', async () => {
    for (const [number, passages] of [700, 10].entries()) {
      const [long, short] = await claim(`/prices-of-lamps-${number}`, `/prices-${number}`)
      if (!long || !short) throw new Error('Nothing was claimed.')
      await Promise.all([storeDocument(long, 700, `${number}`), storeDocument(short, passages, `${number}`)])
      const owner = await rowOf(`/prices-${number}`)
      expect(owner).toMatchObject({ status: 'idle', reason: null, fragments: passages, committedThroughKey: null })
      expect(owner.keys).toHaveLength(passages)
      expect(await rowOf(`/prices-of-lamps-${number}`)).toMatchObject({
        ...{
          status: 'idle',
          reason: 'duplicate',
          canonicalUrl: owner.url,
          fragments: 0,
          keys: [],
          committedThroughKey: null,
        },
      })
    }
  })

  it('merge a long document at its end when another took its text meanwhile', async () => {
    const [old] = await claim('/old-prices')
    if (!old) throw new Error('Nothing was claimed.')
    await storeDocument(old, 700, 'Prices')
    const [preferred] = await claim('/prices')
    const [claimedAgain] = await claimAgain(old)
    if (!preferred || !claimedAgain) throw new Error('Nothing was claimed.')
    const storeBetter = () => storeDocument(preferred, 700, 'Prices')
    await storeDocument(claimedAgain, 700, 'Prices', storeBetter)
    expect((await rowOf('/prices')).keys).toHaveLength(700)
    expect(await rowOf('/old-prices')).toMatchObject({ reason: 'duplicate', canonicalUrl: urlOf('/prices'), keys: [] })
  })
})

/** Calls `beforeEnd` after all fragments, before the end. */
async function storeDocument(visit: Visit, passages: number, text: string, beforeEnd = async () => {}) {
  async function* readings(): AsyncGenerator<FileReading> {
    const all = Array.from({ length: passages }, (_, ordinal) => ({
      ...{ ordinal, text: `${text} ${ordinal}`, title: text, headings: [], innerHeadings: [], anchor: null },
      ...{ hash: `${text} ${ordinal}`, tokens: 2, language: 'en' },
    }))
    yield { kind: 'fragments', fragments: all }
    await beforeEnd()
    yield { kind: 'end', textHash: `document ${text}` }
  }
  const source = { name: text, httpStatus: 200, contentType: 'text/csv', bytes: 10, etag: '"1"' }
  const unknown = { lastModified: null, unavailableAfter: null, file: null }
  await app.services.crawling.storeDocument(run, visit, { ...source, ...unknown }, readings())
}

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}
