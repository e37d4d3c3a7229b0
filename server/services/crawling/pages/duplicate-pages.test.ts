import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addresses, fragments } from '../../../../db/schema/addresses'
import { openTestApp } from '../../../../tests/support/app'
import { system } from '../../../actor'
import type { App } from '../../../app'
import type { FileReading } from '../../../engine/documents/ports'
import type { AddressRow, RunContext } from '../runs/run-context'
import type { ReadPage } from './store-page'

const site = 'http://127.0.0.1:9'
let app: App
let work: RunContext
beforeEach(async () => {
  app = (await openTestApp()).app
  const { id: orgId } = await app.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { id: collectionId } = await app.collections.create(system, orgId, { name: 'Pages', description: '' })
  const input = { type: 'domain' as const, name: '', url: `${site}/` }
  const { id } = await app.sources.create(system, orgId, collectionId, input)
  const run = (await app.sources.get(system, orgId, collectionId, id)).last_run?.id ?? ''
  const found = await app.crawls.resume(id, run)
  if (!found) throw new Error('There is no run.')
  work = found
})
afterEach(() => app.close())

const at = (path: string) => `${site}${path}`

function pageOf(text: string): ReadPage {
  const passages = [`${text} 0`, `${text} 1`].map((passage, ordinal) => ({
    ...{ ordinal, text: passage, title: text, headings: [], innerHeadings: [], anchor: null },
    ...{ hash: passage, tokens: 2, language: 'en' },
  }))
  return {
    ...{ httpStatus: 200, contentType: 'text/html', bytes: 10, etag: '"1"', lastModified: null, language: 'en' },
    ...{ title: text, description: '', textHash: text, note: null, unavailableAfter: null },
    ...{ publishedAt: null, modifiedAt: null, fragments: passages },
    kept: { blocks: new Uint8Array(), hashes: new Uint8Array() },
  }
}

/** In the order of the paths. */
async function claim(...paths: string[]): Promise<AddressRow[]> {
  await app.crawls.list(
    work,
    paths.map((path) => ({ url: at(path), depth: 0, discoveredFrom: at('/') })),
  )
  const rows = await app.crawls.claim(work, paths.length)
  const claimed = rows === 'used-up' ? [] : rows
  return paths.flatMap((path) => claimed.filter(({ url }) => url === at(path)))
}

/** Puts them on the list of the run again and takes them, as the next run does. */
async function claimAgain(...rows: AddressRow[]): Promise<AddressRow[]> {
  await app.db.write((tx) => tx.update(addresses).set({ status: 'pending' }))
  const claimed = await app.crawls.claim(work, 100)
  return rows.flatMap((row) => (claimed === 'used-up' ? [] : claimed.filter(({ id }) => id === row.id)))
}

const store = (address: AddressRow, text: string) => app.crawls.storePage(work, address, pageOf(text), [])

async function rowOf(path: string) {
  const [row] = await app.db.read
    .select()
    .from(addresses)
    .where(eq(addresses.url, at(path)))
  if (!row) throw new Error('There is no such address.')
  const keys = await app.db.read
    .select({ key: fragments.key })
    .from(fragments)
    .where(eq(fragments.addressId, row.id))
    .orderBy(fragments.ordinal)
  return { ...row, keys: keys.map(({ key }) => key) }
}

