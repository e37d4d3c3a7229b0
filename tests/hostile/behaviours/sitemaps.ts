import { gzipSync } from 'node:zlib'
import {
  type Ask,
  type Behaviour,
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
/** It begins as a sitemap does, and goes on with nothing. */
const bomb = once(() => gzipSync(Buffer.alloc(60 * 1024 * 1024, ' ').fill('<urlset>', 0, 8)))
const page = (ask: Ask) => sendPage(ask, pageOf(`Page ${ask.path}`, proseAt(ask)))
/** The sitemap where it is asked for, and pages elsewhere. */
const site = (sitemap: (ask: Ask) => void) => (ask: Ask) => (ask.path.endsWith('.xml') ? sitemap(ask) : page(ask))
const start = { type: 'sitemap', path: '/sitemap.xml' } as const

/** Lists that burst, lie or lead elsewhere. */
export const sitemaps: Behaviour[] = [
  {
    name: 'sitemap bomb',
    ...start,
    source: 'fail too-large',
    quick: true,
    answer: (ask) => send(ask, { body: bomb() }),
  },
  {
    name: 'sitemap bomb on its way',
    ...start,
    source: 'fail too-large',
    answer: (ask) => send(ask, { headers: { 'content-encoding': 'gzip' }, body: bomb() }),
  },
  {
    name: 'sitemap without an end',
    ...start,
    source: 'fail too-large',
    answer(ask) {
      ask.socket.write(`${rawHead('Connection: close')}<urlset>`)
      const piece = '<url><loc>/page</loc></url>'.repeat(2000)
      forever(ask, () => piece)
    },
  },
  {
    name: 'sitemap that lists itself',
    ...start,
    source: 'fail sitemap-empty',
    quick: true,
    most: 3,
    answer: site((ask) => sendXml(ask, index([`${ask.origin}/sitemap.xml`]))),
  },
  {
    name: 'sitemaps ever deeper',
    ...start,
    path: '/0.xml',
    source: 'fail over-limit',
    most: 8,
    answer: site((ask) => sendXml(ask, index([`${ask.origin}/${Number.parseInt(ask.path.slice(1), 10) + 1}.xml`]))),
  },
  {
    name: 'sitemap of foreign hosts',
    ...start,
    source: 'fail sitemap-empty',
    quick: true,
    answer: site((ask) => sendXml(ask, list(['http://other.example/', `${ask.witness}/`, 'http://169.254.169.254/']))),
  },
  {
    name: 'sitemap index of private hosts',
    ...start,
    source: 'fail sitemap-empty',
    answer: site((ask) => sendXml(ask, index([`${ask.witness}/a.xml`, 'http://169.254.169.254/b.xml']))),
  },
  {
    name: 'sitemap that is a page',
    ...start,
    source: 'fail only-xml-sitemaps',
    answer: page,
  },
  {
    name: 'sitemap of a billion laughs',
    ...start,
    source: 'fail sitemap-broken',
    answer: site((ask) =>
      sendXml(
        ask,
        `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 12 }, (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? '' : n - 1};`.repeat(10)}">`).join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&a11;</loc></url><url><loc>/&f;</loc></url></urlset>`,
      ),
    ),
  },
  {
    name: 'sitemap that breaks off',
    ...start,
    source: 'idle',
    addresses: { '/1': 'idle', '/2': 'idle' },
    answer: site((ask) => sendXml(ask, `${list(['/1', '/2']).replace('</urlset>', '')}<url><loc>/3</l`)),
  },
  {
    name: 'sitemap of 60,000 addresses',
    ...start,
    source: 'url-limit over-limit',
    most: 40,
    options: { max_pages: 20 },
    answer: site((ask) => sendXml(ask, list(Array.from({ length: 60_000 }, (_, number) => `/page/${number}`)))),
  },
  {
    name: 'index of 2,000 sitemaps',
    ...start,
    path: '/index.xml',
    source: 'fail over-limit',
    most: 505,
    answer: site((ask) =>
      sendXml(
        ask,
        ask.path === '/index.xml'
          ? index(Array.from({ length: 2000 }, (_, number) => `${ask.origin}/${number}.xml`))
          : list([]),
      ),
    ),
  },
  {
    name: 'sitemap deep in itself',
    ...start,
    source: 'fail sitemap-broken',
    answer: site((ask) => sendXml(ask, `<urlset>${'<url>'.repeat(500_000)}`)),
  },
]
