import { sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { system } from '../../../server/actor'
import { addressRef } from '../../support/refs'
import { crawledSite } from '../../support/sites/crawled-site'
import { type SiteAnswer, startSite } from '../../support/sites/site'

const { collection, site, open } = crawledSite()

const page = (text: string, links: string[] = [], head = '') =>
  `<!doctype html><html lang="en"><head><title>${text}</title>${head}</head><body><main><h1>${text}</h1>
   <p>The ${text} is described here with some words of its own, enough for a fragment.</p></main>
   <nav>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</nav></body></html>`

async function reasons() {
  const all = Object.entries(await collection.addresses())
  return Object.fromEntries(all.map(([path, { status, reason }]) => [path, reason ?? status]))
}

it('assigns the language that pages and sitemaps declare to addresses that declare none', async () => {
  const numbers = (text: string) => `<html><main><p>${text}</p></main></html>`
  const url = await open({
    '/': page('Front', [], '<link rel="alternate" hreflang="pt-BR" href="/numbers">'),
    '/numbers': numbers('10 20 30'),
    '/more': numbers('40 50 60'),
    '/sitemap.xml': {
      headers: { 'content-type': 'application/xml' },
      body: '<urlset><url><loc>{origin}/</loc><l:link rel="alternate" hreflang="de" href="{origin}/more"/></url></urlset>',
    },
  })
  await collection.add({ type: 'domain', url })
  const { '/': front, '/numbers': first, '/more': second } = await collection.addresses()
  expect([front?.language, first?.language, second?.language]).toEqual(['en', 'pt-br', 'de'])
})

describe('options of a source', () => {
  it('apply the patterns, fetch the front page for its links, and show excluded addresses', async () => {
    const url = await open({
      '/': page('Front', ['/docs/a', '/docs/private/b', '/blog/c']),
      '/docs/a': page('Alpha', ['/blog/d']),
      '/docs/private/b': page('Beta'),
      '/blog/c': page('Gamma'),
      '/blog/d': page('Delta'),
    })
    const id = await collection.add({ type: 'domain', url, include: ['/docs'], exclude: ['/docs/private/**'] })
    expect(await reasons()).toEqual({
      '/': 'excluded',
      '/docs/a': 'idle',
      '/docs/private/b': 'excluded',
      '/blog/c': 'excluded',
      '/blog/d': 'excluded',
    })
    expect(site.visited()).not.toContain('/blog/c')
    const { last_run: run } = await collection.source(id)
    // The front page alone was looked at.
    expect(run?.rejected).toMatchObject([{ reason: 'excluded', count: 1 }])
    expect(run?.skipped).toMatchObject([{ reason: 'excluded', count: 3 }])

    await collection.test.app.services.sources.edit(
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
      { include: ['/blog'], exclude: [] },
    )
    await collection.refresh(id)
    const after = await collection.addresses()
    expect(after['/docs/a']).toMatchObject({ reason: 'excluded', fragments: 0 })
    expect(after['/blog/c']).toMatchObject({ status: 'idle', reason: null })
    expect(await fragmentPaths()).toEqual(['/blog/c', '/blog/d'])
  })

  it('apply the limits of pages and of depth', async () => {
    const url = await open({
      '/': page('Front', ['/1', '/2', '/3']),
      '/1': page('One', ['/1/1']),
      '/2': page('Two'),
      '/3': page('Three'),
      '/1/1': page('Deeper', ['/1/1/1']),
      '/1/1/1': page('Deepest'),
    })
    const id = await collection.add({ type: 'domain', url, max_depth: 1, max_pages: 3 })
    expect(await reasons()).toEqual({
      '/': 'idle',
      '/1': 'idle',
      '/2': 'idle',
      '/3': 'over-limit',
      '/1/1': 'over-depth',
    })
    expect(await collection.source(id)).toMatchObject({ status: 'url-limit', last_run: { ignored: 1, new: 3 } })
    await collection.test.app.services.sources.edit(
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
      { max_depth: null, max_pages: null },
    )
    await collection.refresh(id)
    expect(new Set(Object.values(await reasons()))).toEqual(new Set(['idle']))
    expect((await collection.source(id)).status).toBe('idle')
  })

  it('seal headers and credentials, send them only to the own origin, and show only their names', async () => {
    const otherSite = await startSite({ '/': page('Elsewhere') })
    const url = await open({
      '/': ({ headers }) =>
        headers.authorization === `Basic ${Buffer.from('ada:pepper').toString('base64')}` &&
        headers['x-door'] === 'open'
          ? page('Inside', ['/out'])
          : { status: 401 },
      '/out': { status: 302, headers: { location: `${otherSite.origin}/` } },
    })
    const id = await collection.add({
      type: 'domain',
      url,
      headers: { 'X-Door': 'open' },
      username: 'ada',
      password: 'pepper',
    })
    const source = await collection.source(id)
    expect(source.options.header_names.sort()).toEqual(['Authorization', 'X-Door'])
    expect((await collection.addresses())['/']).toMatchObject({ status: 'idle', reason: null })
    expect(JSON.stringify(source)).not.toContain('pepper')
    const rows = await collection.test.app.db.read.execute(sql.raw('select * from sources'))
    expect(JSON.stringify(rows)).not.toMatch(/pepper|X-Door|YWRhOnBlcHBlcg/)
    for (const { headers } of otherSite.requests) expect(headers).not.toHaveProperty('x-door')

    await collection.test.app.services.sources.edit(
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
      { clear_headers: true },
    )
    await collection.refresh(id)
    expect((await collection.addresses())['/']).toMatchObject({ status: 'fail', reason: 'access-denied' })
    await otherSite.close()
  })

  it('plan the next refresh, and the schedule starts it', async () => {
    const url = await open({ '/': page('Front') })
    const id = await collection.add({ type: 'url', url: `${url}/`, refresh_interval: 'daily' })
    const due = Date.parse((await collection.source(id)).refresh_due_at ?? '') - Date.now()
    expect(due / 3_600_000).toBeGreaterThan(22)
    expect(due / 3_600_000).toBeLessThan(26)
    const { runControl, sources } = collection.test.app.services
    expect(await runControl.refreshDue()).toBe(0)
    expect(await runControl.refreshDue(new Date(Date.now() + 26 * 3_600_000))).toBe(1)
    await collection.test.runner.idle()
    expect((await collection.source(id)).last_run).toMatchObject({ checked: 1, unchanged: 1 })
    await sources.edit(
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
      { refresh_interval: 'never' },
    )
    expect((await collection.source(id)).refresh_due_at).toBeNull()
    expect(await runControl.refreshDue(new Date(Date.now() + 400 * 24 * 3_600_000))).toBe(0)
  })
})

describe('a refresh', () => {
  it('removes a page that is missing twice, and one that is gone for good at once', async () => {
    const url = await open({
      '/': page('Front', ['/a', '/b', '/c']),
      '/a': page('Alpha'),
      '/b': page('Beta'),
      '/c': page('Gamma'),
    })
    const id = await collection.add({ type: 'domain', url })
    site.set('/a', { status: 404 })
    site.set('/b', { status: 410 })
    site.set('/c', { status: 500 })
    const first = await collection.refresh(id)
    expect(first.last_run).toMatchObject({ withdrawn: 1 })
    expect(await collection.addresses()).toMatchObject({
      '/a': { status: 'fail', reason: 'missing-once', fragments: 1 },
      '/b': { status: 'fail', reason: 'gone', fragments: 0 },
    })
    site.set('/c', page('Gamma'))
    await collection.test.runner.idle()
    const second = await collection.refresh(id)
    expect(second.last_run).toMatchObject({ withdrawn: 1 })
    expect(await collection.addresses()).toMatchObject({ '/a': { reason: 'not-found', fragments: 0 } })
    expect(await fragmentPaths()).toEqual(['/', '/c'])
  }, 60_000)

  it('requests conditionally, embeds only new fragments, and reports what it did', async () => {
    const url = await open({ '/': page('Front', ['/a', '/b']), '/a': page('Alpha'), '/b': page('Beta') })
    const id = await collection.add({ type: 'domain', url })
    const before = site.requests.length
    site.set('/b', page('Beta, changed'))
    const { last_run: run } = await collection.refresh(id)
    expect(run).toMatchObject({ checked: 3, unchanged: 2, changed: 1, new: 0, fetched: 1, fragments: 1, kind: 'full' })
    const asked = site.requests.slice(before).filter(({ path }) => ['/', '/a', '/b'].includes(path))
    expect(asked).toHaveLength(3)
    expect(asked.every(({ headers }) => headers['if-none-match'])).toBe(true)
  })

  it('fetches again when the sitemap contradicts a 304', async () => {
    let text = 'Alpha'
    const liar: SiteAnswer = ({ headers }) =>
      headers['if-none-match'] ? { status: 304 } : { body: page(text), headers: { etag: '"always"' } }
    const map = (day: string) => `<urlset><url><loc>{origin}/a</loc><lastmod>${day}</lastmod></url></urlset>`
    const url = await open({ '/sitemap.xml': map('2020-01-01'), '/a': liar })
    const id = await collection.add({ type: 'sitemap', url: `${url}/sitemap.xml` })
    text = 'Omega'
    expect((await collection.refresh(id)).last_run).toMatchObject({ unchanged: 1, changed: 0 })
    site.set('/sitemap.xml', map('2099-01-01'))
    expect((await collection.refresh(id)).last_run).toMatchObject({ unchanged: 0, changed: 1 })
  })

  it('indexes the canonical address instead, or the page itself if that address is missing', async () => {
    const canonical = (to: string) => `<link rel="canonical" href="${to}">`
    const url = await open({
      '/': page('Front', ['/shop?from=1', '/lost', '/left', '/circle']),
      '/circle': page('Circle', [], canonical('/round')),
      '/round': { status: 301, headers: { location: '/circle' } },
      '/left': page('Left', [], canonical('/right')),
      '/right': page('Right', [], canonical('/left')),
      '/shop?from=1': page('Shop', [], canonical('/shop')),
      '/shop': page('Shop', [], canonical('/shop')),
      '/lost': page('Lost', [], canonical('/nowhere')),
    })
    await collection.add({ type: 'domain', url })
    expect(await collection.addresses()).toMatchObject({
      '/shop?from=1': { reason: 'canonical', canonical_url: `${site.origin}/shop`, fragments: 0 },
      '/shop': { reason: null, fragments: 1 },
      '/lost': { reason: null, fragments: 1 },
      '/nowhere': { reason: 'not-found' },
    })
    expect((await collection.addresses())['/circle']).toMatchObject({ reason: null, fragments: 1 })
    // Two that name each other: one of them is kept.
    expect((await fragmentPaths()).filter((path) => /left|right/.test(path))).toHaveLength(1)
  })

  it('indexes one of two pages with the same text, and the other once the first is removed', async () => {
    const url = await open({ '/': page('Front', ['/a', '/b']), '/a': page('Twin'), '/b': page('Twin') })
    const id = await collection.add({ type: 'domain', url })
    const kept = async () => (await fragmentPaths()).filter((path) => path !== '/')
    const [first = ''] = await kept()
    expect(await kept()).toHaveLength(1)
    expect(Object.values(await reasons()).sort()).toEqual(['duplicate', 'idle', 'idle'])
    site.set(first, { status: 410 })
    await collection.refresh(id)
    await collection.refresh(id)
    expect(await kept()).toEqual([first === '/a' ? '/b' : '/a'])
  })
})

describe('a person', () => {
  it('ignores an address until it is retried', async () => {
    const url = await open({ '/': page('Front', ['/a']), '/a': page('Alpha') })
    const id = await collection.add({ type: 'domain', url })
    const { addresses } = collection.test.app.services
    const alpha = (await collection.addresses())['/a']
    const ignored = await addresses.ignore(system, addressRef(collection, alpha?.id))
    expect(ignored).toMatchObject({ status: 'idle', reason: 'ignored', ignored: true, fragments: 0 })
    await collection.refresh(id)
    expect(await fragmentPaths()).toEqual(['/'])
    await addresses.retry(system, addressRef(collection, alpha?.id))
    await collection.test.runner.idle()
    expect((await collection.addresses())['/a']).toMatchObject({ reason: null, ignored: false, fragments: 1 })
    expect(await collection.source(id)).toMatchObject({ status: 'idle', last_run: { kind: 'address', checked: 1 } })
  })

  it('pauses a run, and resumes it where it stopped', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`/${n || ''}`, { body: page(`Page ${n}`, [`/${n + 1}`]), delayMs: 20 }]),
    )
    const url = await open(pages)
    const id = await collection.add({ type: 'domain', url }, false)
    const place = [
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
    ] as const
    const { runControl } = collection.test.app.services
    await expect.poll(async () => (await collection.source(id)).progress?.done ?? 0).toBeGreaterThan(3)
    await runControl.pause(...place)
    await collection.test.runner.idle()
    const held = await collection.source(id)
    expect(held).toMatchObject({ status: 'idle', reason: 'paused', paused: true, last_run: { finished_at: null } })
    await runControl.resume(...place)
    await collection.test.runner.idle()
    expect(await collection.source(id)).toMatchObject({
      status: 'idle',
      reason: null,
      paused: false,
      last_run: { new: 40 },
    })
    expect(new Set(site.visited()).size).toBe(site.visited().length)
  })

  it('does not retry what a run would exclude, nor over the limit of the plan', async () => {
    const url = await open({ '/': page('Front', ['/a', '/b']), '/a': page('Alpha'), '/b': page('Beta') })
    const id = await collection.add({ type: 'domain', url, max_pages: 2 })
    const { db } = collection.test.app
    const { addresses, runControl } = collection.test.app.services
    const beta = Object.values(await collection.addresses()).find(({ status }) => status === 'limit')?.id ?? ''
    const retry = () => addresses.retry(system, addressRef(collection, beta))
    await db.write((tx) => tx.execute(sql.raw(`update organizations set plan = 'free'`)))
    const fill = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000)
      insert into addresses (id, organization_id, collection_id, source_id, url, status, updated_at, created_at)
      select i, '${collection.orgId}', '${collection.collectionId}', '${id}', 'http://x.example/' || i, 'idle', 0, 0 from n`
    await db.write((tx) => tx.execute(sql.raw(fill)))
    await expect(retry()).rejects.toMatchObject({ code: 'quota_exceeded' })
    await db.write((tx) => tx.execute(sql.raw(`update organizations set plan = 'unlimited'`)))
    await db.write((tx) => tx.execute(sql.raw(`delete from addresses where url like 'http://x.example/%'`)))
    const place = [
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
    ] as const
    site.set('/robots.txt', { body: '', delayMs: 'never' })
    await runControl.refresh(...place, { crawl: false, auto: false }, { waitMs: 0 })
    await expect(retry()).rejects.toMatchObject({ code: 'conflict' })
    await runControl.cancel(...place)
  })

  it('does not block when waiting for a paused run', async () => {
    const url = await open({ '/robots.txt': { body: '', delayMs: 'never' } })
    const id = await collection.add({ type: 'domain', url }, false)
    const place = [
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
    ] as const
    const { runControl } = collection.test.app.services
    // A pause before the refresh has looked at the source would be resumed by it, as designed.
    const reads = vi.spyOn(collection.test.app.db.read, 'select')
    const waits = runControl.refresh(...place, { crawl: true, auto: true }, { waitMs: 20_000 })
    await expect.poll(() => reads.mock.calls.length).toBeGreaterThan(6)
    await runControl.pause(...place)
    expect(await waits).toMatchObject({ status: 'idle' })
  })

  it('reads the last twenty runs', async () => {
    const url = await open({ '/': page('Front') })
    const id = await collection.add({ type: 'url', url: `${url}/` })
    for (let run = 0; run < 22; run++) await collection.refresh(id)
    const { runControl } = collection.test.app.services
    const reports = await runControl.reports(
      system,
      { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id },
      { page: 1, limit: 25 },
    )
    expect(reports.total).toBe(20)
    expect(reports.docs[0]).toMatchObject({ kind: 'full', checked: 1, unchanged: 1, rejected: [], cancelled: false })
  })
})

async function fragmentPaths(): Promise<string[]> {
  const all = Object.entries(await collection.addresses())
  return all
    .filter(([, { fragments }]) => fragments > 0)
    .map(([path]) => path)
    .sort()
}
