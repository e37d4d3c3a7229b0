import { gzipSync } from 'node:zlib'
import {
  type Behaviour,
  type Exchange,
  forever,
  once,
  pageOf,
  proseAt,
  rawHead,
  send,
  sendPage,
  sendXml,
} from '../behaviour'

const list = (addresses: string[]) =>
  `<urlset>${addresses.map((address) => `<url><loc>${address}</loc></url>`).join('')}</urlset>`
const index = (addresses: string[]) =>
  `<sitemapindex>${addresses.map((address) => `<sitemap><loc>${address}</loc></sitemap>`).join('')}</sitemapindex>`
/** Starts as a sitemap, followed by white space. */
const bomb = once(() => gzipSync(Buffer.alloc(60 * 1024 * 1024, ' ').fill('<urlset>', 0, 8)))
const page = (exchange: Exchange) => sendPage(exchange, pageOf(`Page ${exchange.path}`, proseAt(exchange)))
/** Serves the sitemap at .xml addresses, and pages elsewhere. */
const site = (sitemap: (exchange: Exchange) => void) => (exchange: Exchange) =>
  exchange.path.endsWith('.xml') ? sitemap(exchange) : page(exchange)
const start = { type: 'sitemap', path: '/sitemap.xml' } as const

/** Sitemaps that are huge, wrong or lead elsewhere. */
export const sitemaps: Behaviour[] = [
  {
    name: 'sitemap bomb',
    ...start,
    source: 'fail too-large',
    quick: true,
    respond: (exchange) => send(exchange, { body: bomb() }),
  },
  {
    name: 'sitemap bomb in the transfer encoding',
    ...start,
    source: 'fail too-large',
    respond: (exchange) => send(exchange, { headers: { 'content-encoding': 'gzip' }, body: bomb() }),
  },
  {
    name: 'endless sitemap',
    ...start,
    source: 'fail too-large',
    respond(exchange) {
      exchange.socket.write(`${rawHead('Connection: close')}<urlset>`)
      const chunk = '<url><loc>/page</loc></url>'.repeat(2000)
      forever(exchange, () => chunk)
    },
  },
  {
    name: 'sitemap that lists itself',
    ...start,
    source: 'fail sitemap-empty',
    quick: true,
    maxRequests: 3,
    respond: site((exchange) => sendXml(exchange, index([`${exchange.origin}/sitemap.xml`]))),
  },
  {
    name: 'endlessly nested sitemaps',
    ...start,
    path: '/0.xml',
    source: 'fail over-limit',
    maxRequests: 8,
    respond: site((exchange) =>
      sendXml(exchange, index([`${exchange.origin}/${Number.parseInt(exchange.path.slice(1), 10) + 1}.xml`])),
    ),
  },
  {
    name: 'sitemap of foreign hosts',
    ...start,
    source: 'fail sitemap-empty',
    quick: true,
    respond: site((exchange) =>
      sendXml(exchange, list(['http://other.example/', `${exchange.witness}/`, 'http://169.254.169.254/'])),
    ),
  },
  {
    name: 'sitemap index of private hosts',
    ...start,
    source: 'fail sitemap-empty',
    respond: site((exchange) =>
      sendXml(exchange, index([`${exchange.witness}/a.xml`, 'http://169.254.169.254/b.xml'])),
    ),
  },
  {
    name: 'sitemap that is a page',
    ...start,
    source: 'fail only-xml-sitemaps',
    respond: page,
  },
  {
    name: 'sitemap of a billion laughs',
    ...start,
    source: 'fail sitemap-broken',
    respond: site((exchange) =>
      sendXml(
        exchange,
        `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 12 }, (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? '' : n - 1};`.repeat(10)}">`).join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&a11;</loc></url><url><loc>/&f;</loc></url></urlset>`,
      ),
    ),
  },
  {
    name: 'truncated sitemap',
    ...start,
    source: 'idle',
    addresses: { '/1': 'idle', '/2': 'idle' },
    respond: site((exchange) => sendXml(exchange, `${list(['/1', '/2']).replace('</urlset>', '')}<url><loc>/3</l`)),
  },
  {
    name: 'sitemap of 60,000 addresses',
    ...start,
    source: 'url-limit over-limit',
    maxRequests: 40,
    options: { max_pages: 20 },
    respond: site((exchange) =>
      sendXml(exchange, list(Array.from({ length: 60_000 }, (_, number) => `/page/${number}`))),
    ),
  },
  {
    name: 'index of 2,000 sitemaps',
    ...start,
    path: '/index.xml',
    source: 'fail over-limit',
    maxRequests: 505,
    respond: site((exchange) =>
      sendXml(
        exchange,
        exchange.path === '/index.xml'
          ? index(Array.from({ length: 2000 }, (_, number) => `${exchange.origin}/${number}.xml`))
          : list([]),
      ),
    ),
  },
  {
    name: 'sitemap of nested elements',
    ...start,
    source: 'fail sitemap-broken',
    respond: site((exchange) => sendXml(exchange, `<urlset>${'<url>'.repeat(500_000)}`)),
  },
]
