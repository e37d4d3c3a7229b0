import { createServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createSafeFetch, type SafeFetchOptions } from '../../server/adapters/safe-fetch'
import type { FetchedBody, FetchOutcome } from '../../server/engine/ports'
import { type Site, type SiteAnswer, startSite } from '../support/site'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function site(pages: Record<string, SiteAnswer>): Promise<Site> {
  const started = await startSite(pages)
  open.push(started.close)
  return started
}

function fetcher(options: Partial<SafeFetchOptions> = {}) {
  const made = createSafeFetch({ allowPrivateNetworks: ['127.0.0.1'], userAgent: 'Sitelore/test', ...options })
  open.push(made.close)
  return made
}

/** A raw server on a free port; it ends with the test, and so do its connections. */
async function listen(answer: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).resume()
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as { port: number }).port
}

function fetched(outcome: FetchOutcome): FetchedBody {
  expect(outcome).toMatchObject({ kind: 'fetched' })
  return outcome as FetchedBody
}

const text = (outcome: FetchOutcome) => new TextDecoder().decode(fetched(outcome).body)
const html = { 'content-type': 'text/html' }

describe('fetching', () => {
  it('reads a page and says who asks', async () => {
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

  it('asks conditionally and tells unchanged pages', async () => {
    const { origin } = await site({ '/': 'same' })
    const first = fetched(await fetcher().fetch({ url: `${origin}/`, kind: 'page' }))
    const again = await fetcher().fetch({ url: `${origin}/`, kind: 'page', etag: first.headers.etag })
    expect(again).toMatchObject({ kind: 'unchanged', status: 304, url: `${origin}/` })
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

  it.each([404, 410, 429, 500, 503])('hands the status %i over without its body', async (status) => {
    const { origin } = await site({ '/': { status, headers: { 'retry-after': '7' }, body: 'sorry' } })
    const outcome = fetched(await fetcher().fetch({ url: `${origin}/`, kind: 'page' }))
    expect(outcome).toMatchObject({ status, headers: { 'retry-after': '7' } })
    expect(outcome.body.length).toBe(0)
  })

  it('does not read what is no page', async () => {
    const { origin } = await site({
      '/v': { headers: { 'content-type': 'video/mp4' }, body: new Uint8Array(30_000_000) },
    })
    const outcome = fetched(await fetcher().fetch({ url: `${origin}/v`, kind: 'page' }))
    expect(outcome.body.length).toBe(0)
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

  it('holds the limits before and after unpacking', async () => {
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

  it('cuts a long robots.txt instead of refusing it', async () => {
    const { origin } = await site({ '/robots.txt': `User-agent: *\nDisallow: /x\n${'#'.repeat(600 * 1024)}` })
    const outcome = fetched(await fetcher().fetch({ url: `${origin}/robots.txt`, kind: 'robots' }))
    expect(text(outcome)).toMatch(/^User-agent: \*\nDisallow: \/x\n#/)
    expect(outcome.body.length).toBeLessThanOrEqual(512 * 1024)
  })

  it('gives up on a server that hangs or dribbles, and ends at once when aborted', async () => {
    const { origin } = await site({ '/': { delayMs: 'never' } })
    const port = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99999\r\n\r\n')
      const timer = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const quick = fetcher({ limits: { page: { wireBytes: 1e6, decodedBytes: 1e6, totalMs: 200 } } })
    const slow = `http://127.0.0.1:${port}/`
    expect(await quick.fetch({ url: `${origin}/`, kind: 'page' })).toMatchObject({ reason: 'timeout' })
    expect(await quick.fetch({ url: slow, kind: 'page' })).toMatchObject({ reason: 'timeout' })
    const abort = new AbortController()
    const waiting = fetcher().fetch({ url: `${origin}/`, kind: 'page' }, abort.signal)
    setTimeout(() => abort.abort(new Error('stopped')), 30)
    await expect(waiting).rejects.toThrow('stopped')
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
    const cut = await listen((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99\r\n\r\nhalf'),
    )
    const url = `http://127.0.0.1:${cut}/`
    expect(await fetcher().fetch({ url, kind: 'page' })).toMatchObject({ reason: 'connection-failed' })
  })
})

describe('the guard against private networks', () => {
  /** A listener that must never be reached. */
  async function witness() {
    let connections = 0
    const port = await listen((socket) => {
      connections++
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\nsecret')
    })
    return { port, count: () => connections }
  }

  it.each([
    'ftp://site.example/',
    'file:///etc/hosts',
    'http://user:word@site.example/',
    'http://site.example:22/',
    'http://site.example:0/',
    'javascript:alert(1)',
    'not an address',
    '',
    '/only/a/path',
    'http://',
  ])('refuses %s as an address', async (url) => {
    expect(await fetcher().fetch({ url, kind: 'page' })).toMatchObject({ kind: 'refused', reason: 'invalid-address' })
  })

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fc00::1]',
    '[fe80::1]',
    '10.0.0.1',
    '169.254.169.254',
    '127.0.0.1.',
  ])('never connects to the literal %s', async (host) => {
    const secret = await witness()
    const closed = fetcher({ allowPrivateNetworks: [] })
    const outcome = await closed.fetch({ url: `http://${host}:${secret.port}/`, kind: 'page' })
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'private-address' })
    expect(secret.count()).toBe(0)
  })

  it('refuses names that resolve to a private address, without telling it', async () => {
    const secret = await witness()
    const answers = [
      [{ address: '127.0.0.1', family: 4 }],
      [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
      [{ address: '::ffff:127.0.0.1', family: 6 }],
    ]
    for (const answer of answers) {
      const closed = fetcher({ allowPrivateNetworks: [], lookup: async () => answer })
      const outcome = await closed.fetch({ url: `http://inner.example:${secret.port}/`, kind: 'page' })
      expect(outcome).toMatchObject({ reason: 'private-address' })
      expect(JSON.stringify(outcome)).not.toContain('127.0')
      expect(JSON.stringify(outcome)).toContain('CRAWL_ALLOW_PRIVATE_NETWORKS')
    }
    const system = await fetcher({ allowPrivateNetworks: [] }).fetch({
      url: `http://localhost:${secret.port}/`,
      kind: 'page',
    })
    expect(system).toMatchObject({ reason: 'private-address' })
    expect(secret.count()).toBe(0)
  })

  it('is not breached by a resolver that flips between public and private', async () => {
    const secret = await witness()
    let calls = 0
    const lookup = async () => [{ address: calls++ % 2 === 0 ? '93.184.215.14' : '127.0.0.1', family: 4 }]
    const page = { wireBytes: 1000, decodedBytes: 1000, totalMs: 150 }
    const closed = fetcher({ allowPrivateNetworks: [], lookup, limits: { page } })
    const urls = Array.from({ length: 100 }, (_, index) => `http://h${index}.example:${secret.port}/`)
    const outcomes = await Promise.all(urls.map((url) => closed.fetch({ url, kind: 'page' })))
    expect(outcomes.every((outcome) => outcome.kind === 'refused')).toBe(true)
    expect(calls).toBe(100)
    expect(secret.count()).toBe(0)
  })

  it('judges every hop of a redirect', async () => {
    const secret = await witness()
    const allowed = await startSite({}, { host: '127.0.0.2' })
    open.push(allowed.close)
    const targets = [
      `http://127.0.0.1:${secret.port}/`,
      `http://[::ffff:7f00:1]:${secret.port}/`,
      `//2130706433:${secret.port}/`,
      `http://inner.example:${secret.port}/`,
    ]
    const guarded = fetcher({
      allowPrivateNetworks: ['127.0.0.2'],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    for (const location of targets) {
      allowed.set('/', { status: 302, headers: { location } })
      expect(await guarded.fetch({ url: `${allowed.origin}/`, kind: 'page' }), location).toMatchObject({
        reason: 'private-address',
      })
    }
    for (const location of ['file:///etc/hosts', `http://u:p@127.0.0.2:${allowed.port}/`, 'http://127.0.0.2:25/']) {
      allowed.set('/', { status: 302, headers: { location } })
      expect(await guarded.fetch({ url: `${allowed.origin}/`, kind: 'page' }), location).toMatchObject({
        reason: 'invalid-address',
      })
    }
    expect(secret.count()).toBe(0)
  })

  it('opens private networks by host, address, range and altogether, never metadata', async () => {
    const { origin, port } = await site({ '/': 'intranet' })
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    for (const allowPrivateNetworks of [['wiki.intranet'], ['127.0.0.1'], ['127.0.0.0/8'], 'all'] as const) {
      const made = fetcher({
        allowPrivateNetworks: allowPrivateNetworks === 'all' ? 'all' : [...allowPrivateNetworks],
        lookup,
      })
      expect(text(await made.fetch({ url: `http://wiki.intranet:${port}/`, kind: 'page' }))).toBe('intranet')
    }
    expect(text(await fetcher().fetch({ url: `${origin}/`, kind: 'page' }))).toBe('intranet')
    for (const url of [
      'http://169.254.169.254/',
      'http://[fe80::1]/',
      'http://[fd00:ec2::254]/',
      'http://100.100.100.200/',
    ]) {
      expect(await fetcher({ allowPrivateNetworks: 'all' }).fetch({ url, kind: 'page' }), url).toMatchObject({
        reason: 'private-address',
      })
    }
  })
})

describe("the product's own manual", () => {
  it("is read in process under exactly its origin's /help", async () => {
    const { origin, port, requests } = await site({ '/help/start': 'by network', '/': 'by network' })
    const paths: string[] = []
    const read = async (path: string) => {
      paths.push(path)
      return path === '/help/start'
        ? { status: 200, headers: { 'Content-Type': 'text/html', ETag: '"1"' }, body: '<p>ours</p>' }
        : null
    }
    const closed = fetcher({ allowPrivateNetworks: [], ownManual: { origin, read } })
    expect(text(await closed.fetch({ url: `${origin}/help/start`, kind: 'page' }))).toBe('<p>ours</p>')
    expect(await closed.fetch({ url: `${origin}/help/start`, kind: 'page', etag: '"1"' })).toMatchObject({
      kind: 'unchanged',
    })
    expect(await closed.fetch({ url: `${origin}/help/none`, kind: 'page' })).toMatchObject({ status: 404 })
    expect(await closed.fetch({ url: `${origin}/robots.txt`, kind: 'robots' })).toMatchObject({ status: 404 })
    expect(paths).toEqual(['/help/start', '/help/start', '/help/none'])
    for (const url of [
      `${origin}/`,
      `${origin}/helpers`,
      `${origin}/help/../`,
      `${origin}/robots.txt`,
      `http://localhost:${port}/help/start`,
      `https://127.0.0.1:${port}/help/start`,
    ]) {
      expect(await closed.fetch({ url, kind: 'page' }), url).toMatchObject({ reason: 'private-address' })
    }
    expect(requests).toEqual([])
  })
})
