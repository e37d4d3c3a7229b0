import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { SourceInput } from '../../../contract/sources/source'
import type { PreviewSummary } from '../../../contract/views/preview'
import { addresses, fragments } from '../../../db/schema/addresses'
import { system } from '../../../server/actor'
import { crawledSite } from '../../support/sites/crawled-site'
import type { SiteAnswer, SitePage } from '../../support/sites/site'

// One of several addresses with the same text is indexed, independent of the order of fetching. The preview names it.

const { collection, site, open } = crawledSite()

const page = (title: string, links: string[] = []) =>
  `<html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>
   <p>All about ${title}, with some words of its own.</p></main>
   <nav>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</nav></body></html>`

const storms = ['/print/storm', '/storm?id=40', '/a-storm', '/storm', '/wind']
const desks = ['/b/desk', '/a/desk', '/desk/']

/** Responds with 429 first, so that it is fetched after the others. */
function late(body: string): SiteAnswer {
  let asked = 0
  return (): SitePage => (asked++ === 0 ? { status: 500 } : { body })
}

function pages(isLate: (path: string) => boolean): Record<string, SiteAnswer> {
  const answer = (path: string, body: string) => [path, isLate(path) ? late(body) : body] as const
  return {
    '/': page('Lamps', [...storms, ...desks]),
    ...Object.fromEntries(storms.map((path) => answer(path, page('Storm')))),
    ...Object.fromEntries(desks.map((path) => answer(path, page('Desk')))),
    '/storm': isLate('/storm') ? late(page('Storm', ['/s'])) : page('Storm', ['/s']),
    '/s': page('Storm'),
  }
}

/** By path: the path that is indexed instead, or the reason; null if it is indexed itself. */
async function fates(): Promise<Record<string, string | null>> {
  const all = Object.entries(await collection.addresses())
  return Object.fromEntries(
    all.map(([path, { reason, canonical_url: second }]) => [path, second?.slice(site.origin.length) ?? reason]),
  )
}

/** The last event of each address, and the totals. */
async function previewed(options: Partial<SourceInput> = {}) {
  const told: Record<string, string | null> = {}
  let sums: PreviewSummary | undefined
  const { signal } = new AbortController()
  const input = { type: 'domain' as const, name: '', url: site.origin, ...options }
  for await (const event of await collection.test.app.services.sources.preview(
    system,
    { organizationId: collection.orgId, collectionId: null },
    input,
    signal,
  )) {
    if (event.kind !== 'address') sums = event
    else {
      const { pathname, search } = new URL(event.address)
      told[pathname + search] = event.in ? null : (event.reason ?? '')
    }
  }
  return { told, sums }
}

const storedFragments = () => collection.test.app.db.read.$count(fragments)

