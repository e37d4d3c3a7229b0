import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemoryWeb, type MemoryAnswer, type MemoryPage } from '../../../tests/support/memory-web'
import { type VisitRequest, visitPage } from './visit'

const origin = 'https://site.example'
const at = (path: string) => (path.startsWith('/') ? `${origin}${path}` : path)
const future = Date.UTC(2040, 0, 1)

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})

function webOf(pages: Record<string, MemoryAnswer>) {
  return createMemoryWeb(Object.fromEntries(Object.entries(pages).map(([path, page]) => [at(path), page])))
}

async function visit(web: ReturnType<typeof webOf>, path = '/page', more: Partial<VisitRequest> = {}) {
  const request = { followLinks: true, site: `${origin}/`, followCanonical: true, access: null, ...more }
  const visiting = visitPage(web.deps, { url: at(path), ...request })
  await vi.runAllTimersAsync()
  return visiting
}

const visitOf = (page: MemoryAnswer, more: Partial<VisitRequest> = {}) => visit(webOf({ '/page': page }), '/page', more)

describe('visitPage', () => {
  it('reads a page', async () => {
    const headers = { etag: '"1"', 'last-modified': 'Mon, 01 Jan 2029 00:00:00 GMT' }
    const links = ['/a', '/a#x', '/b.zip', 'https://other.example/']
    expect(await visitOf({ text: 'Words.', headers, links, facts: { title: 'Page', language: 'de' } })).toMatchObject({
      kind: 'page',
      finalUrl: at('/page'),
      status: 200,
      etag: '"1"',
      lastModified: 'Mon, 01 Jan 2029 00:00:00 GMT',
      contentType: 'text/html; charset=utf-8',
      bytes: expect.any(Number),
      language: 'de',
      unavailableAfter: null,
      document: { title: 'Page', textFrom: 'page' },
      fragments: [{ text: 'Words.' }],
      links: [at('/a')],
      left: [
        { address: at('/b.zip'), reason: 'not-html' },
        { address: 'https://other.example/', reason: 'other-host' },
      ],
    })
  })

  it.each([
    ['no address', 'invalid-address'],
    ['https://user:word@site.example/', 'invalid-address'],
    [at(`/${'x/'.repeat(5)}`), 'trap'],
    [at(`/${'x'.repeat(3_000)}`), 'too-deep'],
  ])('asks nobody for %s', async (url, reason) => {
    const web = webOf({})
    expect(await visit(web, url)).toMatchObject({ kind: 'refused', reason, links: [], left: [] })
    expect(web.requests).toEqual([])
  })

  it.each([
    [401, { kind: 'refused', reason: 'access-denied', message: expect.stringContaining('401') }],
    [402, { kind: 'refused', reason: 'access-denied' }],
    [403, { kind: 'refused', reason: 'access-denied' }],
    [407, { kind: 'refused', reason: 'access-denied' }],
    [400, { kind: 'refused', reason: 'http-client-error' }],
    [451, { kind: 'refused', reason: 'http-client-error' }],
    [302, { kind: 'refused', reason: 'http-client-error' }],
    [304, { kind: 'refused', reason: 'http-client-error' }],
    [404, { kind: 'gone', reason: 'not-found' }],
    [410, { kind: 'gone', reason: 'gone' }],
    [408, { kind: 'retry', reason: 'http-server-error', afterMs: 60_000 }],
    [425, { kind: 'retry', reason: 'http-server-error' }],
    [429, { kind: 'retry', reason: 'rate-limited' }],
    [500, { kind: 'retry', reason: 'http-server-error' }],
    [503, { kind: 'retry', reason: 'http-server-error' }],
    [204, { kind: 'refused', reason: 'empty-page' }],
    [205, { kind: 'refused', reason: 'empty-page' }],
    [206, { kind: 'page', status: 206 }],
  ])('answers status %i', async (status, expected) => {
    const httpStatus = expected.kind === 'page' ? {} : { httpStatus: status }
    expect(await visitOf({ status, text: 'Words.' })).toMatchObject({ ...expected, ...httpStatus })
  })

  it('pauses the site where it names a time', async () => {
    const web = webOf({ '/page': { status: 503, headers: { 'retry-after': '120' } } })
    expect(await visit(web)).toMatchObject({ kind: 'retry', afterMs: 120_000 })
    expect(await visit(web, '/other')).toMatchObject({ kind: 'retry', reason: 'rate-limited', httpStatus: null })
    expect(web.asked()).toEqual([at('/page')])
  })

  it('asks conditionally', async () => {
    const page = { text: 'Words.', headers: { etag: '"1"' } }
    const unchanged = { kind: 'unchanged', etag: '"1"', lastModified: null }
    expect(await visitOf(page, { etag: '"1"' })).toEqual(unchanged)
    expect(await visitOf(page, { etag: '"0"' })).toMatchObject({ kind: 'page' })
  })

  it.each([
    [{ refusal: 'timeout' }, { kind: 'retry', reason: 'timeout', httpStatus: null, afterMs: 60_000 }],
    [{ refusal: 'private-address' }, { kind: 'refused', reason: 'private-address', httpStatus: null }],
    [{ extraction: 'timeout' }, { kind: 'refused', reason: 'extraction-timeout', httpStatus: 200 }],
    [{ extraction: 'failed' }, { kind: 'refused', reason: 'extraction-failed' }],
    [{ body: '' }, { kind: 'refused', reason: 'empty-page' }],
    [
      { text: '', links: ['/a'] },
      { kind: 'refused', reason: 'empty-page', links: [at('/a')] },
    ],
  ] as [MemoryAnswer, object][])('says why %j gives nothing', async (answer, expected) => {
    expect(await visitOf(answer)).toMatchObject(expected)
  })
})

