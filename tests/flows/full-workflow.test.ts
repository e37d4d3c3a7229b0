import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../contract/views/chat/thread'
import { engine } from '../../db/engine'
import { system } from '../../server/actor'
import { createTransformersEmbedder } from '../../server/adapters/embedding/transformers'
import { crawlLimits } from '../../server/engine/limits'
import { createTestApp, type TestApp } from '../support/app'
import { createPerson } from '../support/people/people'
import { type Provider, startProvider } from '../support/providers/provider'
import { lampPaths, lampQuestions } from '../support/sites/lamp-pages'
import { lampSite, type Site } from '../support/sites/site'

let site: Site
let provider: Provider
let test: TestApp

beforeEach(async () => {
  site = await lampSite()
  provider = await startProvider()
})
afterEach(async () => {
  await test.close()
  await site.close()
  await provider.close()
})

/** An organization with a collection and the lamp shop's site in it. */
async function start(environment: Record<string, string> = {}, embedder = false) {
  const load = () => createTransformersEmbedder({ modelFolder: 'models/all-MiniLM-L6-v2' })
  test = await createTestApp(environment, embedder ? { embedder: load } : {})
  const { app } = test
  const creator = await createPerson(app, {})
  const organization = await app.services.organizations.create(creator, { name: 'Fennel', entity_name: '' })
  const admin = await createPerson(app, { [organization.id]: 'admin' })
  const collection = await app.services.collections.create(admin, organization.id, { name: 'Lamps', description: '' })
  return { app, admin, orgId: organization.id, collectionId: collection.id }
}

