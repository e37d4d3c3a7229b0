import { type Behaviour, pageOf, proseAt, type Respond, redirect, send, sendPage } from '../behaviour'

const hop = (path: string) => Number(path.slice(1).split('?')[0]) || 0
const chain =
  (hops: number): Respond =>
  (exchange) =>
    hop(exchange.path) < hops
      ? redirect(exchange, `/${hop(exchange.path) + 1}`)
      : sendPage(exchange, pageOf('The end', proseAt(exchange)))
const privateTarget = { type: 'url', source: 'fail private-address', maxRequests: 2 } as const

/** Redirects that never end, or lead to forbidden targets. */
export const redirects: Behaviour[] = [
  {
    name: 'redirects in a loop',
    type: 'url',
    source: 'fail too-many-redirects',
    maxRequests: 4,
    respond: (exchange) => redirect(exchange, exchange.path === '/a' ? '/b' : '/a'),
  },
  {
    name: 'redirects for a cookie',
    type: 'url',
    source: 'fail too-many-redirects',
    maxRequests: 3,
    respond: (exchange) =>
      send(exchange, { status: 302, headers: { location: exchange.path, 'set-cookie': 'seen=1' } }),
  },
  { name: 'redirects endlessly', type: 'url', path: '/0', source: 'fail too-many-redirects', respond: chain(1000) },
  { name: 'redirects five times', type: 'url', path: '/0', source: 'idle', respond: chain(5) },
  {
    name: 'redirects with an endless body',
    type: 'url',
    path: '/0',
    source: 'idle',
    respond(exchange) {
      if (exchange.path !== '/0') return sendPage(exchange, pageOf('The end', proseAt(exchange)))
      exchange.response.writeHead(302, { location: '/1' })
      const timer = setInterval(() => exchange.response.write('x'), 50)
      exchange.socket.on('close', () => clearInterval(timer))
    },
  },
  {
    name: 'redirects to TLS on a plain port',
    type: 'url',
    source: 'fail connection-failed',
    respond: (exchange) => redirect(exchange, `${exchange.origin.replace('http:', 'https:')}/`),
  },
  {
    name: 'redirects into a private network',
    ...privateTarget,
    quick: true,
    respond: (exchange) => redirect(exchange, exchange.witness),
  },
  {
    name: 'redirects into a private network by a number',
    ...privateTarget,
    respond: (exchange) => redirect(exchange, exchange.witness.replace('127.0.0.2', '2130706434')),
  },
  {
    name: 'redirects into a private network by a mapped address',
    ...privateTarget,
    respond: (exchange) => redirect(exchange, exchange.witness.replace('127.0.0.2', '[::ffff:7f00:2]')),
  },
  {
    name: "redirects to a cloud's metadata",
    ...privateTarget,
    source: 'fail forbidden-address',
    respond: (exchange) => redirect(exchange, 'http://169.254.169.254/latest/meta-data/'),
  },
  {
    name: 'redirects to a file',
    type: 'url',
    source: 'fail invalid-address',
    respond: (exchange) => redirect(exchange, 'file:///etc/passwd'),
  },
  {
    name: 'redirects with a password',
    type: 'url',
    source: 'fail invalid-address',
    respond: (exchange) => redirect(exchange, exchange.origin.replace('//', '//user:word@')),
  },
  {
    name: 'redirects to a path that robots.txt disallows',
    type: 'domain',
    source: 'idle',
    quick: true,
    addresses: { '/': 'idle', '/open': 'fail robots-disallowed' },
    robots: (exchange) => send(exchange, { body: 'User-agent: *\nDisallow: /closed' }),
    respond(exchange) {
      if (exchange.path.startsWith('/closed')) exchange.socket.destroy()
      else if (exchange.path === '/open') redirect(exchange, '/closed/page')
      else sendPage(exchange, pageOf('Home', proseAt(exchange), ['/open', '/closed/page']))
    },
  },
  {
    name: 'redirects to another site',
    type: 'domain',
    source: 'fail other-host',
    respond: (exchange) => redirect(exchange, 'http://127.0.0.1:65009/'),
  },
]
