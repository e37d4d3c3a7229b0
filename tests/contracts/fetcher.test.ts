import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { FetchedBody, FetchOutcome } from '../../server/engine/ports/fetcher'
import { createFetching } from '../support/sites/fetching'
import { type Site, type SiteAnswer, startSite } from '../support/sites/site'
import { until } from '../support/until'

const { site, server, fetcher, close } = createFetching()
afterEach(close)

function fetched(outcome: FetchOutcome): FetchedBody {
  expect(outcome).toMatchObject({ kind: 'fetched' })
  return outcome as FetchedBody
}

const text = (outcome: FetchOutcome) => new TextDecoder().decode(fetched(outcome).body)
const html = { 'content-type': 'text/html' }

describe('fetching', () => {
  it('reads a page with its user agent', async () => {
    const { origin, requests } = await site({ '/a?b=1': { headers: { 'X-Two': 'x' }, body: '<p>Grüße</p>' } })
    const outcome = await fetcher().fetch({ url: `${origin}/a?b=1#c`, kind: 'page' })
    expect(text(outcome)).toBe('<p>Grüße</p>')
    expect(outcome).toMatchObject({
      status: 200,
      url: `${origin}/a?b=1#c`,
      redirectedFrom: [],
      headers: { 'x-two': 'x' },
    })
    expect(requests[0]?.headers['user-agent']).toBe('Sitelore/test')
    expect(requests[0]?.headers.cookie).toBeUndefined()
  })

  it('sends conditional requests and recognizes unchanged pages', async () => {
    const { origin } = await site({ '/': 'same' })
    const first = fetched(await fetcher().fetch({ url: `${origin}/`, kind: 'page' }))
    const again = await fetcher().fetch({ url: `${origin}/`, kind: 'page', etag: first.headers.etag })
    expect(again).toMatchObject({ kind: 'unchanged', status: 304, url: `${origin}/` })
  })

  it('treats an unsolicited 304 as no page', async () => {
    const { origin } = await site({ '/': { status: 304 } })
    expect(await fetcher().fetch({ url: `${origin}/`, kind: 'page' })).toMatchObject({ kind: 'fetched', status: 304 })
  })

  it.each(['x'.repeat(50_000), '"\n"', '"é"', '"\ud83d"', ''])(
    'asks without a condition that no server takes',
    async (tag) => {
      const { origin, requests } = await site({ '/': 'words' })
      expect(text(await fetcher().fetch({ url: `${origin}/`, kind: 'page', etag: tag, lastModified: tag }))).toBe(
        'words',
      )
      expect(requests[0]?.headers['if-none-match']).toBeUndefined()
    },
  )

  it('sends the condition of an address to no other', async () => {
    const { origin, requests } = await site({ '/a': { status: 301, headers: { location: '/b' } }, '/b': 'words' })
    const known = { etag: '"1"', lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' }
    expect(text(await fetcher().fetch({ url: `${origin}/a`, kind: 'page', ...known }))).toBe('words')
    const sent = requests.map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']])
    expect(sent).toEqual([
      [known.etag, known.lastModified],
      [undefined, undefined],
    ])
  })

  it('follows redirects itself, at most five', async () => {
    const hop = (to: string): SiteAnswer => ({ status: 302, headers: { location: to }, body: 'x'.repeat(200_000) })
    const { origin } = await site({
      '/0': hop('/1'),
      '/1': hop('{origin}/2'),
      '/2': hop('3'),
      '/3': hop('/4'),
      '/4': hop('/5'),
      '/5': 'end',
      '/x': hop('/0'),
    })
    const outcome = fetched(await fetcher().fetch({ url: `${origin}/0`, kind: 'page' }))
    expect(outcome.url).toBe(`${origin}/5`)
    expect(outcome.redirectedFrom).toEqual([0, 1, 2, 3, 4].map((step) => `${origin}/${step}`))
    expect(await fetcher().fetch({ url: `${origin}/x`, kind: 'page' })).toMatchObject({ reason: 'too-many-redirects' })
  })

  it('decodes the target of a redirect as UTF-8', async () => {
    const { origin } = await site({
      '/a': { status: 302, headers: { location: Buffer.from('/größe?x=ü').toString('latin1') } },
      '/b': { status: 302, headers: { location: '/gr\u00f6' } },
      '/gr%C3%B6%C3%9Fe?x=%C3%BC': 'words',
      '/gr%C3%B6': 'latin words',
    })
    expect(text(await fetcher().fetch({ url: `${origin}/a`, kind: 'page' }))).toBe('words')
    expect(text(await fetcher().fetch({ url: `${origin}/b`, kind: 'page' }))).toBe('latin words')
  })

  it('stops at a redirect loop', async () => {
    const { origin, requests } = await site({
      '/a': { status: 302, headers: { location: '/b#there' } },
      '/b': { status: 302, headers: { location: '/a#here' } },
    })
    expect(await fetcher().fetch({ url: `${origin}/a`, kind: 'page' })).toMatchObject({ reason: 'too-many-redirects' })
    expect(requests).toHaveLength(2)
  })

  it('asks before each redirect whether it may be followed', async () => {
    const { origin, visited } = await site({
      '/a': { status: 302, headers: { location: '/b' } },
      '/b': { status: 302, headers: { location: '/closed' } },
      '/closed': 'secret',
    })
    const asked: string[] = []
    const mayVisit = async (url: string) => {
      asked.push(url)
      return !url.endsWith('/closed')
    }
    const outcome = await fetcher().fetch({ url: `${origin}/a`, kind: 'page', mayFollow: mayVisit })
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'not-allowed' })
    expect(asked).toEqual([`${origin}/b`, `${origin}/closed`])
    expect(visited()).toEqual(['/a', '/b'])
    const failing = async () => Promise.reject(new Error('no rules'))
    expect(await fetcher().fetch({ url: `${origin}/a`, kind: 'page', mayFollow: failing })).toMatchObject({
      kind: 'refused',
    })
    const never = () => new Promise<boolean>(() => undefined)
    const quick = fetcher({ limits: { page: { wireBytes: 1e6, decodedBytes: 1e6, totalMs: 100 } } })
    expect(await quick.fetch({ url: `${origin}/a`, kind: 'page', mayFollow: never })).toMatchObject({
      reason: 'timeout',
    })
  })

  it('sends credentials to their origin only, also on the way back', async () => {
    const own = await site({ '/a': 'open', '/end': 'end' })
    const otherSite = await site({ '/': { status: 302, headers: { location: `${own.origin}/end` } } })
    const elsewhere = await site({ '/': 'x' }, { host: '127.0.0.2' })
    own.set('/out', { status: 302, headers: { location: `${otherSite.origin}/` } })
    own.set('/host', { status: 302, headers: { location: `http://127.0.0.2:${elsewhere.port}/` } })
    own.set('/tls', { status: 302, headers: { location: `https://127.0.0.1:${own.port}/a` } })
    const access = {
      origin: own.origin,
      headers: { Authorization: 'Basic c2VjcmV0', 'X-Key': 'k1', 'User-Agent': 'x' },
    }
    const created = fetcher({ allowPrivateNetworks: ['127.0.0.0/8'] })
    const outcomes = []
    for (const path of ['/a', '/out', '/host', '/tls']) {
      outcomes.push(await created.fetch({ url: own.origin + path, kind: 'page', access }))
    }
    const keys = (requests: Site['requests']) =>
      requests.map(({ path, headers }) => [path, headers.authorization, headers['x-key']])
    const key = ['Basic c2VjcmV0', 'k1']
    expect(keys(own.requests)).toEqual([
      ['/a', ...key],
      ['/out', ...key],
      ['/end', ...key],
      ['/host', ...key],
      ['/tls', ...key],
    ])
    expect(keys([...otherSite.requests, ...elsewhere.requests])).toEqual([
      ['/', undefined, undefined],
      ['/', undefined, undefined],
    ])
    expect(own.requests[0]?.headers['user-agent']).toBe('Sitelore/test')
    expect(JSON.stringify(outcomes)).not.toMatch(/c2VjcmV0|k1/)
    // The same host under another protocol or port is another origin.
    const strange = { ...access, origin: `https://127.0.0.1:${own.port}` }
    await created.fetch({ url: `${own.origin}/a`, kind: 'page', access: strange })
    expect(own.requests.at(-1)?.headers.authorization).toBeUndefined()
  })

  it.each([404, 410, 429, 500, 503])('hands the status %i over without its body', async (status) => {
    const { origin } = await site({ '/': { status, headers: { 'retry-after': '7' }, body: 'sorry' } })
    const outcome = fetched(await fetcher().fetch({ url: `${origin}/`, kind: 'page' }))
    expect(outcome).toMatchObject({ status, headers: { 'retry-after': '7' } })
    expect(outcome.body.length).toBe(0)
  })

  it('reads only the first bytes of what is no page, and closes the connection', async () => {
    const video = new Uint8Array(30_000_000).fill(7)
    const { origin } = await site({
      '/v': { headers: { 'content-type': 'video/mp4' }, body: video },
      '/catalog.pdf': { headers: { 'content-type': 'application/octet-stream' }, body: '%PDF-1.7 and so on' },
      '/packed': {
        headers: { 'content-type': 'application/zip', 'content-encoding': 'gzip' },
        body: gzipSync(new Uint8Array(50_000_000)),
      },
    })
    const outcome = fetched(await fetcher().fetch({ url: `${origin}/v`, kind: 'page' }))
    expect(outcome.body).toEqual(Buffer.from(video.subarray(0, 4096)))
    expect(text(await fetcher().fetch({ url: `${origin}/catalog.pdf`, kind: 'page' }))).toMatch(/^%PDF-1.7/)
    expect(fetched(await fetcher().fetch({ url: `${origin}/packed`, kind: 'page' })).body.length).toBe(4096)
  })

  it('reads only the first mebibyte of a text that is no page', async () => {
    const body = Buffer.alloc(12_000_000, 'lamp ')
    const { origin } = await site({ '/notes.txt': { headers: { 'content-type': 'text/plain' }, body } })
    const outcome = fetched(await fetcher().fetch({ url: `${origin}/notes.txt`, kind: 'page' }))
    expect(body.subarray(0, 1024 * 1024).equals(outcome.body)).toBe(true)
  })

  it.each([
    'application/rss+xml',
    'application/atom+xml; charset=utf-8',
    'application/xml',
    'text/xml',
    'text/plain',
    'application/xhtml+xml',
    '',
  ])('reads %s wholly', async (type) => {
    const body = 'x'.repeat(9000)
    const { origin } = await site({ '/': { headers: { 'content-type': type }, body } })
    expect(text(await fetcher().fetch({ url: `${origin}/`, kind: 'page' }))).toBe(body)
  })

  const page = 'A page with words. '.repeat(3000)
  it.each([
    ['gzip', gzipSync(page)],
    ['x-gzip', gzipSync(page)],
    ['br', brotliCompressSync(page)],
    ['deflate', deflateSync(page)],
    ['deflate', deflateRawSync(page)],
    ['gzip, br', brotliCompressSync(gzipSync(page))],
    ['identity', Buffer.from(page)],
  ])('unpacks %s', async (encoding, body) => {
    const { origin } = await site({ '/': { headers: { ...html, 'content-encoding': encoding }, body } })
    expect(text(await fetcher().fetch({ url: `${origin}/`, kind: 'page' }))).toBe(page)
  })

  it.each([
    ['gzip', 'no gzip at all'],
    ['br', 'no brotli at all'],
    ['gzip', gzipSync(page).subarray(0, 60)],
    ['zstd', page],
    ['constructor', page],
    ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(page)))],
  ])('refuses a broken or unknown encoding: %s', async (encoding, body) => {
    const { origin } = await site({ '/': { headers: { ...html, 'content-encoding': encoding }, body } })
    expect(await fetcher().fetch({ url: `${origin}/`, kind: 'page' })).toMatchObject({ reason: 'bad-encoding' })
  })

  it('enforces the limits before and after decompression', async () => {
    const bomb = gzipSync(new Uint8Array(21 * 1024 * 1024))
    const { origin } = await site({
      '/bomb': { headers: { ...html, 'content-encoding': 'gzip' }, body: bomb },
      '/long': { headers: html, body: new Uint8Array(10 * 1024 * 1024 + 1) },
      '/fits': { headers: html, body: new Uint8Array(10 * 1024 * 1024) },
      '/twice': {
        headers: { ...html, 'content-encoding': 'gzip, gzip' },
        body: gzipSync(gzipSync(new Uint8Array(300_000_000))),
      },
    })
    for (const path of ['/bomb', '/long', '/twice']) {
      expect(await fetcher().fetch({ url: origin + path, kind: 'page' }), path).toMatchObject({ reason: 'too-large' })
    }
    expect(fetched(await fetcher().fetch({ url: `${origin}/fits`, kind: 'page' })).body.length).toBe(10 * 1024 * 1024)
  })

  it('passes a body on in chunks, one at a time, within the limits', async () => {
    const list = '<url><loc>/page</loc></url>'.repeat(100_000)
    const { origin } = await site({
      '/packed': { headers: { 'content-encoding': 'gzip' }, body: gzipSync(list) },
      '/plain': { body: list },
      '/moved': { status: 302, headers: { location: '/packed' }, body: 'elsewhere' },
      '/missing': { status: 404, body: 'nothing here' },
      '/bomb': { headers: { 'content-encoding': 'gzip' }, body: gzipSync(new Uint8Array(51 * 1024 * 1024)) },
    })
    async function taken(path: string) {
      const pieces: Uint8Array[] = []
      let atOnce = 0
      const take = async (piece: Uint8Array) => {
        expect(++atOnce).toBe(1)
        await new Promise((resolve) => setImmediate(resolve))
        pieces.push(piece)
        atOnce--
      }
      const outcome = await fetcher().fetch({ url: origin + path, kind: 'sitemap', onChunk: take })
      return { outcome, pieces, bytes: Buffer.concat(pieces) }
    }
    for (const path of ['/packed', '/plain', '/moved']) {
      const { outcome, pieces, bytes } = await taken(path)
      expect(fetched(outcome).body.length).toBe(0)
      expect(pieces.length, path).toBeGreaterThan(10)
      expect(bytes.toString() === list, path).toBe(true)
    }
    const missing = await taken('/missing')
    expect([fetched(missing.outcome).status, missing.pieces]).toEqual([404, []])
    const bomb = await taken('/bomb')
    expect(bomb.outcome).toMatchObject({ kind: 'refused', reason: 'too-large' })
    expect(bomb.bytes.length).toBe(50 * 1024 * 1024)
  })

  it('cuts a long robots.txt instead of refusing it', async () => {
    const { origin } = await site({ '/robots.txt': `User-agent: *\nDisallow: /x\n${'#'.repeat(600 * 1024)}` })
    const outcome = fetched(await fetcher().fetch({ url: `${origin}/robots.txt`, kind: 'robots' }))
    expect(text(outcome)).toMatch(/^User-agent: \*\nDisallow: \/x\n#/)
    expect(outcome.body.length).toBeLessThanOrEqual(512 * 1024)
  })

  it('gives up on a server that hangs or dribbles, and ends at once when aborted', async () => {
    const { origin, requests } = await site({ '/': { delayMs: 'never' } })
    const { url: slow } = await server((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99999\r\n\r\n')
      const timer = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const quick = fetcher({ limits: { page: { wireBytes: 1e6, decodedBytes: 1e6, totalMs: 200 } } })
    expect(await quick.fetch({ url: `${origin}/`, kind: 'page' })).toMatchObject({ reason: 'timeout' })
    expect(await quick.fetch({ url: slow, kind: 'page' })).toMatchObject({ reason: 'timeout' })
    const abort = new AbortController()
    const before = requests.length
    const stopped = expect(fetcher().fetch({ url: `${origin}/`, kind: 'page' }, abort.signal)).rejects.toThrow(
      'stopped',
    )
    await until(() => requests.length > before)
    abort.abort(new Error('stopped'))
    await stopped
  })

  it('names what went wrong on the way', async () => {
    const gone = await startSite({})
    await gone.close()
    expect(await fetcher().fetch({ url: `${gone.origin}/`, kind: 'page' })).toMatchObject({
      reason: 'connection-failed',
    })
    const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    expect(await fetcher({ lookup }).fetch({ url: 'http://nowhere.example/', kind: 'page' })).toMatchObject({
      reason: 'unresolved',
    })
    const { url } = await server((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99\r\n\r\nhalf'),
    )
    expect(await fetcher().fetch({ url, kind: 'page' })).toMatchObject({ reason: 'connection-failed' })
  })
})