describe('addresses with the same text', () => {
  it('have the same keeper in whatever order they are stored, and the text once', async () => {
    const paths = ['', '/b', '/aa', '/ab', '?id=7']
    for (const [number, order] of permutations(paths).entries()) {
      const folder = `/${number + 100}`
      const rows = await claim(...order.map((path) => folder + path))
      await Promise.all(rows.map((row) => store(row, folder)))
      const keeper = await rowOf(folder)
      expect(keeper, order.join(' ')).toMatchObject({ status: 'idle', reason: null, canonicalUrl: null, fragments: 2 })
      expect(keeper.keys).toHaveLength(2)
      for (const path of paths.slice(1)) {
        expect(await rowOf(folder + path), `${order.join(' ')}: ${path}`).toMatchObject({
          ...{ status: 'idle', reason: 'duplicate', canonicalUrl: keeper.url, fragments: 0, keys: [] },
          message: expect.stringContaining(keeper.url),
        })
      }
    }
    const [run] = await app.sources
      .list(system, work.source.organizationId, work.source.collectionId, { page: 1, limit: 1 })
      .then(({ docs }) => docs.map((source) => source.last_run))
    expect(run).toMatchObject({ new: 120, fragments: 240, checked: 600 })
  }, 60_000)

  it('leave it to the better one while the other is under way', async () => {
    const [old] = await claim('/old-storm')
    if (!old) throw new Error('Nothing was claimed.')
    await store(old, 'Storm')
    const { keys } = await rowOf('/old-storm')
    for (const [path, finish] of [
      ['/storm-1', (address: AddressRow) => app.crawls.storeUnchanged(work, address)],
      ['/storm', (address: AddressRow) => store(address, 'Storm')],
    ] as const) {
      const [better] = await claim(path)
      const [underWay] = await claimAgain(old)
      if (!better || !underWay) throw new Error('Nothing was claimed.')
      await app.db.write((tx) => tx.update(addresses).set({ status: 'crawling' }).where(eq(addresses.id, better.id)))
      await store(better, 'Storm')
      await finish(underWay)
      expect(await rowOf(path)).toMatchObject({ reason: null, fragments: 2, keys })
      expect(await rowOf('/old-storm')).toMatchObject({ reason: 'duplicate', canonicalUrl: at(path), keys: [] })
    }
    expect(await rowOf('/storm-1')).toMatchObject({ reason: 'duplicate', canonicalUrl: at('/storm') })
  })

  it('lose nothing where the one that gave way while it was under way turns out to be gone', async () => {
    const [old] = await claim('/old-storm')
    if (!old) throw new Error('Nothing was claimed.')
    await store(old, 'Storm')
    const [better] = await claim('/storm')
    const [underWay] = await claimAgain(old)
    if (!better || !underWay) throw new Error('Nothing was claimed.')
    await app.db.write((tx) => tx.update(addresses).set({ status: 'crawling' }).where(eq(addresses.id, better.id)))
    await store(better, 'Storm')
    await app.crawls.storeRefusal(work, underWay, { reason: 'gone', message: '', httpStatus: 410, withdraw: true })
    expect((await rowOf('/storm')).keys).toHaveLength(2)
    expect(await rowOf('/old-storm')).toMatchObject({ status: 'fail', reason: 'gone', canonicalUrl: null, keys: [] })
    const { organizationId, collectionId, id } = work.source
    expect((await app.sources.get(system, organizationId, collectionId, id)).last_run).toMatchObject({ withdrawn: 0 })
  })

  it('are kept once where long documents end together', async () => {
    for (const [number, passages] of [700, 10].entries()) {
      const [long, short] = await claim(`/prices-of-lamps-${number}`, `/prices-${number}`)
      if (!long || !short) throw new Error('Nothing was claimed.')
      await Promise.all([storeDocument(long, 700, `${number}`), storeDocument(short, passages, `${number}`)])
      const keeper = await rowOf(`/prices-${number}`)
      expect(keeper).toMatchObject({ status: 'idle', reason: null, fragments: passages, committedThroughKey: null })
      expect(keeper.keys).toHaveLength(passages)
      expect(await rowOf(`/prices-of-lamps-${number}`)).toMatchObject({
        ...{
          status: 'idle',
          reason: 'duplicate',
          canonicalUrl: keeper.url,
          fragments: 0,
          keys: [],
          committedThroughKey: null,
        },
      })
    }
  })

  it('leave a long document alone that is stored at the moment, which gives way at its end', async () => {
    const [old] = await claim('/old-prices')
    if (!old) throw new Error('Nothing was claimed.')
    await storeDocument(old, 700, 'Prices')
    const [better] = await claim('/prices')
    const [underWay] = await claimAgain(old)
    if (!better || !underWay) throw new Error('Nothing was claimed.')
    await app.db.write((tx) => tx.update(addresses).set({ status: 'crawling' }).where(eq(addresses.id, better.id)))
    const storeBetter = () => storeDocument(better, 700, 'Prices')
    await storeDocument(underWay, 700, 'Prices', storeBetter)
    expect((await rowOf('/prices')).keys).toHaveLength(700)
    expect(await rowOf('/old-prices')).toMatchObject({ reason: 'duplicate', canonicalUrl: at('/prices'), keys: [] })
  })
})

/** `beforeEnd` happens when all of it was handed over. */
async function storeDocument(address: AddressRow, passages: number, text: string, beforeEnd = async () => {}) {
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
  const unknown = { lastModified: null, unavailableAfter: null }
  await app.documents.store(work, address, { ...source, ...unknown }, readings())
}

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}
