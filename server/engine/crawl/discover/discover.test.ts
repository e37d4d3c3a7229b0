import { describe, expect, it } from 'vitest'
import { createMemoryWeb, type MemoryAnswer } from '../../../../tests/support/sites/memory-web'
import { crawlLimits } from '../../limits'
import { type DiscoveryRequest, discover } from './discover'

const origin = 'https://site.example'
const urlOf = (path: string) => (path.startsWith('/') ? `${origin}${path}` : path)
const list = (...paths: string[]) => ({
  body: `<urlset>${paths.map((path) => `<url><loc>${urlOf(path)}</loc></url>`).join('')}</urlset>`,
})
const index = (...paths: string[]) => ({
  body: `<sitemapindex>${paths.map((path) => `<sitemap><loc>${urlOf(path)}</loc></sitemap>`).join('')}</sitemapindex>`,
})
const robots = (...lines: string[]) => ({ body: lines.join('\n') })

async function found(
  pages: Record<string, MemoryAnswer>,
  type: DiscoveryRequest['type'] = 'domain',
  url = type === 'sitemap' ? urlOf('/sitemap.xml') : urlOf('/'),
  more: Partial<DiscoveryRequest> = {},
) {
  const web = createMemoryWeb(Object.fromEntries(Object.entries(pages).map(([path, page]) => [urlOf(path), page])))
  const addresses: string[] = []
  const problems: string[] = []
  const messages: string[] = []
  const modified: (string | null)[] = []
  for await (const item of discover(web.deps, { type, url, ...more })) {
    const short = item.url.startsWith(origin) ? item.url.slice(origin.length) : item.url
    if (item.kind === 'problem') {
      problems.push(`${short} ${item.reason}`)
      messages.push(item.message)
    } else if (item.kind === 'address') {
      addresses.push(short)
      modified.push(item.lastModified)
    }
  }
  const asked = web.requests.map(({ url }) => (url.startsWith(origin) ? url.slice(origin.length) : url))
  return { addresses, problems, messages, modified, asked, web }
}