describe('the full workflow', () => {
  it('leads from a domain to fragments, search and an answer with sources', { timeout: 120_000 }, async () => {
    const environment = { OPENAI_API_KEY: 'key-of-the-test', OPENAI_BASE_URL: provider.baseUrl }
    const { app, admin, orgId, collectionId } = await start(environment, true)
    await app.startEmbedding()
    const created = await app.services.sources.create(
      admin,
      { organizationId: orgId, collectionId },
      {
        type: 'domain',
        name: '',
        url: `${site.origin}/lamps/`,
      },
    )
    expect(created).toMatchObject({ status: 'processing', url: `${site.origin}/` })
    await test.runner.idle()

    const source = await app.services.sources.get(admin, { organizationId: orgId, collectionId, sourceId: created.id })
    expect(source).toMatchObject({ status: 'idle', progress: null, reason: null })
    expect(source.last_run).toMatchObject({ new: lampPaths.length, finished_at: expect.any(String) })

    const { docs } = await app.services.addresses.list(admin, orgId, collectionId, { page: 1, limit: 100 })
    const idle = docs.filter((address) => address.status === 'idle')
    const pages = idle.filter(({ reason }) => reason === null).map(({ url }) => new URL(url).pathname)
    expect(pages.sort()).toEqual([...lampPaths].sort())
    // Nothing failed there, and it counts as no page.
    const moved = docs.filter((address) => address.url === `${site.origin}/old-storm`)
    expect(moved).toMatchObject([{ status: 'idle', reason: 'redirected', fragments: 0 }])
    expect(idle).toHaveLength(lampPaths.length + 1)
    const refused = Object.fromEntries(
      docs.filter(({ status }) => status === 'fail').map(({ url, reason }) => [new URL(url).pathname, reason]),
    )
    expect(refused).toMatchObject({
      '/private/prices': 'robots-disallowed',
      '/members': 'noindex',
      '/empty': 'empty-page',
    })
    expect(site.visited()).not.toContain('/private/prices')

    const agent = await app.services.agents.create(admin, orgId, { name: 'Helper', description: '', useDefaults: true })
    expect((await app.services.agents.get(admin, { organizationId: orgId, agentId: agent.id })).status).toBe(1)
    await app.services.agents.link(admin, { organizationId: orgId, agentId: agent.id }, { collectionId })
    expect((await app.services.agents.get(admin, { organizationId: orgId, agentId: agent.id })).status).toBe(4)

    for (const { question, path } of lampQuestions) {
      const found = await app.services.search.agent(
        admin,
        { organizationId: orgId, agentId: agent.id },
        { query: question },
      )
      expect(found).toMatchObject({ mode: 'hybrid', pending_embeddings: 0 })
      expect(new URL(found.fragments[0]?.url ?? '').pathname).toBe(path)
    }

    const events: ChatEvent[] = []
    const meta = { origin: null, ip: null, userAgent: null }
    const prompt = lampQuestions[0]?.question ?? ''
    for await (const event of app.services.chat.reply(
      admin,
      { organizationId: orgId, agentId: agent.id },
      { prompt },
      meta,
      new AbortController().signal,
    ))
      events.push(event)
    const end = events.at(-1)
    if (end?.type !== 'answer-end') throw new Error(`The answer ended with ${JSON.stringify(end)}`)
    expect(end.message.content).toContain('[1]')
    expect(new URL(end.message.fragments[0]?.url ?? '').pathname).toBe('/help/battery')
    const thread = await app.services.threads.get(admin, { organizationId: orgId, threadId: end.threadId })
    expect(thread.messages?.map((message) => message.role)).toEqual(['user', 'agent'])
    expect(JSON.stringify(provider.requests)).not.toContain('Dealer prices')
  })

  it('searches by keyword only without a model, and reports it', async () => {
    const { app, admin, orgId, collectionId } = await start()
    await app.services.sources.create(
      admin,
      { organizationId: orgId, collectionId },
      {
        type: 'sitemap',
        name: 'Map',
        url: `${site.origin}/sitemap.xml`,
      },
    )
    await test.runner.idle()
    const found = await app.services.search.collection(admin, orgId, {
      collectionId,
      query: 'soot on the glass',
      limit: 5,
    })
    expect(found).toMatchObject({ mode: 'keyword', pending_embeddings: expect.any(Number) })
    expect(found.pending_embeddings).toBeGreaterThan(5)
    expect(new URL(found.fragments[0]?.url ?? '').pathname).toBe('/help/cleaning')
  })

  it('reindexes only what changed, and deletes what is gone', async () => {
    const { app, admin, orgId, collectionId } = await start()
    const { id } = await app.services.sources.create(
      admin,
      { organizationId: orgId, collectionId },
      { type: 'domain', name: '', url: site.origin },
    )
    await test.runner.idle()
    const before = await app.services.collections.get(admin, orgId, collectionId)

    site.set('/warranty', '<title>Warranty</title><main><h1>Warranty</h1><p>Nine years on every burner.</p></main>')
    site.set('/returns', { status: 410 })
    await app.services.runControl.refresh(
      admin,
      { organizationId: orgId, collectionId, sourceId: id },
      { crawl: true, auto: false },
    )
    await test.runner.idle()

    const source = await app.services.sources.get(admin, { organizationId: orgId, collectionId, sourceId: id })
    expect(source.last_run).toMatchObject({ changed: 1, withdrawn: 1, new: 0, unchanged: lampPaths.length - 2 })
    const search = (query: string) => app.services.search.collection(admin, orgId, { collectionId, query, limit: 25 })
    expect((await search('nine years burner')).fragments[0]?.content).toContain('Nine years')
    const left = await search('send a lamp back days')
    expect(left.fragments.map(({ url }) => new URL(url).pathname)).not.toContain('/returns')
    expect((await app.services.collections.get(admin, orgId, collectionId)).fragments).toBeLessThan(
      before.fragments + 1,
    )
  })

  it('follows a page that moved, and finds it when it returns', async () => {
    const { app, admin, orgId, collectionId } = await start()
    const crawl = { crawl: true, auto: false }
    const old = '<title>Candles</title><main><h1>Candles</h1><p>Beeswax burns slowly.</p></main>'
    const dated = (body: string, day: string) => ({
      body,
      headers: { 'last-modified': `${day} Jan 2024 00:00:00 GMT` },
    })
    site.set('/candles', dated(old, 'Wed, 10'))
    const { id } = await app.services.sources.create(
      admin,
      { organizationId: orgId, collectionId },
      {
        type: 'url',
        name: '',
        url: `${site.origin}/candles`,
      },
    )
    const hits = async () => {
      await test.runner.idle()
      const found = await app.services.search.collection(admin, orgId, { collectionId, query: 'beeswax', limit: 5 })
      return found.fragments.map(({ url }) => new URL(url).pathname)
    }
    expect(await hits()).toEqual(['/candles'])

    site.set('/candles', { status: 302, headers: { location: '/wax' } })
    site.set('/wax', dated(old, 'Tue, 09'))
    await app.services.runControl.refresh(admin, { organizationId: orgId, collectionId, sourceId: id }, crawl)
    expect(await hits()).toEqual(['/wax'])

    // Another text, for of two equal ones a search shows one.
    const back = old.replace(
      'Beeswax burns slowly.',
      'All that we sell is made of beeswax again, by hand and to order.',
    )
    site.set('/candles', dated(back, 'Thu, 11'))
    await app.services.runControl.refresh(admin, { organizationId: orgId, collectionId, sourceId: id }, crawl)
    expect((await hits()).sort()).toEqual(['/candles', '/wax'])
  })

  it('gives every bad address a status and a reason', async () => {
    site.set('/old-members', { status: 301, headers: { location: '/members' } })
    const { app, admin, orgId, collectionId } = await start()
    const bad: [string, 'url' | 'sitemap' | 'domain', string][] = [
      ['http://no-such-host.invalid/', 'url', 'unresolved'],
      ['http://10.1.2.3/', 'url', 'private-address'],
      ['http://169.254.169.254/latest', 'url', 'forbidden-address'],
      [`${site.origin}/catalog.epub`, 'url', 'not-html'],
      [`${site.origin}/private/prices`, 'url', 'robots-disallowed'],
      [`${site.origin}/empty`, 'url', 'empty-page'],
      [`${site.origin}/missing`, 'url', 'not-found'],
      [`${site.origin}/old-members`, 'url', 'noindex'],
      [`${site.origin}/warranty`, 'sitemap', 'only-xml-sitemaps'],
    ]
    for (const [url, type] of bad)
      await app.services.sources.create(
        admin,
        { organizationId: orgId, collectionId },
        { type, name: url.slice(0, 60), url },
      )
    await test.runner.idle()
    const { docs } = await app.services.sources.list(
      admin,
      { organizationId: orgId, collectionId },
      { page: 1, limit: 25 },
    )
    const reasons = Object.fromEntries(
      docs.map((source) => [`${source.type} ${source.url}`, [source.status, source.reason]]),
    )
    expect(reasons).toEqual(Object.fromEntries(bad.map(([url, type, reason]) => [`${type} ${url}`, ['fail', reason]])))
    expect(docs.every((source) => (source.message ?? '').length > 10)).toBe(true)
  })

  it('stops a crawl on cancel, and purges a source deleted during its run', async () => {
    const { app, admin, orgId, collectionId } = await start({ CRAWL_DELAY_MS: '200' })
    const { id } = await app.services.sources.create(
      admin,
      { organizationId: orgId, collectionId },
      { type: 'domain', name: '', url: site.origin },
    )
    await expect
      .poll(
        async () =>
          (await app.services.sources.get(admin, { organizationId: orgId, collectionId, sourceId: id })).progress
            ?.done ?? 0,
        {
          timeout: 10_000,
        },
      )
      .toBeGreaterThan(1)
    await app.services.runControl.cancel(admin, { organizationId: orgId, collectionId, sourceId: id })
    await test.runner.idle()
    const cancelled = await app.services.sources.get(admin, { organizationId: orgId, collectionId, sourceId: id })
    expect(cancelled.status).toBe('idle')
    expect(cancelled.last_run?.checked).toBeLessThan(lampPaths.length)

    await app.services.runControl.refresh(
      admin,
      { organizationId: orgId, collectionId, sourceId: id },
      { crawl: true, auto: false },
    )
    await expect(
      app.services.runControl.refresh(
        admin,
        { organizationId: orgId, collectionId, sourceId: id },
        { crawl: true, auto: false },
      ),
    ).rejects.toMatchObject({ code: 'conflict' })
    await app.services.collections.remove(admin, orgId, collectionId)
    await expect(app.services.collections.get(admin, orgId, collectionId)).rejects.toMatchObject({ code: 'not_found' })
    await test.runner.idle()
    const { db } = app
    const indexTables = engine === 'sqlite' ? ['text_segments', 'text_segment_chunks'] : []
    for (const name of ['fragments', 'addresses', 'sources', ...indexTables, 'fragment_vectors']) {
      const [row] = await db.read.execute<{ many: number }>(sql.raw(`select count(*) as many from ${name}`))
      expect([name, row?.many]).toEqual([name, 0])
    }
  })

  it('ends a run that waits for its site as soon as it is cancelled', async () => {
    const { app, admin, orgId, collectionId } = await start()
    site.set('/busy', { status: 503, headers: { 'retry-after': '3000' } })
    const input = { type: 'url' as const, name: '', url: `${site.origin}/busy` }
    const { id } = await app.services.sources.create(admin, { organizationId: orgId, collectionId }, input)
    await test.runner.idle()
    expect((await app.services.sources.get(admin, { organizationId: orgId, collectionId, sourceId: id })).status).toBe(
      'crawling',
    )
    await app.services.runControl.cancel(admin, { organizationId: orgId, collectionId, sourceId: id })
    await test.runner.idle()
    const source = await app.services.sources.get(admin, { organizationId: orgId, collectionId, sourceId: id })
    expect(source).toMatchObject({ status: 'idle', progress: null })
    expect(source.last_run?.finished_at).not.toBeNull()
  })

  it('stops in a branch whose pages differ only in their address or in numbers', async () => {
    const { app, admin, orgId, collectionId } = await start()
    const next = (path: string) => Number(new URL(path, site.origin).searchParams.get('month') ?? 0) + 1
    const text = '<main><p>No events in this month.</p></main>'
    site.set('/calendar', ({ path }) => `${text}<a href="/calendar?month=${next(path)}">Next</a>`)
    site.set('/list', ({ path }) => {
      const page = next(path)
      const more = page > 40 ? '<a href="/end">End</a>' : `<a href="/list?month=${page}">Next</a>`
      return `<main><p>Page ${page} of the list.</p></main>${more}`
    })
    site.set('/end', '<main><p>The end.</p></main>')
    site.set('/days', ({ path }) => {
      const day = next(path)
      return `<main><p>No events on day ${day} of this calendar.</p></main><a href="/days?month=${day}">Next</a>`
    })
    const links = ['/calendar', '/list', '/days'].map((path) => `<a href="${path}">Go on</a>`).join('')
    site.set('/', `<main><p>Start.</p></main>${links}`)
    site.set('/sitemap.xml', null)
    await app.services.sources.create(
      admin,
      { organizationId: orgId, collectionId },
      { type: 'domain', name: '', url: site.origin },
    )
    await test.runner.idle()
    const months = site.visited().filter((path) => path.startsWith('/calendar'))
    expect(months.length).toBeGreaterThanOrEqual(10)
    expect(months.length).toBeLessThan(15)
    expect(site.visited()).toContain('/end')
    const days = site.visited().filter((path) => path.startsWith('/days'))
    expect(days).toHaveLength(crawlLimits.numberedPageStreak + 1)
  }, 60_000)

  it("indexes the product's own manual without a request", async () => {
    const { app, admin, orgId } = await start({ CRAWL_ALLOW_PRIVATE_NETWORKS: '' })
    const created = await app.services.manual.ensureDemo(admin, orgId)
    await test.runner.idle()
    const { docs } = await app.services.sources.list(
      admin,
      { organizationId: orgId, collectionId: created.collectionId },
      { page: 1, limit: 5 },
    )
    expect(docs[0]).toMatchObject({ status: 'idle', type: 'sitemap', last_run: { failed: 0 } })
    expect(docs[0]?.last_run?.new).toBe(app.services.manual.list().length)
    expect(await app.services.manual.ensureDemo(admin, orgId)).toEqual(created)
    const found = await app.services.search.agent(
      system,
      { organizationId: orgId, agentId: created.agentId },
      { query: 'back up and restore' },
    )
    expect(found.fragments[0]?.url).toContain('/help/')
  })
})
