import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AddressView } from '../../../contract/views/address'
import type { PreviewEvent } from '../../../contract/views/preview'
import { problemSchema } from '../../../contract/views/problem'
import type { RunReport } from '../../../contract/views/run'
import type { SourceView } from '../../../contract/views/source'
import { sources } from '../../../db/schema/collections'
import { AppError } from '../../../server/errors'
import type { Runner } from '../../../workers/runner'
import { type ApiResponse, type ApiWorld, startApiWorld } from '../../support/api/api-world'
import { startTestWorkers } from '../../support/app'
import { issueToken } from '../../support/people/access-token'
import { lampSite, type Site, startSite } from '../../support/sites/site'
import { until } from '../../support/until'

// Sources over /v1, with running workers and a site.

let world: ApiWorld
let runner: Runner
let site: Site
let base: string

beforeAll(async () => {
  world = await startApiWorld()
  runner = await startTestWorkers(world.app)
  site = await lampSite()
  base = `/v1/${world.own.organization}/sources/${world.own.collection}`
})
afterAll(async () => {
  await runner.stop()
  await world.close()
  await site.close()
})

const post = (path: string, body: object = {}) => world.sendJson('member', 'POST', base + path, body)
const sourceIn = ({ body, text }: ApiResponse): SourceView => {
  const { source } = body as { source?: SourceView }
  if (!source) throw new Error(text)
  return source
}
const add = async (body: object) => sourceIn(await post('', body))
const look = async (id: string) => sourceIn(await world.send('viewer', 'GET', `${base}/${id}`))

/** A site of many slow pages: its run lasts for some seconds. */
async function slowSite(count: number, delayMs: number): Promise<Site> {
  const page = (name: string, links = '') =>
    `<title>${name}</title><main><h1>${name}</h1><p>All about ${name}, and no more.</p>${links}</main>`
  const paths = Array.from({ length: count }, (_, index) => `/${index}`)
  const links = paths.map((path) => `<a href="${path}">${path}</a>`).join('')
  return startSite({
    '/': page('Home', links),
    ...Object.fromEntries(paths.map((path) => [path, { body: page(`Page ${path}`), delayMs }])),
  })
}

describe('options', () => {
  const secret = 'very-secret-value'

  it('are set with the source, as JSON or a form, and secrets are never returned', async () => {
    const input = {
      type: 'url',
      url: `${site.origin}/shipping`,
      include: ['/ship*'],
      headers: { 'X-Key': secret },
      username: 'ada',
      password: secret,
      refresh_interval: 'monthly',
    }
    const created = await post('', { ...input, status: 'idle' })
    expect(sourceIn(created).status).toBe('processing')
    expect(sourceIn(created).options).toEqual({
      include: ['/ship*'],
      exclude: [],
      include_selectors: [],
      exclude_selectors: [],
      max_pages: null,
      max_depth: null,
      refresh_interval: 'monthly',
      crawl_delay_ms: null,
      header_names: ['X-Key', 'Authorization'],
    })
    const form = new FormData()
    const fields = {
      type: 'url',
      url: `${site.origin}/returns`,
      exclude: '/a/**\n/b/**',
      max_pages: '7',
      max_depth: '',
    }
    for (const [name, value] of Object.entries({ ...fields, headers: `X-Key: ${secret}\nX-Other: 1` }))
      form.set(name, value)
    const sent = await world.send('member', 'POST', base, { body: form })
    expect(sent.status, sent.text).toBe(201)
    expect(sourceIn(sent).options).toMatchObject({
      exclude: ['/a/**', '/b/**'],
      max_pages: 7,
      max_depth: null,
      refresh_interval: 'weekly',
      header_names: ['X-Key', 'X-Other'],
    })
    await runner.idle()
    const read = await world.send('viewer', 'GET', base)
    for (const text of [created.text, sent.text, read.text, await world.stored()]) expect(text).not.toContain(secret)
    expect(site.requests.find(({ path }) => path === '/shipping')?.headers).toMatchObject({ 'x-key': secret })
  })

  it('keeps options that are omitted, and removes those that are null or empty', async () => {
    const { id } = await add({ type: 'url', url: `${site.origin}/help/cleaning`, max_pages: 9, include: ['/x'] })
    const put = async (body: object) => {
      const response = await world.sendJson('member', 'PUT', `${base}/${id}`, body)
      expect(response.status, response.text).toBe(200)
      return sourceIn(response)
    }
    expect(await put({ name: 'Cleaning' })).toMatchObject({
      name: 'Cleaning',
      options: { max_pages: 9, include: ['/x'] },
    })
    const { options } = await put({ headers: { A: '1' }, crawl_delay_ms: 0 })
    expect(options).toMatchObject({ max_pages: 9, crawl_delay_ms: 0, header_names: ['A'] })
    expect((await put({ max_pages: null, include: '', crawl_delay_ms: '' })).options).toMatchObject({
      max_pages: null,
      include: [],
      crawl_delay_ms: null,
      header_names: ['A'],
    })
    expect((await put({ username: 'ada', password: 'word' })).options.header_names).toEqual(['A', 'Authorization'])
    expect((await put({ headers: {} })).options.header_names).toEqual([])
    expect((await put({ headers: { B: '2' } })).options.header_names).toEqual(['B'])
    expect((await put({ clear_headers: true })).options.header_names).toEqual([])
    expect((await put({})).name).toBe('Cleaning')
  })

  it('schedule the next run', async () => {
    const { id } = await add({ type: 'url', url: `${site.origin}/help/battery`, refresh_interval: 'never' })
    await runner.idle()
    expect((await look(id)).refresh_due_at).toBeNull()
    await world.sendJson('member', 'PUT', `${base}/${id}`, { refresh_interval: 'daily' })
    const due = Date.parse((await look(id)).refresh_due_at ?? '') - Date.now()
    expect(due / 3_600_000).toBeGreaterThan(22)
    expect(due / 3_600_000).toBeLessThan(26)
  })
})