describe('discover', () => {
  it('yields a single URL without a request', async () => {
    expect(await found({}, 'url', urlOf('/a?utm_source=x#y'))).toMatchObject({
      addresses: ['/a'],
      problems: [],
      asked: [],
    })
  })

  it.each(['url', 'sitemap', 'domain'] as const)('rejects an invalid address: %s', async (type) => {
    expect(await found({}, type, 'two words')).toMatchObject({ addresses: [], problems: ['two words invalid-address'] })
  })

  it('starts a domain at its front page, whatever the path', async () => {
    expect(await found({}, 'domain', urlOf('/docs/a?b'))).toMatchObject({ addresses: ['/'], problems: [] })
  })

  it('starts a domain at the page that was typed, then at its front page', async () => {
    const pages = { '/sitemap.xml': list('/b', '/docs/17/', '/') }
    const { addresses } = await found(pages, 'domain', urlOf('/'), { startPath: '/docs/17/' })
    expect(addresses).toEqual(['/docs/17/', '/', '/b'])
  })

  it('requests the default sitemaps if robots.txt names none', async () => {
    const nothing = await found({})
    expect(nothing.asked).toEqual(['/robots.txt', '/sitemap.xml', '/sitemap_index.xml', '/llms.txt'])
    const first = await found({ '/sitemap.xml': list('/a', '/', '/a#x'), '/sitemap_index.xml': list('/b') })
    expect(first).toMatchObject({ addresses: ['/', '/a'], problems: [] })
    expect(first.asked).not.toContain('/sitemap_index.xml')
    const second = await found({
      '/sitemap.xml': 'A page.',
      '/sitemap_index.xml': index('/b.xml'),
      '/b.xml': list('/b'),
    })
    expect(second).toMatchObject({ addresses: ['/', '/b'], problems: [] })
    const busy = await found({ '/sitemap.xml': { status: 500 }, '/sitemap_index.xml': list('/b') })
    expect(busy).toMatchObject({ addresses: ['/'], problems: [] })
  })

  it('reads the sitemaps in robots.txt even if its rules block them', async () => {
    const rules = robots(
      'User-agent: *',
      'Disallow: /maps/',
      'Sitemap: /maps/a.xml',
      'Sitemap: https://cdn.example/b.xml',
    )
    const { addresses, asked, problems } = await found({
      '/robots.txt': rules,
      '/maps/a.xml': list('/a'),
      'https://cdn.example/b.xml': list('/b'),
      '/sitemap.xml': list('/c'),
    })
    expect({ addresses, problems }).toEqual({ addresses: ['/', '/a', '/b'], problems: [] })
    expect(asked).not.toContain('/sitemap.xml')
  })

  it('requests the default sitemaps if those in robots.txt list nothing of the site, and no file twice', async () => {
    const lost = await found({ '/robots.txt': robots('Sitemap: /lost.xml') })
    expect(lost).toMatchObject({ addresses: ['/'], problems: ['/lost.xml not-found'] })
    expect(lost.asked).toEqual(['/robots.txt', '/lost.xml', '/sitemap.xml', '/sitemap_index.xml', '/llms.txt'])
    const moved = await found({
      '/robots.txt': robots('Sitemap: /lost.xml', 'Sitemap: /foreign.xml'),
      '/foreign.xml': list('https://other.example/'),
      '/sitemap.xml': list('/a'),
    })
    expect(moved.addresses).toEqual(['/', '/a'])
    const named = await found({ '/robots.txt': robots('Sitemap: /sitemap.xml'), '/sitemap_index.xml': list('/b') })
    expect(named).toMatchObject({ addresses: ['/', '/b'], problems: ['/sitemap.xml not-found'] })
    expect(named.asked.filter((path) => path === '/sitemap.xml')).toHaveLength(1)
  })

  it.each([
    ['/sitemap.xml', ['/sitemap.xml robots-disallowed']],
    ['/named.xml', []],
  ])('does not request a blocked sitemap: %s', async (file, problems) => {
    const rules = robots('User-agent: *', 'Disallow: /*.xml', 'Sitemap: /named.xml')
    const read = await found({ '/robots.txt': rules, [file]: list('/a') }, 'sitemap', urlOf(file))
    expect(read).toMatchObject({ addresses: problems.length > 0 ? [] : ['/a'], problems })
    expect(read.asked.includes(file)).toBe(problems.length === 0)
  })

  it('does not request blocked default sitemaps or redirect targets', async () => {
    const rules = robots('User-agent: *', 'Disallow: /sitemap', 'Disallow: /llms')
    const read = await found({ '/robots.txt': rules, '/sitemap.xml': list('/a'), '/llms.txt': '[b](/b)' })
    expect(read).toMatchObject({ addresses: ['/'], asked: ['/robots.txt'] })
    const led = await found(
      { '/robots.txt': robots('User-agent: *', 'Disallow: /closed'), '/sitemap.xml': { to: '/closed/map.xml' } },
      'sitemap',
    )
    expect(led).toMatchObject({ problems: ['/sitemap.xml robots-disallowed'], asked: ['/robots.txt', '/sitemap.xml'] })
  })

  it('requests nothing from a site whose robots.txt is unavailable', async () => {
    expect(await found({ '/robots.txt': { status: 500 } })).toMatchObject({
      addresses: ['/'],
      problems: [],
      asked: ['/robots.txt'],
    })
    expect((await found({ '/robots.txt': { status: 500 } }, 'sitemap')).problems).toEqual([
      '/sitemap.xml robots-unavailable',
    ])
  })

  it.each([
    ['A page.', 'only-xml-sitemaps'],
    [{ body: '<urlset></urlset>' }, 'sitemap-empty'],
    [{ status: 404 }, 'not-found'],
    [{ status: 410 }, 'gone'],
    [{ status: 403 }, 'access-denied'],
    [{ status: 400 }, 'http-client-error'],
    [{ status: 429 }, 'rate-limited'],
    [{ status: 503 }, 'http-server-error'],
    [{ refusal: 'too-large' }, 'too-large'],
    [{ to: '/sitemap.xml' }, 'too-many-redirects'],
    [list('https://other.example/'), 'sitemap-empty'],
  ] as [MemoryAnswer, string][])('reports the problem of a sitemap: %j', async (answer, reason) => {
    expect(await found({ '/sitemap.xml': answer }, 'sitemap')).toMatchObject({
      addresses: [],
      problems: [`/sitemap.xml ${reason}`],
    })
  })

  it('retries a failed sitemap twice', async () => {
    expect(crawlLimits.retryDelaysMs).toEqual([2_000, 10_000])
    for (const status of [408, 429, 500, 503]) {
      const { asked } = await found({ '/sitemap.xml': { status } }, 'sitemap')
      expect(asked, `${status}`).toEqual(['/robots.txt', '/sitemap.xml', '/sitemap.xml', '/sitemap.xml'])
    }
    const refused = await found({ '/sitemap.xml': { status: 503, headers: { 'retry-after': '3600' } } }, 'sitemap')
    expect(refused.asked).toEqual(['/robots.txt', '/sitemap.xml'])
  })

  it.each([
    ['its own delay', {}, 50],
    ['the delay that the server names', { 'retry-after': '1' }, 1_000],
  ] as [string, Record<string, string>, number][])('waits %s before a retry', async (_name, headers, delayMs) => {
    const times: number[] = []
    const web = createMemoryWeb({
      [urlOf('/sitemap.xml')]: () => {
        times.push(performance.now())
        return times.length === 1 ? { status: 503, headers } : list('/a')
      },
    })
    const deps = { ...web.deps, retryDelaysMs: [50, 50] }
    for await (const item of discover(deps, { type: 'sitemap', url: urlOf('/sitemap.xml') })) {
      expect(item).toMatchObject({ kind: 'address', url: urlOf('/a') })
    }
    const [first = 0, second = 0] = times
    // A timer may fire one millisecond early, never earlier.
    expect(second - first).toBeGreaterThanOrEqual(delayMs - 1)
  })

  it('uses the entries before a syntax error, and reports it', async () => {
    const broken = { body: `<urlset><url><loc>${urlOf('/a')}</loc></url><url></urlset>` }
    expect(await found({ '/sitemap.xml': broken }, 'sitemap')).toMatchObject({
      addresses: ['/a'],
      problems: ['/sitemap.xml sitemap-broken'],
    })
  })

  it('follows indexes three levels deep, without loops and foreign sites', async () => {
    const { addresses, problems, asked } = await found(
      {
        '/sitemap.xml': index('/2.xml', '/sitemap.xml', 'https://other.example/x.xml', '/2.xml', '/list.xml'),
        '/2.xml': index('/3.xml', '/2.xml'),
        '/3.xml': index('/4.xml', '/5.xml'),
        '/4.xml': list('/third'),
        '/5.xml': index('/6.xml', '/list.xml'),
        '/6.xml': list('/never'),
        '/list.xml': list('/a', 'https://www.site.example/b', 'https://sub.site.example/c', '/d', `/${'x/'.repeat(5)}`),
      },
      'sitemap',
    )
    expect(addresses).toEqual(['/a', 'https://www.site.example/b', '/d', '/third'])
    expect(problems).toEqual(['/sitemap.xml over-limit', '/list.xml other-host'])
    const files = ['/sitemap.xml', '/2.xml', '/list.xml', '/3.xml', '/4.xml', '/5.xml']
    expect(asked).toEqual(['/robots.txt', ...files])
  })

  it('reports truncation rather than an empty sitemap', async () => {
    const levels = Object.fromEntries([1, 2, 3, 4].map((level) => [`/${level}.xml`, index(`/${level + 1}.xml`)]))
    const deep = await found({ ...levels, '/sitemap.xml': index('/1.xml') }, 'sitemap')
    expect(deep).toMatchObject({ addresses: [], problems: ['/sitemap.xml over-limit'] })
    expect(deep.messages).toEqual([expect.stringContaining('more than 3 levels')])
    const long = list(...Array.from({ length: 50_001 }, (_, page) => `/${page}`))
    const count = await found({ '/sitemap.xml': index('/long.xml'), '/long.xml': long }, 'sitemap')
    expect(count.addresses).toHaveLength(50_000)
    expect(count).toMatchObject({ problems: ['/long.xml over-limit'], messages: [expect.stringContaining('50,000')] })
    expect((await found({ '/sitemap.xml': long })).problems).toEqual(['/sitemap.xml over-limit'])
  })

  it('requests a file with all its parameters', async () => {
    const { addresses, asked } = await found(
      {
        '/sitemap.xml': { to: 'https://www.site.example/maps/index.xml' },
        'https://www.site.example/maps/index.xml': {
          body: '<sitemapindex><sitemap><loc>list.php?view=list&amp;page=1</loc></sitemap></sitemapindex>',
        },
        'https://www.site.example/maps/list.php?view=list&page=1': list('/a'),
      },
      'sitemap',
    )
    expect(addresses).toEqual(['/a'])
    expect(asked.at(-1)).toBe('https://www.site.example/maps/list.php?view=list&page=1')
  })

  it('yields lastmod', async () => {
    const body = `<urlset><url><loc>${urlOf('/a')}</loc><lastmod>2030-01-02</lastmod></url><url><loc>${urlOf('/b')}</loc></url></urlset>`
    expect((await found({ '/sitemap.xml': { body } }, 'sitemap')).modified).toEqual(['2030-01-02', null])
  })

  it('yields the pages that llms.txt links to', async () => {
    const body = `# Site\n- [a](/a)\n- [a](/a)\n- [b](https://www.site.example/b?utm_source=x)\n- [other](https://other.example/)\n- [copy](/a.md)\n- [file](/b.zip)`
    const text = { 'content-type': 'text/markdown; charset=utf-8' }
    expect((await found({ '/llms.txt': { body, headers: text } })).addresses).toEqual([
      '/',
      '/a',
      'https://www.site.example/b',
    ])
    expect((await found({ '/llms.txt': { body } })).addresses).toEqual(['/'])
    expect((await found({ '/llms.txt': { body, headers: text, status: 404 } })).addresses).toEqual(['/'])
    const away = await found({ '/llms.txt': { to: 'https://other.example/llms.txt' } })
    expect(away).toMatchObject({ problems: [], asked: expect.not.arrayContaining(['https://other.example/llms.txt']) })
  })

  it('sends credentials with all requests but robots.txt', async () => {
    const access = { origin, headers: { authorization: 'Basic x' } }
    const { web } = await found({ '/sitemap.xml': index('/a.xml') }, 'domain', urlOf('/'), { access })
    expect(web.requests.filter((request) => request.access !== access).map(({ url }) => url)).toEqual([
      urlOf('/robots.txt'),
    ])
    expect(web.requests).toHaveLength(4)
  })

  it('reads at most 500 files, and reports that there are more', async () => {
    const files = Array.from({ length: 600 }, (_, number) => `/${number}.xml`)
    const pages = Object.fromEntries(files.map((path, number) => [path, list(`/page-${number}`)]))
    const { addresses, problems } = await found({ ...pages, '/sitemap.xml': index(...files) }, 'sitemap')
    expect(addresses).toHaveLength(499)
    expect(problems).toEqual(['/sitemap.xml over-limit'])
  })

  it('yields at most twice the addresses of a run, and yields to the event loop', async () => {
    const perFile = 40_000
    const files = Array.from({ length: 3 }, (_, number) => `/${number}.xml`)
    const pages = Object.fromEntries(
      files.map((path, number) => [path, list(...Array.from({ length: perFile }, (_, page) => `/${number}/${page}`))]),
    )
    let breaths = 0
    const timer = setInterval(() => breaths++, 1)
    const { addresses, problems } = await found({ ...pages, '/sitemap.xml': index(...files) }, 'sitemap')
    clearInterval(timer)
    expect(addresses).toHaveLength(2 * crawlLimits.pagesPerRun)
    expect(problems).toEqual(['/sitemap.xml over-limit'])
    expect(breaths).toBeGreaterThan(20)
  })

  it('stops when aborted', async () => {
    const web = createMemoryWeb({ [urlOf('/sitemap.xml')]: list('/a') })
    web.deps.rateLimiter.pause(origin, 20_000)
    const abort = new AbortController()
    const reading = discover(web.deps, { type: 'sitemap', url: urlOf('/sitemap.xml') }, abort.signal).next()
    abort.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
    expect(web.requests).toEqual([])
  })
})

describe('excluded URLs', () => {
  it('are yielded with their reason', async () => {
    const deep = `/${'x/'.repeat(5)}`
    const web = createMemoryWeb({ [urlOf('/sitemap.xml')]: list('/a', 'https://other.example/b', deep) })
    const excluded: object[] = []
    for await (const item of discover(web.deps, { type: 'sitemap', url: urlOf('/sitemap.xml') })) {
      if (item.kind === 'excluded') excluded.push(item)
    }
    expect(excluded).toEqual([
      {
        kind: 'excluded',
        url: 'https://other.example/b',
        reason: 'other-host',
        message: expect.stringContaining('(other.example)'),
      },
      { kind: 'excluded', url: urlOf(deep), reason: 'trap', message: expect.any(String) },
    ])
  })
})