describe('redirects', () => {
  it.each([
    [origin, '/other', at('/other')],
    [origin, '/other?utm_source=x#y', at('/other')],
    [origin, 'https://www.site.example/page', 'https://www.site.example/page'],
    [null, 'https://other.example/', 'https://other.example/'],
  ])('on %s leads to %s', async (site, to, address) => {
    const web = webOf({
      '/page': { to },
      [new URL(to, origin).href.replace(/#.*/, '')]: { text: 'Words.', links: ['/a'] },
    })
    expect(await visit(web, '/page', { site })).toEqual({
      kind: 'elsewhere',
      reason: 'redirected',
      address,
      httpStatus: 200,
      links: [],
    })
  })

  it('is no other place when only the spelling differs', async () => {
    const web = webOf({ '/page': { to: '/page?utm_source=x' }, '/page?utm_source=x': 'Words.' })
    expect(await visit(web)).toMatchObject({ kind: 'page', finalUrl: at('/page') })
  })

  it('judges the target by its status', async () => {
    expect(await visit(webOf({ '/page': { to: '/lost' } }))).toMatchObject({ kind: 'gone', httpStatus: 404 })
    expect(await visit(webOf({ '/page': { to: '/x' }, '/x': { status: 500 } }))).toMatchObject({ kind: 'retry' })
  })

  it.each([
    ['https://other.example/', 'other-host', 'other.example'],
    ['/login?next=/page', 'login-required', 'sign in'],
    ['https://id.example/sso?return_to=x', 'login-required', 'sign in'],
    ['mailto:a@b.example', 'invalid-address', ''],
    [`/${'x/'.repeat(5)}`, 'trap', ''],
    ['/closed', 'robots-disallowed', ''],
    ['/page', 'too-many-redirects', 'circle'],
  ])('to %s is refused before it is asked for', async (to, reason, words) => {
    const web = webOf({ '/page': { to }, '/robots.txt': { body: 'User-agent: *\nDisallow: /closed' } })
    expect(await visit(web)).toMatchObject({ kind: 'refused', reason, message: expect.stringContaining(words) })
    expect(web.asked()).toEqual([at('/page')])
    expect(web.requests.every(({ url }) => url.startsWith(origin))).toBe(true)
  })

  it('from a login page may lead to a login page', async () => {
    const web = webOf({ '/login?next=/': { to: '/login/?next=/' }, '/login/?next=/': 'Words.' })
    expect(await visit(web, '/login?next=/')).toMatchObject({ kind: 'elsewhere' })
  })
})

describe('canonical addresses', () => {
  it.each([
    ['/proper', at('/proper')],
    ['/proper?utm_source=x#y', at('/proper')],
    ['https://www.site.example/page', 'https://www.site.example/page'],
    ['/page#x', null],
    ['/', null],
    ['http://site.example/page', null],
    ['https://other.example/page', null],
    ['/closed', null],
    [`/${'x/'.repeat(5)}`, null],
    ['https://down.site.example/', null],
  ])('%s', async (canonical, address) => {
    const web = webOf({
      '/robots.txt': { body: 'User-agent: *\nDisallow: /closed' },
      '/page': { text: 'Words.', links: ['/a'], facts: { canonical: new URL(canonical, origin).href } },
    })
    const elsewhere = { kind: 'elsewhere', reason: 'canonical', address, httpStatus: 200, links: [at('/a')] }
    expect(await visit(web)).toMatchObject(address === null ? { kind: 'page' } : elsewhere)
    expect(web.asked().filter((url) => url.includes(canonical) && canonical.length > 1)).toEqual([])
    expect(await visit(web, '/page', { followCanonical: false })).toMatchObject({ kind: 'page' })
  })

  it('may name the front page for itself, and is not believed where its robots.txt cannot be read', async () => {
    const facts = { canonical: `${origin}/` }
    expect(await visit(webOf({ '/?page=1': { text: 'Words.', facts } }), '/?page=1')).toMatchObject({
      kind: 'page',
    })
    const www = { canonical: 'https://www.site.example/page' }
    const web = webOf({
      '/page': { text: 'Words.', facts: www },
      'https://www.site.example/robots.txt': { status: 500 },
    })
    expect(await visit(web)).toMatchObject({ kind: 'page' })
  })
})

describe('what a page asks of crawlers', () => {
  const links = ['/a']
  it.each([
    [{ noindex: true }, '', { kind: 'refused', reason: 'noindex', links: [at('/a')] }],
    [{}, 'noindex', { kind: 'refused', reason: 'noindex', links: [at('/a')] }],
    [{}, 'none', { kind: 'refused', reason: 'noindex', links: [] }],
    [{}, 'nofollow', { kind: 'page', links: [] }],
    [{ nofollow: true }, '', { kind: 'page', links: [] }],
    [{}, 'otherbot: none', { kind: 'page', links: [at('/a')] }],
    [{}, 'sitelore: noindex', { kind: 'refused', reason: 'noindex' }],
    [{ noindex: true, canonical: at('/proper') }, '', { kind: 'refused', reason: 'noindex' }],
    [{ unavailableAfter: future }, '', { kind: 'page', unavailableAfter: future }],
    [{ unavailableAfter: future }, 'unavailable_after: 2035-01-01', { unavailableAfter: Date.UTC(2035, 0, 1) }],
    [{}, 'unavailable_after: Tue, 01 Jan 2036 00:00:00 GMT', { unavailableAfter: Date.UTC(2036, 0, 1) }],
    [{ unavailableAfter: 1 }, '', { kind: 'refused', reason: 'expired', links: [at('/a')] }],
    [{}, 'unavailable_after: 2029-12-31', { kind: 'refused', reason: 'expired' }],
  ])('%j %j', async (facts, header, expected) => {
    const page = { text: 'Words.', links, facts, headers: { 'x-robots-tag': header } }
    expect(await visitOf(page)).toMatchObject(expected)
  })

  it.each([
    ['', 'de-AT, en', 'de-at'],
    ['fr', 'de', 'fr'],
    ['', 'pt_BR', 'pt-br'],
    ['', 'some language', ''],
  ])('takes its language %j before the header %j', async (language, header, expected) => {
    const page = { text: 'Words.', facts: { language }, headers: { 'content-language': header } }
    expect(await visitOf(page)).toMatchObject({ language: expected })
  })
})

describe('pages without their text', () => {
  it.each([
    ['login', 1, { kind: 'refused', reason: 'login-required', links: [] }],
    ['consent', 1, { kind: 'refused', reason: 'consent-wall' }],
    ['missing', 1, { kind: 'gone', reason: 'soft-404', httpStatus: 200 }],
    ['script', 1, { kind: 'refused', reason: 'needs-script', links: [at('/a')] }],
    ['script', 2, { kind: 'page' }],
    [null, 1, { kind: 'page' }],
  ] as const)('shows %s in %i passages', async (instead, passages, expected) => {
    const page = { text: 'Words.', passages, links: ['/a'], facts: { instead } }
    expect(await visitOf(page)).toMatchObject(expected)
  })

  it('knows a page that the site shows for whatever does not exist', async () => {
    const lost = 'Sorry, we could not find that.'
    const web = webOf({ '/': lost, '/lost': lost, '/page': 'Words.' })
    const textHashFor = vi
      .spyOn(web.deps.missing, 'textHashFor')
      .mockResolvedValue(createHash('sha256').update(lost).digest('hex'))
    expect(await visit(web, '/page')).toMatchObject({ kind: 'page' })
    expect(textHashFor).toHaveBeenCalledTimes(1)
    expect(await visit(web, '/lost')).toMatchObject({ kind: 'gone', reason: 'soft-404', httpStatus: 200 })
    expect(await visit(web, '/')).toMatchObject({ kind: 'page' })
    // One page alone is not worth a request.
    expect(await visit(web, '/lost', { site: null })).toMatchObject({ kind: 'page' })
    expect(textHashFor).toHaveBeenCalledTimes(2)
  })
})

describe('what is no page', () => {
  const feed = (link: string) => `<?xml version="1.0" encoding="utf-8"?><rss><channel>${link}</channel></rss>`
  const item = (address: string) => `<item><title>a</title><link>${address}</link></item>`

  it.each([
    [{ body: 'PK\x03\x04 lamp.txt' }, 'a zip archive'],
    [{ headers: { 'content-type': 'image/png' }, body: '' }, 'an image'],
    [{ headers: { 'content-type': 'text/plain' }, body: 'Words.' }, 'plain text'],
    [{ headers: { 'content-type': 'application/octet-stream' }, body: 'Words.' }, 'application/octet-stream'],
    [{ body: '<?xml version="1.0"?><urlset></urlset>', headers: { 'content-type': 'text/xml' } }, 'a sitemap'],
    [{ body: '<?xml version="1.0"?><data/>', headers: { 'content-type': 'text/xml' } }, 'XML data'],
  ] as [MemoryAnswer, string][])('%j is named', async (page, name) => {
    expect(await visitOf(page)).toMatchObject({
      kind: 'refused',
      reason: 'not-html',
      message: `This is not a web page but ${name}, so its text is not read.`,
    })
  })

  it('reads a feed as a list of pages', async () => {
    const entries = ['/a', '/a#x', '/page', 'https://other.example/', '/b.zip', `/${'x/'.repeat(5)}`, '/c?utm_id=1']
    const body = feed(entries.map((address) => item(address)).join(''))
    const page = { body, headers: { etag: '"1"' } }
    expect(await visitOf(page)).toEqual({
      kind: 'list',
      reason: 'feed',
      message: 'This is a list of pages; those are read in its place.',
      httpStatus: 200,
      links: [at('/a'), at('/c')],
      etag: '"1"',
      lastModified: null,
    })
    expect(await visitOf({ body, headers: { 'x-robots-tag': 'nofollow' } })).toMatchObject({ kind: 'list', links: [] })
    expect(await visitOf(page, { followLinks: false })).toMatchObject({
      reason: 'not-html',
      message: expect.stringContaining('a feed'),
    })
  })

  it('reads a feed in the encoding that it names', async () => {
    const body = Buffer.from(feed(item('/caf\xe9')).replace('utf-8', 'iso-8859-1'), 'latin1')
    const headers = { 'content-type': 'application/rss+xml' }
    expect(await visitOf({ body, headers })).toMatchObject({ links: [at('/caf%C3%A9')] })
  })
})

describe('a document', () => {
  const pdf = { headers: { 'content-type': 'application/pdf', etag: '"1"' }, body: '%PDF-1.7 and more' }

  function downloads() {
    const opened: { bytes: number; isThere: boolean; failure: Error | null }[] = []
    return {
      opened,
      open: async () => {
        const file: (typeof opened)[number] = { bytes: 0, isThere: true, failure: null }
        opened.push(file)
        return {
          path: '/tmp/lamps',
          async take(piece: Uint8Array) {
            file.bytes += piece.length
          },
          async end() {
            if (file.failure) throw file.failure
            return file.bytes
          },
          async remove() {
            file.isThere = false
          },
        }
      },
    }
  }

  const requestFor = (path: string) => {
    return { url: at(path), followLinks: true, site: `${origin}/`, followCanonical: true, access: null }
  }

  async function visitWith(answer: MemoryAnswer, path = '/files/Storm%20lamps.pdf') {
    const web = webOf({ [path]: answer, '/moved.pdf': pdf })
    const there = downloads()
    const visiting = visitPage({ ...web.deps, downloads: there }, requestFor(path))
    await vi.runAllTimersAsync()
    return { visited: await visiting, requests: web.requests, opened: there.opened }
  }

  it('is asked for again, and put on the disk as it comes', async () => {
    const { visited, requests, opened } = await visitWith(pdf)
    expect(visited).toMatchObject({
      ...{ kind: 'document', type: 'pdf', name: 'Storm lamps.pdf', status: 200, etag: '"1"', bytes: 17 },
      ...{ contentType: 'application/pdf', download: { path: '/tmp/lamps' } },
    })
    const asked = requests.filter(({ kind }) => kind !== 'robots')
    expect(asked.map(({ kind }) => kind)).toEqual(['page', 'document'])
    expect(opened).toEqual([{ bytes: 17, isThere: true, failure: null }])
  })

  it('is only told of where there is no place for it', async () => {
    const web = webOf({ '/a.pdf': pdf })
    expect(await visit(web, '/a.pdf')).toMatchObject({ kind: 'document', download: null })
    expect(web.requests.filter(({ kind }) => kind === 'document')).toEqual([])
  })

  it('that wants to be left out is not asked for', async () => {
    for (const [said, reason] of [
      ['noindex', 'noindex'],
      ['unavailable_after: 2001-01-01', 'expired'],
    ]) {
      const { visited, opened } = await visitWith({ ...pdf, headers: { ...pdf.headers, 'x-robots-tag': said ?? '' } })
      expect(visited).toMatchObject({ kind: 'refused', reason })
      expect(opened).toEqual([])
    }
  })

  it.each([
    [{ status: 404 }, { kind: 'gone', reason: 'not-found' }],
    [{ status: 503 }, { kind: 'retry', reason: 'http-server-error' }],
    [{ to: '/moved.pdf' }, { kind: 'elsewhere', reason: 'redirected', address: at('/moved.pdf') }],
    [{ refusal: 'too-large' }, { kind: 'refused', reason: 'file-too-large' }],
    [{ refusal: 'timeout' }, { kind: 'retry', reason: 'timeout' }],
  ] as [MemoryPage, object][])('that is %j at the second look leaves nothing', async (second, expected) => {
    const { visited, opened } = await visitWith(({ kind }) => (kind === 'document' ? second : pdf))
    expect(visited).toMatchObject(expected)
    expect(opened.map(({ isThere }) => isThere)).toEqual([false])
  })

  it('that cannot be stored is no fault of the site', async () => {
    const web = webOf({ '/a.pdf': pdf })
    const there = downloads()
    const open = async () => {
      const download = await there.open()
      for (const file of there.opened) file.failure = new Error('The disk is full.')
      return download
    }
    const failed = expect(visitPage({ ...web.deps, downloads: { open } }, requestFor('/a.pdf'))).rejects.toThrow('disk')
    await vi.runAllTimersAsync()
    await failed
    expect(there.opened.map(({ isThere }) => isThere)).toEqual([false])
  })
})