describe('refresh', () => {
  it('responds with what it found; a second one joins or is a conflict', async () => {
    const slow = await slowSite(12, 120)
    const { id } = await add({ type: 'domain', url: slow.origin })
    const joined = await post(`/${id}/refresh`, { auto: true })
    const under = { success: true, count: expect.any(Number), ignored: 0, crawlLimit: false, status: 'crawling' }
    expect(joined.body).toEqual(under)
    expect((joined.body as { count: number }).count).toBeGreaterThan(0)
    const refused = await post(`/${id}/refresh`)
    expect(refused.status).toBe(409)
    expect(problemSchema.parse(refused.body)).toMatchObject({
      code: 'conflict',
      title: 'Failed to refresh source',
      message: 'A run of this source is already active. Wait until it ends, or cancel it first.',
    })
    await runner.idle()
    const again = await post(`/${id}/refresh`, { crawl: true, auto: false })
    expect(again.body).toEqual({ success: true, count: 13, ignored: 0, crawlLimit: false, status: 'crawling' })
    await runner.idle()
    const found = await post(`/${id}/refresh`, { crawl: false })
    expect(found.body).toEqual({ success: true, count: 13, ignored: 0, crawlLimit: false, status: 'idle' })
    const { body } = await world.send('viewer', 'GET', `${base}/${id}/runs?limit=5`)
    const { runs } = body as { runs: { docs: RunReport[]; total: number } }
    expect(runs.docs.map(({ kind, checked, unchanged }) => [kind, checked, unchanged])).toEqual([
      ['discover', 0, 0],
      ['full', 13, 13],
      ['full', 13, 0],
    ])
    expect(runs.total).toBe(3)
    await slow.close()
  })

  it('is 504 during discovery, with a message for a person', async () => {
    const late = new AppError('still_working', 'Your source is taking a long time to process')
    vi.spyOn(world.app.services.runControl, 'refresh').mockRejectedValueOnce(late)
    const response = await post(`/${world.own.source}/refresh`)
    expect(response.status).toBe(504)
    expect(problemSchema.parse(response.body)).toMatchObject({ code: 'still_working', message: late.message })
  })
})

