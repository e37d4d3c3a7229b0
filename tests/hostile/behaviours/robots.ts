import { gzipSync } from 'node:zlib'
import { type Behaviour, forever, pageOf, proseAt, type Respond, rawHead, redirect, send, sendPage } from '../behaviour'

const home: Respond = (exchange) =>
  exchange.path === '/' || exchange.path === '/closed'
    ? sendPage(exchange, pageOf('Home', proseAt(exchange), ['/closed']))
    : send(exchange, { status: 404 })
const status =
  (code: number): Respond =>
  (exchange) =>
    send(exchange, { status: code, body: 'no' })
const open = { type: 'url', source: 'idle', respond: home } as const
const shut = { type: 'url', respond: home, maxRequests: 6 } as const

/** A robots.txt in every wrong state. */
export const robots: Behaviour[] = [
  { name: 'robots.txt is 401', ...open, robots: status(401) },
  { name: 'robots.txt is 403', ...open, robots: status(403) },
  { name: 'robots.txt is 404', ...open, robots: status(404) },
  { name: 'robots.txt is 429', ...shut, source: 'fail robots-unavailable', robots: status(429) },
  { name: 'robots.txt is 500', ...shut, source: 'fail robots-unavailable', quick: true, robots: status(500) },
  { name: 'robots.txt hangs', ...shut, source: 'fail timeout', robots: () => undefined },
  {
    name: 'robots.txt resets',
    ...shut,
    source: 'fail connection-failed',
    robots: ({ socket }) => socket.resetAndDestroy(),
  },
  {
    name: 'robots.txt is a page',
    ...open,
    robots: (exchange) => sendPage(exchange, pageOf('Home', proseAt(exchange))),
  },
  {
    name: 'robots.txt of 5 MB',
    type: 'domain',
    source: 'idle',
    addresses: { '/': 'idle', '/closed': 'fail robots-disallowed' },
    robots: (exchange) => send(exchange, { body: `User-agent: *\nDisallow: /closed\n${'# more\n'.repeat(750_000)}` }),
    respond: home,
  },
  {
    name: 'endless robots.txt',
    ...open,
    robots(exchange) {
      exchange.socket.write(rawHead('Connection: close'))
      forever(exchange, () => 'Disallow: /x\n'.repeat(5000))
    },
  },
  {
    name: 'robots.txt is a bomb',
    ...open,
    robots: (exchange) =>
      send(exchange, { headers: { 'content-encoding': 'gzip' }, body: gzipSync(new Uint8Array(40_000_000)) }),
  },
  { name: 'robots.txt redirects in a loop', ...open, robots: (exchange) => redirect(exchange, '/robots.txt') },
  {
    name: 'robots.txt redirects into a private network',
    ...shut,
    source: 'fail private-address',
    quick: true,
    robots: (exchange) => redirect(exchange, `${exchange.witness}/robots.txt`),
  },
  {
    name: 'robots.txt disallows everything',
    ...shut,
    source: 'fail robots-disallowed',
    maxRequests: 1,
    robots: (exchange) => send(exchange, { body: 'User-agent: *\nDisallow: /' }),
  },
  {
    name: 'robots.txt with 20,000 wildcard rules',
    type: 'domain',
    source: 'idle',
    robots: (exchange) =>
      send(exchange, { body: `User-agent: *\n${`Disallow: /${'*a'.repeat(10)}b$\n`.repeat(20_000)}` }),
    respond: (exchange) =>
      exchange.path === '/'
        ? sendPage(
            exchange,
            pageOf(
              'Home',
              proseAt(exchange),
              Array.from({ length: 10 }, (_, n) => `/${'a'.repeat(1000)}${n}`),
            ),
          )
        : sendPage(exchange, pageOf('Page', proseAt(exchange))),
  },
]
