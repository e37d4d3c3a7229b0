import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PreviewEvent } from '../../../contract/views/preview'
import type { SourceView } from '../../../contract/views/source'
import type { Embedder } from '../../../server/engine/ports/search-index'
import { createTestCli, type TestCli } from '../../support/cli'
import { lampSite, type Site, type SitePage, type SiteRequest, startSite } from '../../support/sites/site'

const page = (title: string, text: string, links: string[] = []) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p>${links
    .map((path) => `<a href="${path}">${path}</a>`)
    .join(' ')}</main>`

const embedder: Embedder = {
  model: 'of-the-test',
  dimensions: 384,
  embedPassages: async (texts) => texts.map(() => new Float32Array(384).fill(1 / Math.sqrt(384))),
  embedQuery: async () => new Float32Array(384).fill(1 / Math.sqrt(384)),
  close: async () => {},
}

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)

const checkedIn = (out: string) => Number(/^(\d+) checked/m.exec(out)?.[1])

/** The sum of what is listed by reason. */
function countsIn(out: string, what: string): number {
  const counts = [...out.matchAll(/^ {2}(\d+) ([\w ]+): /gm)].filter(([, , title]) => title === what)
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

async function sourcesOf(cli: TestCli): Promise<SourceView[]> {
  return (await cli.run(['sources', '--json'])).json().sources as SourceView[]
}

describe('the summary of a run', () => {
  it('follows the first run and a refresh, without zero counts', async () => {
    const site = await lampSite()
    const cli = await createTestCli({}, { overrides: { embedder: async () => embedder } })
    const first = await cli.run(['index', site.origin])
    expect(first.code, first.err).toBe(0)
    expect(lastLine(first.out)).toMatch(/^1\d checked, 12 new, 4 failed, 1 redirect, 1\d fragments indexed$/)

    site.set('/warranty', page('Warranty', 'Nine years on every burner.'))
    const second = await cli.run(['index', site.origin])
    expect(second.code, second.err).toBe(0)
    expect(lastLine(second.out)).toMatch(
      /^1\d checked, 11 unchanged, 1 changed, 4 failed, 1 redirect, 1 fragment indexed$/,
    )
    for (const out of [first.out, second.out]) expect(checkedIn(out)).toBe(12 + countsIn(out, 'rejected'))
    expect(second.out).toContain('1 new fragment, ')
    await site.close()
  })
})

describe('a domain with a path', () => {
  it('starts there, previews that page, and is refreshed by any address of the domain', async () => {
    const site = await startSite({
      '/docs/': page('Manual', 'All about the lamps.', ['/docs/wick']),
      '/docs/wick': page('Wick', 'Trim it.'),
    })
    const cli = await createTestCli({}, { overrides: { embedder: async () => embedder } })
    const typed = ['index', `${site.origin}/docs/`, '--type', 'domain']
    const preview = await cli.run([...typed, '--preview'])
    expect(preview.code, preview.err).toBe(0)
    expect(preview.out).toContain(`included  ${site.origin}/docs/  Manual`)

    const first = await cli.run(typed)
    expect(first.code, first.err).toBe(0)
    expect(first.out).toContain(`${site.origin}/ (starts at /docs/) in collection`)
    for (const again of [typed, ['index', site.origin]]) expect((await cli.run(again)).out).toContain('2 unchanged')
    expect(await sourcesOf(cli)).toMatchObject([{ url: `${site.origin}/`, start_path: '/docs/' }])
    await site.close()
  })
})

describe('options of a source', () => {
  let site: Site
  let cli: TestCli
  beforeAll(async () => {
    const links = ['/docs/one', '/docs/old/two', '/shop/three', '/docs/four']
    const words = (path: string) => page(path, `The page ${path} tells of ${path.replaceAll('/', ' ')}.`)
    site = await startSite({
      '/': page('Home', 'Where all begins.', links),
      ...Object.fromEntries(links.map((path) => [path, words(path)])),
    })
    cli = await createTestCli()
  })
  afterAll(() => site.close())

  it('apply from the first run', async () => {
    const patterns = ['--include', '/docs/**', '--include', '/about', '--exclude', '/docs/old/**']
    const { code, out, err } = await cli.run(['index', site.origin, ...patterns, '--refresh-interval', 'daily'])
    expect(code, err).toBe(0)
    expect(out).toMatch(/\d skipped: The source's patterns exclude this address\./)
    expect(site.visited()).not.toContain('/shop/three')
    const [source] = await sourcesOf(cli)
    expect(source?.options).toMatchObject({
      include: ['/docs/**', '/about'],
      exclude: ['/docs/old/**'],
      max_pages: null,
      refresh_interval: 'daily',
    })
  })

  it('are saved when given again; the others do not change', async () => {
    const { code, out, err } = await cli.run([
      'index',
      site.origin,
      ...['--exclude', '', '--max-depth', '3', '--crawl-delay', '20', '--header', 'X-Key: hidden-word'],
      ...['--username', 'ada', '--password', 'hidden-too'],
    ])
    expect(code, err).toBe(0)
    expect(lastLine(out)).toContain('1 new')
    const [source] = await sourcesOf(cli)
    expect(source?.options).toMatchObject({
      include: ['/docs/**', '/about'],
      exclude: [],
      max_depth: 3,
      crawl_delay_ms: 20,
      refresh_interval: 'daily',
      header_names: ['X-Key', 'Authorization'],
    })
    expect(site.requests.at(-1)?.headers).toMatchObject({
      'x-key': 'hidden-word',
      authorization: `Basic ${Buffer.from('ada:hidden-too').toString('base64')}`,
    })
    expect(JSON.stringify(source)).not.toContain('hidden')

    expect((await cli.run(['index', site.origin, '--clear-headers', '--max-depth', ''])).code).toBe(0)
    expect((await sourcesOf(cli))[0]?.options).toMatchObject({ header_names: [], max_depth: null, crawl_delay_ms: 20 })
    expect(site.requests.at(-1)?.headers).not.toHaveProperty('authorization')
  })

  it('give access to a protected site', async () => {
    const opened = (request: SiteRequest): string | SitePage =>
      request.headers['x-key'] === 'open' ? page('Inside', 'The lamps inside are green.') : { status: 401, body: 'No' }
    const protectedSite = await startSite({ '/inside': opened })
    const refused = await cli.run(['index', `${protectedSite.origin}/inside`])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('The page is protected (401)')
    const read = await cli.run(['index', `${protectedSite.origin}/inside`, '--header', 'X-Key: open'])
    expect(read.code, read.err).toBe(0)
    expect(lastLine(read.out)).toBe('1 checked, 1 new')
    await protectedSite.close()
  })

  it.each([
    [['--max-pages', '0'], '--max-pages: Maximum pages is a whole number from 1 to 50,000, or empty'],
    [['--max-pages', 'many'], '--max-pages: '],
    [['--max-depth', '-1'], '--max-depth: '],
    [['--crawl-delay', '1.5'], '--crawl-delay: '],
    [['--include', 'docs'], '--include: A pattern is a path: it starts with / or *, as in /docs/**'],
    [['--exclude', '/'.repeat(300)], '--exclude: '],
    [['--header', 'no colon'], "--header: use 'Name: value'."],
    [['--header', 'Host: other.example'], '--header: The header Host cannot be set'],
    [['--header', 'X-Key: größer'], '--header: '],
    [['--username', 'x'.repeat(300)], '--username: The user name is too long'],
    [['--refresh-interval', 'hourly'], 'Allowed choices are never, daily, weekly, monthly'],
    [['--preview', '--discover'], "option '--preview' cannot be used with option '--discover'"],
  ])('%j exits with 2 and names the option', async (argv, words) => {
    const { code, out, err } = await cli.run(['index', 'https://example.com', ...argv])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(words)
  })
})

describe('--preview', () => {
  let site: Site
  let cli: TestCli
  beforeAll(async () => {
    site = await lampSite()
    cli = await createTestCli()
  })
  afterAll(() => site.close())

  it('prints what would be indexed or excluded and why, and stores nothing', async () => {
    const { code, out, err } = await cli.run(['index', site.origin, '--preview', '--exclude', '/lamps/**'])
    expect(code, err).toBe(0)
    expect(out).toMatch(/^included {2}http\S+\/help\/battery {2}Changing the battery of a Storm 40$/m)
    expect(out).toMatch(/^excluded {2}http\S+\/private\/prices {2}robots\.txt blocks Sitelore\.$/m)
    expect(out).toMatch(/^excluded {2}http\S+\/lamps\/meadow {2}The source's patterns exclude this address\.$/m)
    expect(out).toMatch(/^\/lamps\/ +0 included, \d+ excluded$/m)
    expect(out).toMatch(/^\d+ addresses found, \d+ included, \d+ excluded; \d+ pages read$/m)
    expect(lastLine(out)).toMatch(/^A full run: about \d+ pages, \d+ seconds?, \d+ kB, \d+ fragments$/)
    expect(site.visited()).not.toContain('/lamps/meadow')
    expect(await sourcesOf(cli)).toEqual([])
    expect((await cli.run(['search', 'battery'])).err).toContain('There is nothing to search yet')
  })

  it('prints one JSON object per line, the totals last', async () => {
    const { code, out, err } = await cli.run(['index', site.origin, '--preview', '--json'])
    expect([code, err]).toEqual([0, ''])
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as PreviewEvent)
    const addresses = events.filter((event) => event.kind === 'address')
    const done = events.at(-1)
    expect(done).toMatchObject({ kind: 'done', in: addresses.filter((address) => address.in).length, cut: false })
    expect(addresses).toContainEqual(
      expect.objectContaining({ address: `${site.origin}/members`, in: false, reason: 'noindex', read: true }),
    )
  })

  it('exits with 1 if nothing would be indexed', async () => {
    const { code, out, err } = await cli.run(['index', `${site.origin}/members`, '--preview'])
    expect(code).toBe(1)
    expect(out).toContain('The page asks not to be indexed (noindex).')
    expect(err).toContain(`Nothing at ${site.origin}/members would be indexed.`)
  })
})

describe('--discover', () => {
  it('discovers new addresses of a source without fetching them', async () => {
    const map = (paths: string[]) =>
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
        .map((path) => `<url><loc>{origin}${path}</loc></url>`)
        .join('')}</urlset>`
    const site = await startSite({
      '/sitemap.xml': map(['/one']),
      '/one': page('One', 'The first lamp is red.'),
      '/two': page('Two', 'The second lamp is blue.'),
    })
    const cli = await createTestCli()
    const address = `${site.origin}/sitemap.xml`
    const unknown = await cli.run(['index', address, '--discover'])
    expect(unknown.code).toBe(1)
    expect(unknown.err).toContain('is not indexed yet')
    expect((await cli.run(['index', address])).code).toBe(0)

    site.set('/sitemap.xml', map(['/one', '/two']))
    const found = await cli.run(['index', address, '--discover'])
    expect(found.code, found.err).toBe(0)
    expect(found.out).toContain('2 addresses known, 1 not fetched yet')
    const again = await cli.run(['index', address, '--discover', '--json'])
    expect(again.json()).toMatchObject({ kind: 'discover', addresses: 2, not_read_yet: 1, source_status: 'idle' })
    expect(site.visited()).not.toContain('/two')

    const read = await cli.run(['index', address])
    expect(lastLine(read.out)).toBe('2 checked, 1 unchanged, 1 new')
    await site.close()
  })
})

