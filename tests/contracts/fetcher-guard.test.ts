import { afterEach, describe, expect, it } from 'vitest'
import type { FetchOutcome } from '../../server/engine/ports/fetcher'
import { createFetching } from '../support/sites/fetching'

const { site, server, fetcher, close } = createFetching()
afterEach(close)

function text(outcome: FetchOutcome): string {
  expect(outcome).toMatchObject({ kind: 'fetched' })
  return outcome.kind === 'fetched' ? new TextDecoder().decode(outcome.body) : ''
}

describe('the guard against private networks', () => {
  /** A listener that must never be reached. */
  async function witness() {
    const { port, connections } = await server((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\nsecret'),
    )
    return { port, count: connections }
  }

  it.each([
    'ftp://site.example/',
    'file:///etc/hosts',
    'http://user:word@site.example/',
    'http://site.example:22/',
    'http://site.example:0/',
    'http://site.example:1023/',
    'http://@site.example:22/',
    'http://:word@site.example/',
    'http://[fe80::1%25eth0]/',
    'http://[::1%251]/',
    'http://1.2.3.4.5/',
    'http://256.256.256.256/',
    'data:text/html,words',
    'blob:http://site.example/1',
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
    '017700000001',
    '0x7f.1',
    '127.0.1',
    '0x7F000001',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::127.0.0.1]',
    '[::ffff:0:7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2606:4700::5efe:7f00:1]',
    '[2001:0:7f00:1::1]',
    '[fd00:ec2::254]',
    '１２７.0.0.1',
    '127。0。0。1',
    'localhost',
  ])('never connects to the host %s', async (host) => {
    const secret = await witness()
    const closed = fetcher({ allowPrivateNetworks: [] })
    const outcome = await closed.fetch({ url: `http://${host}:${secret.port}/`, kind: 'page' })
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^(private|forbidden)-address$/) })
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
      expect(JSON.stringify(outcome)).toContain('CRAWL_ALLOW_PRIVATE_NETWORKS=inner.example ')
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
    const allowed = await site({}, { host: '127.0.0.2' })
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

  it('names a setting that opens the host, unless nothing opens it', async () => {
    const { port } = await site({ '/': 'intranet' })
    const lookup = async (host: string) => [
      { address: host === 'metadata.intranet' ? '169.254.169.254' : '127.0.0.1', family: 4 },
    ]
    for (const host of ['wiki.intranet', '127.0.0.1', '2130706433', 'localhost']) {
      const page = { url: `http://${host}:${port}/`, kind: 'page' } as const
      const refused = await fetcher({ allowPrivateNetworks: [], lookup }).fetch(page)
      const [, value = ''] = /CRAWL_ALLOW_PRIVATE_NETWORKS=(\S+)/.exec(JSON.stringify(refused)) ?? []
      expect(text(await fetcher({ allowPrivateNetworks: [value], lookup }).fetch(page)), host).toBe('intranet')
    }
    for (const host of ['metadata.intranet', '169.254.169.254', '[fe80::1]', '[::ffff:a9fe:a9fe]']) {
      const refused = await fetcher({ allowPrivateNetworks: [], lookup }).fetch({
        url: `http://${host}/`,
        kind: 'page',
      })
      expect(refused, host).toMatchObject({ kind: 'refused', reason: 'forbidden-address' })
      expect(JSON.stringify(refused), host).not.toContain('CRAWL_')
    }
  })

  it('opens private networks by host, address, range and altogether, never metadata', async () => {
    const { origin, port } = await site({ '/': 'intranet' })
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    for (const allowPrivateNetworks of [['wiki.intranet'], ['127.0.0.1'], ['127.0.0.0/8'], 'all'] as const) {
      const created = fetcher({
        allowPrivateNetworks: allowPrivateNetworks === 'all' ? 'all' : [...allowPrivateNetworks],
        lookup,
      })
      expect(text(await created.fetch({ url: `http://wiki.intranet:${port}/`, kind: 'page' }))).toBe('intranet')
    }
    expect(text(await fetcher().fetch({ url: `${origin}/`, kind: 'page' }))).toBe('intranet')
    for (const url of [
      'http://169.254.169.254/',
      'http://[fe80::1]/',
      'http://[fd00:ec2::254]/',
      'http://100.100.100.200/',
    ]) {
      expect(await fetcher({ allowPrivateNetworks: 'all' }).fetch({ url, kind: 'page' }), url).toMatchObject({
        reason: 'forbidden-address',
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
