import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reasonText } from '../../../contract/reasons'
import type { SourceInput } from '../../../contract/sources/source'
import { system } from '../../../server/actor'
import { createSafeFetch } from '../../../server/adapters/fetch/safe-fetch'
import type { SourceRef } from '../../../server/services/source-rows/find-source'
import { createTestApp } from '../../support/app'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { type RawServer, startRawServer } from '../../support/sites/raw-server'
import { type Site, startSite } from '../../support/sites/site'

/**
 * The product may reach 127.0.0.1, where the site of these tests listens. The witness listens on the same port
 * of 127.0.0.2, which is not allowed, and must never see a connection.
 */
let site: Site
let witness: RawServer
let collection: CrawledCollection
let lookups: string[] = []
const close: (() => Promise<unknown>)[] = []

/** The addresses of the names that the site uses. */
const names: Record<string, () => string[]> = {
  'private.example': () => ['127.0.0.2'],
  'mixed.example': () => ['127.0.0.1', '127.0.0.2'],
  'mapped.example': () => ['::ffff:127.0.0.2'],
  'linklocal.example': () => ['169.254.169.254'],
  'flip.example': () => [lookups.length % 2 === 1 ? '127.0.0.1' : '127.0.0.2'],
}

beforeAll(async () => {
  site = await startSite({})
  witness = await startRawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret'), {
    host: '127.0.0.2',
    port: site.port,
  })
  const fetcher = createSafeFetch({
    allowPrivateNetworks: ['127.0.0.1'],
    userAgent: 'Sitelore/test',
    async lookup(host) {
      lookups.push(host)
      const answers = names[host]?.() ?? []
      if (answers.length === 0) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  })
  const test = await createTestApp({ CRAWL_CONCURRENCY: '16' }, { fetcher })
  collection = await createCollection({}, 'Fennel', test)
  close.push(test.close, fetcher.close, witness.close, site.close)
})

afterAll(async () => {
  for (const end of close) await end()
})

/** Spellings of the witness and of other addresses that are never public. */
const literals = [
  '127.0.0.2',
  '127.2',
  '2130706434',
  '0x7f000002',
  '0x7F.0.0.0x2',
  '0177.0.0.02',
  '017700000002',
  '%31%32%37.0.0.2',
  '①②⑦.⓪.⓪.②',
  '[::ffff:127.0.0.2]',
  '[::ffff:7f00:2]',
  '[0:0:0:0:0:ffff:7f00:2]',
  '[::127.0.0.2]',
  '[::ffff:0:7f00:2]',
  '[64:ff9b::7f00:2]',
  '[64:ff9b:1::7f00:2]',
  '[2002:7f00:2::]',
  '[2001:0:7f00:2::1]',
  '[2606:4700::5efe:7f00:2]',
  '[::1]',
  '[::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.100.100.200',
  '224.0.0.1',
  '255.255.255.255',
]
const hosts = [...literals, ...Object.keys(names).filter((name) => name !== 'flip.example')]
/** Hosts that no setting allows. */
const forbidden = [
  '[::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '0.0.0.0',
  '169.254.169.254',
  '100.100.100.200',
  '224.0.0.1',
  '255.255.255.255',
  'linklocal.example',
]
const node = (host: string, path = '/') => `http://${host}:${site.port}${path}`

type Added = Pick<SourceInput, 'type' | 'url'>

/** Adds sources, waits for their runs, and returns their outcomes. */
async function crawl(inputs: Added[]) {
  const { test, orgId } = collection
  // Some hosts are other spellings of one: each gets a collection of its own.
  const refs: SourceRef[] = []
  for (const input of inputs) {
    const { id } = await test.app.services.collections.create(system, orgId, { name: 'Pages', description: '' })
    const source = await test.app.services.sources.create(
      system,
      { organizationId: orgId, collectionId: id },
      { name: '', ...input },
    )
    refs.push({ organizationId: orgId, collectionId: id, sourceId: source.id })
  }
  await test.runner.idle()
  const sources = await Promise.all(refs.map((ref) => test.app.services.sources.get(system, ref)))
  return sources.map(({ status, reason, message }) => ({ status, reason, message }))
}

/** The outcome of a host as a URL writes it. Its message names the host at most, never an address that it resolves to. */
function refusedHost(host: string) {
  const written = new URL(node(host)).hostname.replace(/^\[|\]$/g, '')
  const reason = forbidden.includes(host) ? 'forbidden-address' : 'private-address'
  return { status: 'fail', reason, message: reasonText(reason, { host: written }) }
}

function expectNothingSeen() {
  expect(witness.connections()).toBe(0)
}