describe('an address that is invalid or unreachable', () => {
  it.each([
    ['http://127.0.0.1:65001/', 'did not accept a connection'],
    ['http://127.0.0.1:1/', 'invalid'],
    ['http://no-such-host.invalid/', 'No server has this name'],
    ['http://10.0.0.1/', 'private network'],
    ['http://169.254.169.254/latest/', 'never fetched'],
    ['http://127.0.0.1:22/', 'invalid'],
    ['http://', ''],
    ['ftp://lamps.example/', ''],
  ])('creates nothing: %s', async (address, message) => {
    const cli = await createTestCli()
    const { code, err } = await cli.run(['index', address])
    expect(code).not.toBe(0)
    expect(err).toContain(message)
    expect(await sourcesOf(cli)).toEqual([])
    expect((await cli.run(['collections', '--json'])).json().collections).toEqual([])
  })

  it('leaves a collection that exists, and a source that was read before', async () => {
    const cli = await createTestCli()
    const site = await lampSite()
    await cli.run(['index', `${site.origin}/lamps/meadow`, '--collection', 'Lamps'])
    expect((await cli.run(['index', 'http://127.0.0.1:65001/', '--collection', 'Lamps'])).code).toBe(1)
    await site.close()
    expect((await cli.run(['index', `${site.origin}/lamps/meadow`])).code).toBe(1)
    expect((await sourcesOf(cli)).map(({ url }) => url)).toEqual([`${site.origin}/lamps/meadow`])
  })
})