describe('pages with the same text', () => {
  it.each([
    ['in order', () => false],
    ['with the indexed one last', (path: string) => path === '/wind' || path === '/desk/'],
    ['with the others last', (path: string) => path !== '/wind' && path !== '/desk/' && path !== '/'],
  ])(
    'are indexed under one address, fetched %s',
    async (_order, isLate) => {
      await open(pages(isLate))
      const id = await collection.add({ type: 'domain', url: site.origin })
      const expected: Record<string, string | null> = {
        '/': null,
        '/s': null,
        ...Object.fromEntries(storms.map((path) => [path, '/s'])),
        '/desk/': null,
        '/a/desk': '/desk/',
        '/b/desk': '/desk/',
      }
      expect(await fates()).toEqual(expected)
      const rows = await collection.addresses()
      expect(Object.values(rows).map(({ fragments: count }) => count > 0)).toEqual(
        Object.keys(rows).map((path) => expected[path] === null),
      )
      expect(rows['/wind']).toMatchObject({
        status: 'idle',
        reason: 'duplicate',
        message: expect.stringContaining(`${site.origin}/s`),
      })
      expect(await storedFragments()).toBe(3)
      const { last_run: run } = await collection.source(id)
      expect(run).toMatchObject({ new: 3, fragments: 3, checked: 10 })

      const { told, sums } = await previewed()
      const out = Object.entries(expected).map(([path, second]) => [path, second === null ? null : 'duplicate'])
      expect(told).toEqual(Object.fromEntries(out))
      expect(sums).toMatchObject({ kind: 'done', found: 10, in: 3, out: 7, read: 10, reasons: [{ count: 7 }] })
      expect(sums?.folders).toContainEqual({ folder: '/', in: 2, out: 4 })
    },
    60_000,
  )

  it('move to another address in a later run with their fragments, and back if that address is removed', async () => {
    await open({ '/': page('Lamps', ['/old-storm', '/older-storm', '/desk']), '/desk': page('Desk') })
    site.set('/old-storm', page('Storm'))
    site.set('/older-storm', page('Storm'))
    const id = await collection.add({ type: 'domain', url: site.origin })
    const before = await storedKeys()
    site.set('/', page('Lamps', ['/old-storm', '/older-storm', '/desk', '/storm']))
    site.set('/storm', page('Storm'))
    const second = await collection.refresh(id)
    expect(second.last_run).toMatchObject({
      checked: 5,
      fetched: 2,
      unchanged: 3,
      new: 0,
      canonicalized: 2,
      fragments: 0,
    })
    expect(await fates()).toMatchObject({ '/storm': null, '/old-storm': '/storm', '/older-storm': '/storm' })
    const moved = await storedKeys()
    expect(moved['/storm']).toEqual(before['/old-storm'])
    expect(Object.keys(moved).sort()).toEqual(['/', '/desk', '/storm'])

    const asked = site.requests.length
    const third = await collection.refresh(id)
    expect(third.last_run).toMatchObject({ checked: 5, fetched: 0, unchanged: 3, canonicalized: 2, fragments: 0 })
    const pagesAsked = site.requests.slice(asked).filter(({ path }) => /^\/$|storm|desk/.test(path))
    expect(pagesAsked.map(({ headers }) => 'if-none-match' in headers)).toEqual(Array.from({ length: 5 }, () => true))

    site.set('/storm', { status: 410 })
    const fourth = await collection.refresh(id)
    expect(fourth.last_run).toMatchObject({ withdrawn: 1 })
    expect(await fates()).toMatchObject({ '/storm': 'gone', '/old-storm': null, '/older-storm': '/old-storm' })
    expect(await storedFragments()).toBe(3)
  })

  it('stay duplicates after a failure in between', async () => {
    await open({
      '/': page('Lamps', ['/storm', '/old-storm']),
      '/storm': page('Storm'),
      '/old-storm': page('Storm'),
    })
    const id = await collection.add({ type: 'domain', url: site.origin })
    const twin = (await collection.addresses())['/old-storm']
    expect(twin).toMatchObject({ reason: 'duplicate' })
    const body = page('Storm')
    let failed = false
    site.set('/old-storm', ({ headers }) => {
      const isAgain = failed
      failed = true
      if (!isAgain) return { status: 500 }
      return headers['if-none-match'] ? { status: 304 } : { body }
    })
    await collection.refresh(id)
    expect((await collection.addresses())['/old-storm']).toMatchObject({
      status: 'idle',
      reason: 'duplicate',
      message: twin?.message,
      canonical_url: twin?.canonical_url,
    })
  })

  it('are not merged into a front page that is fetched only for its links', async () => {
    await open({ '/': page('Lamps', ['/all/lamps']), '/all/lamps': page('Lamps') })
    const include = ['/all/**']
    await collection.add({ type: 'domain', url: site.origin, include })
    expect(await fates()).toEqual({ '/': 'excluded', '/all/lamps': null })
    expect((await previewed({ include })).told).toEqual({ '/': 'excluded', '/all/lamps': null })
  })
})

/** Of all fragments, by the path of their address. */
async function storedKeys(): Promise<Record<string, number[]>> {
  const rows = await collection.test.app.db.read
    .select({ key: fragments.key, url: addresses.url })
    .from(fragments)
    .innerJoin(addresses, eq(addresses.id, fragments.addressId))
  const keys: Record<string, number[]> = {}
  for (const { key, url } of rows) {
    const { pathname } = new URL(url)
    keys[pathname] = [...(keys[pathname] ?? []), key]
  }
  return keys
}