describe('a private address is never reached', () => {
  it('is refused as the address of a source', async () => {
    for (const type of ['url', 'domain', 'sitemap'] as const) {
      const outcomes = await crawl(hosts.map((host) => ({ type, url: node(host, '/sitemap.xml') })))
      for (const [index, outcome] of outcomes.entries()) {
        const host = hosts[index] ?? ''
        expect(outcome, `${type} ${host}`).toEqual(refusedHost(host))
        if (!literals.includes(host)) expect(outcome.message, host).not.toMatch(/\d+\.\d+|::/)
      }
    }
    expectNothingSeen()
  })

  it('is refused as the target of a redirect of a page, of robots.txt or of a sitemap', async () => {
    for (const [index, host] of hosts.entries()) {
      // A header is bytes; those of UTF-8 go out as they are.
      const sent = Buffer.from(host).toString('latin1')
      site.set(`/to/${index}`, { status: 302, headers: { location: node(sent) } })
      site.set(`/map/${index}.xml`, { status: 301, headers: { location: node(sent, '/sitemap.xml') } })
    }
    const pages = await crawl(hosts.map((_, index) => ({ type: 'url', url: `${site.origin}/to/${index}` })))
    for (const [index, outcome] of pages.entries())
      expect(outcome, hosts[index]).toEqual(refusedHost(hosts[index] ?? ''))
    const maps = await crawl(hosts.map((_, index) => ({ type: 'sitemap', url: `${site.origin}/map/${index}.xml` })))
    for (const [index, outcome] of maps.entries()) expect(outcome, hosts[index]).toMatchObject({ status: 'fail' })
    expectNothingSeen()
  })

  it('is refused as the target of a robots.txt that redirects', async () => {
    const others: Site[] = []
    const targets = ['127.0.0.2', '2130706434', '[::ffff:7f00:2]', '169.254.169.254', 'private.example']
    for (const host of targets) {
      const otherSite = await startSite({
        '/robots.txt': { status: 302, headers: { location: node(host, '/robots.txt') } },
      })
      others.push(otherSite)
      close.push(otherSite.close)
    }
    const outcomes = await crawl(others.map(({ origin }) => ({ type: 'url', url: `${origin}/` })))
    for (const [index, outcome] of outcomes.entries()) expect(outcome).toEqual(refusedHost(targets[index] ?? ''))
    expectNothingSeen()
  })

  it('is refused in the entries of a sitemap and as a sitemap of an index', async () => {
    const entries = (tag: string, path: string) =>
      hosts.map((host) => `<${tag}><loc>${node(host, path)}</loc></${tag}>`).join('')
    site.set('/pages.xml', `<urlset>${entries('url', '/page')}</urlset>`)
    site.set('/index.xml', `<sitemapindex>${entries('sitemap', '/sitemap.xml')}</sitemapindex>`)
    const outcomes = await crawl(
      ['/pages.xml', '/index.xml'].map((path) => ({ type: 'sitemap', url: site.origin + path })),
    )
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'fail' })
    expectNothingSeen()
  })

  it("is refused in a domain's robots.txt, llms.txt, feed, links, canonical and language forms", async () => {
    const own = await startSite({})
    close.push(own.close)
    const places = hosts.map((host) => node(host))
    const items = places.map((place) => `<item><title>x</title><link>${place}</link></item>`).join('')
    const links = places.map((place) => `<a href="${place}">Read on</a>`).join(' ')
    const forms = places.map((place) => `<link rel="alternate" hreflang="de" href="${place}">`).join('')
    const text = '<p>The lamp stands on the table, and the table stands in the room with the window.</p>'
    const rss = '<link rel="alternate" type="application/rss+xml" href='
    const feeds = `${rss}"/feed.xml">${rss}"${node('127.0.0.2', '/feed')}">`
    own.set('/robots.txt', `User-agent: *\n${places.map((place) => `Sitemap: ${place}sitemap.xml`).join('\n')}\n`)
    own.set('/llms.txt', `# Site\n${places.map((place) => `- [Page](${place})`).join('\n')}\n`)
    own.set('/feed.xml', `<?xml version="1.0"?><rss version="2.0"><channel>${items}</channel></rss>`)
    own.set('/', `<html><head>${feeds}${forms}</head><body>${text}${links}<a href="/c/0">Next</a></body></html>`)
    for (const [index, place] of places.entries()) {
      const next = `<a href="/c/${index + 1}">Next</a> <a href="/c/${index + 2}">Further</a>`
      own.set(`/c/${index}`, `<head><link rel="canonical" href="${place}"></head><h1>${index}</h1>${text}${next}`)
      own.set(`/base/${index}`, `<base href="${place}"><h1>Base ${index}</h1>${text}<a href="page">Page</a>`)
    }
    const [outcome] = await crawl([{ type: 'domain', url: own.origin }])
    expect(outcome).toMatchObject({ status: 'idle' })
    expect(own.visited()).toContain(`/c/${hosts.length - 1}`)
    expectNothingSeen()
  })

  it('is refused from a resolver that answers differently each time', async () => {
    lookups = []
    const pages = Array.from({ length: 30 }, (_, index) => `/flip/${index}`)
    for (const path of pages) site.set(path, { body: '<p>Some words of a page.</p>', headers: { connection: 'close' } })
    site.set('/robots.txt', { status: 404, headers: { connection: 'close' } })
    const outcomes = await crawl(pages.map((path) => ({ type: 'url', url: node('flip.example', path) })))
    expect(lookups.length).toBeGreaterThan(10)
    expect(outcomes.filter(({ reason }) => reason === 'private-address').length).toBeGreaterThan(0)
    expectNothingSeen()
  })
})
