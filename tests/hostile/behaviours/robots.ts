import { gzipSync } from 'node:zlib'
import { type Answer, type Behaviour, forever, pageOf, proseAt, rawHead, redirect, send, sendPage } from '../behaviour'

const home: Answer = (ask) =>
  ask.path === '/' || ask.path === '/closed'
    ? sendPage(ask, pageOf('Home', proseAt(ask), ['/closed']))
    : send(ask, { status: 404 })
const status =
  (code: number): Answer =>
  (ask) =>
    send(ask, { status: code, body: 'no' })
const open = { type: 'url', source: 'idle', answer: home } as const
const shut = { type: 'url', answer: home, most: 6 } as const

/** A robots.txt in every state that it should not be in. */
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
  { name: 'robots.txt is a page', ...open, robots: (ask) => sendPage(ask, pageOf('Home', proseAt(ask))) },
  {
    name: 'robots.txt of 5 MB',
    type: 'domain',
    source: 'idle',
    addresses: { '/': 'idle', '/closed': 'fail robots-disallowed' },
    robots: (ask) => send(ask, { body: `User-agent: *\nDisallow: /closed\n${'# more\n'.repeat(750_000)}` }),
    answer: home,
  },
  {
    name: 'robots.txt without an end',
    ...open,
    robots(ask) {
      ask.socket.write(rawHead('Connection: close'))
      forever(ask, () => 'Disallow: /x\n'.repeat(5000))
    },
  },
  {
    name: 'robots.txt is a bomb',
    ...open,
    robots: (ask) => send(ask, { headers: { 'content-encoding': 'gzip' }, body: gzipSync(new Uint8Array(40_000_000)) }),
  },
  { name: 'robots.txt redirects in a circle', ...open, robots: (ask) => redirect(ask, '/robots.txt') },
  {
    name: 'robots.txt redirects into a private network',
    ...shut,
    source: 'fail private-address',
    quick: true,
    robots: (ask) => redirect(ask, `${ask.witness}/robots.txt`),
  },
  {
    name: 'robots.txt closes all',
    ...shut,
    source: 'fail robots-disallowed',
    most: 1,
    robots: (ask) => send(ask, { body: 'User-agent: *\nDisallow: /' }),
  },
  {
    name: 'robots.txt with 20,000 rules of stars',
    type: 'domain',
    source: 'idle',
    robots: (ask) => send(ask, { body: `User-agent: *\n${`Disallow: /${'*a'.repeat(10)}b$\n`.repeat(20_000)}` }),
    answer: (ask) =>
      ask.path === '/'
        ? sendPage(
            ask,
            pageOf(
              'Home',
              proseAt(ask),
              Array.from({ length: 10 }, (_, n) => `/${'a'.repeat(1000)}${n}`),
            ),
          )
        : sendPage(ask, pageOf('Page', proseAt(ask))),
  },
]