describe('an active run', () => {
  it('is paused, resumed and cancelled, and its stream reports it', async () => {
    const slow = await slowSite(25, 80)
    const { id } = await add({ type: 'domain', url: slow.origin })
    await until(async () => ((await look(id)).progress?.done ?? 0) > 2)
    const held = await post(`/${id}/pause`)
    expect(sourceIn(held)).toMatchObject({ paused: true, reason: 'paused', status: 'idle' })
    await runner.idle()
    expect(slow.visited().length).toBeLessThan(25)

    const stream = world.send('viewer', 'GET', `${base}/${id}/progress`)
    expect(sourceIn(await post(`/${id}/resume`))).toMatchObject({ paused: false, reason: null, status: 'crawling' })
    const { events } = await stream
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { id, status: 'idle', last_run: { checked: 26 } } })
    const before = events.slice(0, -1)
    expect(before.length).toBeGreaterThan(0)
    for (const { event, data } of before) {
      expect(event).toBe('progress')
      expect((data as SourceView).progress?.total).toBe(26)
    }

    await post(`/${id}/refresh`)
    expect(sourceIn(await post(`/${id}/cancel`)).last_run?.cancelled).toBe(true)
    await runner.idle()
    expect(await look(id)).toMatchObject({ status: 'idle', last_run: { cancelled: true }, addresses: 26 })
    await slow.close()
  })

  it('closes a stream whose client has left', async () => {
    const { id } = await add({ type: 'url', url: `${site.origin}/terms` })
    await runner.idle()
    // The run never ends, so neither does the stream.
    await world.app.db.write((tx) => tx.update(sources).set({ pausedAt: new Date() }).where(eq(sources.id, id)))
    const token = await issueToken(world.app, await emailOfSomebody())
    const looks = vi.spyOn(world.app.services.sources, 'get')
    // The next look is never due.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const leaving = new AbortController()
    const response = await fetch(`${world.listening}${base}/${id}/progress`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^event: progress\ndata: \{/)
    const before = looks.mock.calls.length
    leaving.abort()
    // It wakes up, looks once more, and ends.
    await until(() => looks.mock.calls.length > before)
    vi.useRealTimers()
  })

  async function emailOfSomebody(): Promise<string> {
    const { body } = await world.send('viewer', 'GET', '/v1/auth/me')
    return (body as { user: { email: string } }).user.email
  }
})

describe('preview', () => {
  it('reports each address once, with the reason of excluded ones, and stores nothing', async () => {
    await runner.idle()
    const before = await world.stored()
    const response = await post('/preview', { type: 'domain', url: site.origin, exclude: ['/lamps/**'] })
    const told = response.events.map(({ data }) => data as PreviewEvent)
    const addresses = told.filter((event) => event.kind === 'address')
    const reasonOf = Object.fromEntries(addresses.map(({ address, reason }) => [new URL(address).pathname, reason]))
    expect(Object.keys(reasonOf)).toHaveLength(addresses.length)
    expect(reasonOf).toMatchObject({
      '/help/battery': null,
      '/lamps/meadow': 'excluded',
      '/private/prices': 'robots-disallowed',
      '/members': 'noindex',
      '/old-storm': 'redirected',
      '/missing': 'not-found',
    })
    const done = told.at(-1)
    if (done?.kind !== 'done') throw new Error('It did not end.')
    expect([done.in, done.out]).toEqual([
      addresses.filter((address) => address.in).length,
      addresses.filter((address) => !address.in).length,
    ])
    expect(done.folders).toContainEqual({ folder: '/lamps/', in: 0, out: expect.any(Number) })
    expect(done.estimate).toMatchObject({ pages: done.in })
    expect(await world.stored()).toBe(before)
  })

  it('accepts a form, and is rejected before it starts', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ type: 'url', url: `${site.origin}/members`, max_pages: '' }))
      form.set(name, value)
    const { events } = await world.send('member', 'POST', `${base}/preview`, { body: form })
    expect(events.map(({ event }) => event)).toEqual(['address', 'done'])
    const refused = await post('/preview', { type: 'sitemap', url: 'lamps.example', crawl_delay_ms: -1 })
    expect(refused.status).toBe(400)
    expect(Object.keys(problemSchema.parse(refused.body).errors ?? {})).toEqual(['crawl_delay_ms'])
  })
})

describe('one address', () => {
  it('is ignored and retried', async () => {
    const { id } = await add({ type: 'url', url: `${site.origin}/lamps/meadow` })
    await runner.idle()
    const urls = `/v1/${world.own.organization}/urls/${world.own.collection}`
    const { body } = await world.send('viewer', 'GET', `${urls}?sourceId=${id}`)
    const [address] = (body as { urls: { docs: AddressView[] } }).urls.docs
    const act = async (what: string) => {
      const response = await world.send('member', 'POST', `${urls}/${address?.id}/${what}`)
      expect(response.status, response.text).toBe(200)
      await runner.idle()
      const { address: now } = (await world.send('viewer', 'GET', `${urls}/${address?.id}/fragments`)).body as {
        address: AddressView
      }
      return now
    }
    expect(await act('ignore')).toMatchObject({ status: 'idle', reason: 'ignored', ignored: true, fragments: 0 })
    expect(await act('ignore')).toMatchObject({ ignored: true })
    await post(`/${id}/refresh`)
    await runner.idle()
    expect((await world.send('viewer', 'GET', `${urls}?reason=ignored`)).body).toMatchObject({ urls: { total: 1 } })
    const again = { status: 'idle', reason: null, ignored: false, fragments: address?.fragments }
    expect(again.fragments).toBeGreaterThan(0)
    expect(await act('retry')).toMatchObject(again)
    expect((await look(id)).last_run).toMatchObject({ kind: 'address', checked: 1 })
  })
})
