import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PreviewEvent, PreviewSummary } from '../../../../contract/views/preview'
import { createMemoryWeb, type MemoryAnswer } from '../../../../tests/support/sites/memory-web'
import { crawlLimits } from '../../limits'
import { preview } from './preview'
import type { PreviewRequest } from './preview-request'

const origin = 'https://site.example'
const urlOf = (path: string) => (path.startsWith('/') ? `${origin}${path}` : path)
const list = (paths: string[]) => ({
  body: `<urlset>${paths.map((path) => `<url><loc>${urlOf(path)}</loc></url>`).join('')}</urlset>`,
})
const numbered = (count: number, name = '/page-') => Array.from({ length: count }, (_, number) => `${name}${number}`)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function webOf(pages: Record<string, MemoryAnswer>, crawlDelayMs = 0) {
  const full = Object.fromEntries(Object.entries(pages).map(([path, page]) => [urlOf(path), page]))
  return createMemoryWeb(full, { crawlDelayMs })
}

async function run(
  web: ReturnType<typeof webOf>,
  more: Partial<PreviewRequest> = {},
  signal = new AbortController().signal,
) {
  const request = {
    type: 'domain' as const,
    url: urlOf('/'),
    startPath: null,
    include: [],
    exclude: [],
    maxPages: null,
    maxDepth: null,
    access: null,
    remainingPages: 1_000,
    ...more,
  }
  const events: PreviewEvent[] = []
  const reading = (async () => {
    for await (const event of preview(web.deps, request, signal)) events.push(event)
  })()
  let isOver = false
  const end = () => {
    isOver = true
  }
  reading.then(end, end)
  while (!isOver) {
    await vi.advanceTimersByTimeAsync(10)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await reading
  const addresses = events.filter((event) => event.kind === 'address')
  const done = events.at(-1) as PreviewSummary
  /** The last event of each address. */
  const results = Object.fromEntries(
    addresses.map(({ address, reason, read }) => [
      address.replace(origin, ''),
      `${reason ?? 'in'}${read ? ' read' : ''}`,
    ]),
  )
  return {
    events,
    addresses,
    results,
    done,
    messageOf: (path: string) => addresses.find(({ address }) => address === urlOf(path))?.message,
  }
}

describe('preview', () => {
  it('yields each address once, with its result', async () => {
    const web = webOf({
      '/robots.txt': { body: 'User-agent: *\nDisallow: /closed' },
      '/': {
        text: 'Home.',
        facts: { title: 'Home' },
        links: [
          '/a',
          '/a?utm_source=x',
          '/b',
          '/old',
          '/hidden',
          '/app',
          '/account',
          '/lost',
          '/closed/x',
          '/drafts/x',
          '/feed',
          '/b.zip',
          'https://other.example/x',
          `/${'x/'.repeat(5)}`,
        ],
      },
      '/a': { text: 'A.', facts: { title: 'Page A' }, links: ['/', '/twin'] },
      '/b': { text: 'B with parameters.', facts: { canonical: urlOf('/proper') } },
      '/proper': { text: 'B.', links: ['/a'] },
      '/old': { to: '/a' },
      '/hidden': { text: 'Hidden.', facts: { noindex: true }, links: ['/deep'] },
      '/app': { text: 'Loading.', facts: { interstitial: 'script' } },
      '/account': { to: '/login?next=/account' },
      '/feed': { body: `<rss><channel><item><link>${urlOf('/news')}</link></item></channel></rss>` },
      '/news': 'News.',
      '/twin': 'A.',
      '/deep': 'Deep.',
    })
    const { addresses, results, done, messageOf } = await run(web, { exclude: ['/drafts/**'] })
    expect(results).toEqual({
      '/': 'in read',
      '/a': 'in read',
      '/b': 'canonical read',
      '/proper': 'in read',
      '/old': 'redirected read',
      '/hidden': 'noindex read',
      '/app': 'needs-script read',
      '/account': 'login-required read',
      '/lost': 'not-found read',
      '/closed/x': 'robots-disallowed',
      '/drafts/x': 'excluded',
      '/feed': 'feed read',
      '/news': 'in read',
      'https://other.example/x': 'other-host',
      [`/${'x/'.repeat(5)}`]: 'trap',
      '/twin': 'duplicate read',
      '/deep': 'in read',
    })
    expect(addresses).toHaveLength(new Set(addresses.map(({ address }) => address)).size)
    expect(addresses[1]).toEqual({
      kind: 'address',
      address: urlOf('https://other.example/x'),
      in: false,
      ...{ reason: 'other-host', read: false, title: null, depth: 1, other_site: true },
      message: expect.any(String),
    })
    expect(messageOf('/b')).toBe(
      `This page declares another address as canonical, which is indexed instead. ${urlOf('/proper')}`,
    )
    expect(messageOf('/twin')).toBe('Duplicate of https://site.example/a.')
    expect(messageOf('/old')).toMatch(/ https:\/\/site\.example\/a$/)
    expect(messageOf('https://other.example/x')).toContain('(other.example)')
    expect(addresses.find(({ address }) => address === urlOf('/a'))).toMatchObject({
      in: true,
      title: 'Page A',
      depth: 1,
      message: null,
    })
    expect(addresses.find(({ address }) => address === urlOf('/deep'))).toMatchObject({ depth: 2 })
    expect(web.asked().filter((url) => /closed|drafts|login/.test(url))).toEqual([])
    expect(done).toMatchObject({ kind: 'done', found: 16, in: 5, out: 11, read: 13, cut: false })
    expect(done.reasons).toContainEqual({ reason: 'duplicate', message: expect.any(String), count: 1 })
    expect(done.folders).toEqual([
      { folder: '/', in: 5, out: 8 },
      ...['/closed/', '/drafts/', '/x/'].map((folder) => ({ folder, in: 0, out: 1 })),
    ])
  })

  it('reads an excluded front page of a domain for its links', async () => {
    const web = webOf({ '/': { text: 'Home.', links: ['/docs/a', '/b'] }, '/docs/a': 'A.', '/b': 'B.' })
    const { results, done } = await run(web, { include: ['/docs/**'], maxPages: 1 })
    expect(results).toEqual({ '/': 'excluded read', '/docs/a': 'in read', '/b': 'excluded' })
    expect(done).toMatchObject({ in: 1, out: 2 })
  })

  it.each([
    [{ maxDepth: 1 }, { '/': 'in read', '/a': 'in read', '/b': 'over-depth' }],
    [{ maxDepth: 0 }, { '/': 'in read', '/a': 'over-depth' }],
    [{ maxPages: 2 }, { '/': 'in read', '/a': 'in read', '/b': 'over-limit' }],
    [{ remainingPages: 1 }, { '/': 'in read', '/a': 'over-limit' }],
    [{ remainingPages: 0 }, { '/': 'over-limit' }],
  ])('applies the limits %j', async (limits, expected) => {
    const web = webOf({ '/': { text: 'Home.', links: ['/a'] }, '/a': { text: 'A.', links: ['/b'] }, '/b': 'B.' })
    const { results, done } = await run(web, limits)
    expect(results).toEqual(expected)
    expect(done.cut).toBe(false)
  })

  it('gives the place of a start page that does not exist to the front page', async () => {
    const { results, done } = await run(webOf({ '/': { text: 'Home.', links: ['/a', '/b'] } }), {
      startPath: '/docs/',
      maxPages: 1,
    })
    expect(results).toEqual({ '/docs/': 'not-found read', '/': 'in read', '/a': 'over-limit', '/b': 'over-limit' })
    expect(done).toMatchObject({ found: 4, in: 1, out: 3 })
  })

  it('counts only indexed pages towards the limit', async () => {
    const web = webOf({ '/': { text: 'Home.', links: ['/lost', '/last'] }, '/last': 'Last.' })
    expect((await run(web, { maxPages: 2 })).results).toEqual({
      '/': 'in read',
      '/lost': 'not-found read',
      '/last': 'in read',
    })
    web.set(urlOf('/'), { text: 'Home.', links: ['/old'] })
    web.set(urlOf('/old'), { to: '/new' })
    web.set(urlOf('/new'), 'New.')
    expect((await run(web, { maxPages: 2 })).results).toEqual({
      '/': 'in read',
      '/old': 'redirected read',
      '/new': 'in read',
    })
  })

  it.each(['url', 'sitemap'] as const)('follows no links of a source of type %s', async (type) => {
    const web = webOf({ '/start': { text: 'Start.', links: ['/b'] }, '/sitemap.xml': list(['/start']), '/b': 'B.' })
    const { results, done } = await run(web, { type, url: urlOf(type === 'url' ? '/start' : '/sitemap.xml') })
    expect(results).toEqual({ '/start': 'in read' })
    expect(done).toMatchObject({ found: 1, in: 1, cut: false })
  })

  it('follows a single URL to other sites', async () => {
    const web = webOf({ '/start': { to: 'https://other.example/page' }, 'https://other.example/page': 'There.' })
    expect((await run(web, { type: 'url', url: urlOf('/start') })).results).toEqual({
      '/start': 'redirected read',
      'https://other.example/page': 'in read',
    })
  })

  it('reports the problem of a source', async () => {
    const { results, done } = await run(webOf({ '/sitemap.xml': 'A page.' }), {
      type: 'sitemap',
      url: urlOf('/sitemap.xml'),
    })
    expect(results).toEqual({ '/sitemap.xml': 'only-xml-sitemaps' })
    expect(done).toMatchObject({ in: 0, out: 1, estimate: null })
    expect((await run(webOf({}), { url: 'two words' })).results).toEqual({ 'two words': 'invalid-address' })
    const closed = webOf({ '/robots.txt': { refusal: 'connection-failed' } })
    expect((await run(closed)).results).toEqual({ '/': 'connection-failed' })
  })

  it('yields the foreign URLs of a sitemap', async () => {
    const web = webOf({ '/sitemap.xml': list(['/a', 'https://other.example/b', `/${'x/'.repeat(5)}`]), '/a': 'A.' })
    const { results, done } = await run(web, { type: 'sitemap', url: urlOf('/sitemap.xml') })
    expect(results).toEqual({
      '/a': 'in read',
      'https://other.example/b': 'other-host',
      [`/${'x/'.repeat(5)}`]: 'trap',
      '/sitemap.xml': 'other-host',
    })
    // The address of the other site is not counted.
    expect(done).toMatchObject({ found: 3, in: 1, out: 2 })
    expect(done.reasons.map(({ reason, count }) => [reason, count])).toEqual([
      ['trap', 1],
      ['other-host', 1],
    ])
  })
})

describe('canonical URLs', () => {
  const page = (text: string, canonical: string) => ({ text, facts: { canonical: urlOf(canonical) } })
  const home = { text: 'Home.', links: ['/a'] }

  it.each([
    ['is a page', { '/b': 'B.' }, { '/a': 'canonical read', '/b': 'in read' }],
    ['does not exist', {}, { '/a': 'in read', '/b': 'not-found read' }],
    ['leads back', { '/b': { to: '/a' } }, { '/a': 'in read', '/b': 'redirected read' }],
    ['names this one', { '/b': page('B.', '/a') }, { '/a': 'canonical read', '/b': 'in read' }],
    [
      'leads on',
      { '/b': { to: '/c' }, '/c': 'C.' },
      { '/a': 'canonical read', '/b': 'redirected read', '/c': 'in read' },
    ],
    ['is left out', { '/b': 'B.' }, { '/a': 'canonical read', '/b': 'excluded' }, ['/b']],
    ['is the same text as another', { '/b': 'Home.' }, { '/a': 'canonical read', '/b': 'duplicate read' }],
  ] as [string, Record<string, MemoryAnswer>, Record<string, string>, string[]?][])(
    'where it %s',
    async (_name, pages, expected, exclude = []) => {
      const web = webOf({ '/': home, '/a': page('A.', '/b'), ...pages })
      expect((await run(web, { exclude })).results).toEqual({ '/': 'in read', ...expected })
    },
  )

  it('end in a loop', async () => {
    const paths = numbered(30, '/p')
    const chain = Object.fromEntries(paths.map((path, number) => [path, page(`${number}`, `/p${(number + 1) % 30}`)]))
    const { results, done } = await run(webOf({ '/': { text: 'Home.', links: ['/p0'] }, ...chain }))
    expect(Object.keys(results)).toHaveLength(31)
    expect(done.in).toBeGreaterThan(1)
  })
})

describe('limits of a preview', () => {
  it('fetches a hundred pages, breadth first, and judges the others by their URLs', async () => {
    const paths = numbered(300)
    const web = webOf({
      '/sitemap.xml': list(paths),
      '/': { text: 'Home.', links: ['/deeper'] },
      ...Object.fromEntries(paths.map((path) => [path, path])),
    })
    const { addresses, done, results } = await run(web)
    expect(addresses.filter(({ read }) => read)).toHaveLength(crawlLimits.preview.pages)
    expect(web.asked().filter((url) => url.includes('/page-'))).toHaveLength(99)
    expect(results).toMatchObject({ '/page-98': 'in read', '/page-99': 'in', '/deeper': 'in' })
    expect(done).toMatchObject({ found: 302, in: 302, out: 0, read: 100, cut: true })
  })

  it('ends in time, and judges the other pages by their URLs', async () => {
    const slow = { takesMs: 9_000 }
    const paths = numbered(20)
    const web = webOf({
      '/sitemap.xml': { ...list(paths), ...slow },
      ...Object.fromEntries(paths.map((path) => [path, { text: path, ...slow }])),
    })
    const { addresses, done } = await run(web, { type: 'sitemap', url: urlOf('/sitemap.xml') })
    expect(addresses).toHaveLength(20)
    expect(addresses.filter(({ read }) => read).length).toBeGreaterThan(2)
    expect(done).toMatchObject({ kind: 'done', in: 20, cut: true })
    expect(performance.now()).toBeLessThan(crawlLimits.preview.totalMs + 10_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('limits discovery to half of the time', async () => {
    const web = webOf({
      '/robots.txt': { body: 'Sitemap: /slow.xml' },
      '/slow.xml': { ...list(['/a']), takesMs: 40_000 },
      '/': 'Home.',
    })
    const { results, done } = await run(web)
    expect(results).toEqual({ '/': 'in read' })
    expect(done.cut).toBe(true)
  })

  it('limits the number of addresses', async () => {
    const files = ['/1.xml', '/2.xml']
    const index = {
      body: `<sitemapindex>${files.map((file) => `<sitemap><loc>${urlOf(file)}</loc></sitemap>`).join('')}</sitemapindex>`,
    }
    const web = webOf({
      '/sitemap.xml': index,
      '/1.xml': list(numbered(30_000, '/a/')),
      '/2.xml': list(numbered(30_000, '/b/')),
    })
    const { done } = await run(web, { type: 'sitemap', url: urlOf('/sitemap.xml'), remainingPages: 100_000 })
    expect(done).toMatchObject({ found: crawlLimits.preview.addresses, cut: true })
    expect(done.folders).toEqual([
      { folder: '/a/', in: 29_900, out: 100 },
      { folder: '/b/', in: 20_000, out: 0 },
    ])
  })

  it('lists the fifty largest folders', async () => {
    const paths = numbered(60, '/folder-').flatMap((path, number) => numbered(number < 55 ? 2 : 1, `${path}/`))
    const { done } = await run(webOf({ '/sitemap.xml': list(paths) }), { type: 'sitemap', url: urlOf('/sitemap.xml') })
    expect(done.folders).toHaveLength(50)
    expect(done.folders.every((folder) => folder.in + folder.out === 2)).toBe(true)
  })

  it('stops fetching when the site asks for a long pause', async () => {
    const busy = { status: 429, headers: { 'retry-after': '600' } }
    const web = webOf({ '/sitemap.xml': list(['/a', '/b', '/c']), '/a': 'A.', '/b': busy, '/c': 'C.' })
    const { results, done } = await run(web, { type: 'sitemap', url: urlOf('/sitemap.xml') })
    expect(results).toEqual({ '/a': 'in read', '/b': 'rate-limited read', '/c': 'in' })
    expect(done.cut).toBe(true)
  })

  it('rejects when aborted', async () => {
    const web = webOf({ '/': { text: 'Home.', takesMs: 5_000 } })
    const abort = new AbortController()
    setTimeout(() => abort.abort(new Error('stopped')), 1_000)
    await expect(run(web, {}, abort.signal)).rejects.toThrow('stopped')
    expect(performance.now()).toBeLessThan(20_000)
  })
})

describe('progress and estimate', () => {
  it('yields progress at most twice a second', async () => {
    const paths = numbered(20)
    const web = webOf({
      '/sitemap.xml': list(paths),
      ...Object.fromEntries(paths.map((path) => [path, { text: path, takesMs: 200 }])),
    })
    const { events } = await run(web, { type: 'sitemap', url: urlOf('/sitemap.xml') })
    const progress = events.filter((event) => event.kind === 'progress')
    expect(progress.length).toBeGreaterThan(5)
    expect(progress.length).toBeLessThanOrEqual(8)
    expect(progress[2]).toMatchObject({ found: 20, read: progress[2]?.in, cut: false })
    expect(events.filter((event) => event.kind === 'done')).toHaveLength(1)
    expect(events.at(-1)?.kind).toBe('done')
  })

  it('estimates a full run from the fetched pages', async () => {
    const paths = numbered(200)
    const page = { body: JSON.stringify({ text: 'x', passages: 3 }).padEnd(1_000), takesMs: 100 }
    const unlike = (path: string) => ({ ...page, body: JSON.stringify({ text: path, passages: 3 }).padEnd(1_000) })
    const web = webOf(
      { '/sitemap.xml': list(paths), ...Object.fromEntries(paths.map((path) => [path, unlike(path)])) },
      200,
    )
    const { done } = await run(web, { type: 'sitemap', url: urlOf('/sitemap.xml') })
    expect(done.estimate).toMatchObject({ pages: 200, bytes: 200_000, fragments: 600 })
    // A tenth of a second for the page and two for the pace.
    expect(done.estimate?.seconds).toBeGreaterThanOrEqual(60)
    expect(done.estimate?.seconds).toBeLessThan(66)
  })
})
