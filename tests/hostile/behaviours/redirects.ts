import { type Answer, type Behaviour, pageOf, proseAt, redirect, send, sendPage } from '../behaviour'

const hop = (path: string) => Number(path.slice(1).split('?')[0]) || 0
const chain =
  (hops: number): Answer =>
  (ask) =>
    hop(ask.path) < hops ? redirect(ask, `/${hop(ask.path) + 1}`) : sendPage(ask, pageOf('The end', proseAt(ask)))
const privateTarget = { type: 'url', source: 'fail private-address', most: 2 } as const

/** Ways to lead a crawler on, in circles, or where it must not go. */
export const redirects: Behaviour[] = [
  {
    name: 'redirects in a circle',
    type: 'url',
    source: 'fail too-many-redirects',
    most: 4,
    answer: (ask) => redirect(ask, ask.path === '/a' ? '/b' : '/a'),
  },
  {
    name: 'redirects for a cookie',
    type: 'url',
    source: 'fail too-many-redirects',
    most: 3,
    answer: (ask) => send(ask, { status: 302, headers: { location: ask.path, 'set-cookie': 'seen=1' } }),
  },
  { name: 'redirects on and on', type: 'url', path: '/0', source: 'fail too-many-redirects', answer: chain(1000) },
  { name: 'redirects five times', type: 'url', path: '/0', source: 'idle', answer: chain(5) },
  {
    name: 'redirects with a body of its own',
    type: 'url',
    path: '/0',
    source: 'idle',
    answer(ask) {
      if (ask.path !== '/0') return sendPage(ask, pageOf('The end', proseAt(ask)))
      ask.response.writeHead(302, { location: '/1' })
      const timer = setInterval(() => ask.response.write('x'), 50)
      ask.socket.on('close', () => clearInterval(timer))
    },
  },
  {
    name: 'redirects to TLS that is none',
    type: 'url',
    source: 'fail connection-failed',
    answer: (ask) => redirect(ask, `${ask.origin.replace('http:', 'https:')}/`),
  },
  {
    name: 'redirects into a private network',
    ...privateTarget,
    quick: true,
    answer: (ask) => redirect(ask, ask.witness),
  },
  {
    name: 'redirects into a private network by a number',
    ...privateTarget,
    answer: (ask) => redirect(ask, ask.witness.replace('127.0.0.2', '2130706434')),
  },
  {
    name: 'redirects into a private network by a mapped address',
    ...privateTarget,
    answer: (ask) => redirect(ask, ask.witness.replace('127.0.0.2', '[::ffff:7f00:2]')),
  },
  {
    name: "redirects to a cloud's metadata",
    ...privateTarget,
    source: 'fail forbidden-address',
    answer: (ask) => redirect(ask, 'http://169.254.169.254/latest/meta-data/'),
  },
  {
    name: 'redirects to a file',
    type: 'url',
    source: 'fail invalid-address',
    answer: (ask) => redirect(ask, 'file:///etc/passwd'),
  },
  {
    name: 'redirects with a password',
    type: 'url',
    source: 'fail invalid-address',
    answer: (ask) => redirect(ask, ask.origin.replace('//', '//user:word@')),
  },
  {
    name: 'redirects to what robots.txt closes',
    type: 'domain',
    source: 'idle',
    quick: true,
    addresses: { '/': 'idle', '/open': 'fail robots-disallowed' },
    robots: (ask) => send(ask, { body: 'User-agent: *\nDisallow: /closed' }),
    answer(ask) {
      if (ask.path.startsWith('/closed')) ask.socket.destroy()
      else if (ask.path === '/open') redirect(ask, '/closed/page')
      else sendPage(ask, pageOf('Home', proseAt(ask), ['/open', '/closed/page']))
    },
  },
  {
    name: 'redirects to another site',
    type: 'domain',
    source: 'fail other-host',
    answer: (ask) => redirect(ask, 'http://127.0.0.1:65009/'),
  },
]
