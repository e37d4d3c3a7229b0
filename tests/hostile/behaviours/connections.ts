import { type Behaviour, forever, pageOf, proseAt, rawHead, sendPage } from '../behaviour'

/** Servers that are slow, endless or no HTTP at all. */
export const connections: Behaviour[] = [
  { name: 'never answers', type: 'url', source: 'fail timeout', quick: true, answer: () => undefined },
  {
    name: 'head a byte at a time',
    type: 'url',
    source: 'fail timeout',
    answer(ask) {
      const head = rawHead('Content-Length: 5')
      let at = 0
      forever(ask, () => head[at++ % head.length] ?? '', 100)
    },
  },
  {
    name: 'body a byte at a time',
    type: 'url',
    source: 'fail timeout',
    answer(ask) {
      ask.socket.write(rawHead('Content-Length: 100000'))
      forever(ask, () => 'x', 100)
    },
  },
  {
    name: 'endless body',
    type: 'url',
    source: 'fail too-large',
    quick: true,
    answer(ask) {
      ask.socket.write(rawHead('Connection: close'))
      const piece = '<p>more and more words</p>'.repeat(1000)
      forever(ask, () => piece)
    },
  },
  {
    name: 'endless chunks of one byte',
    type: 'url',
    source: 'fail too-large',
    answer(ask) {
      ask.socket.write(rawHead('Transfer-Encoding: chunked'))
      const piece = '1\r\nx\r\n'.repeat(10_000)
      forever(ask, () => piece)
    },
  },
  {
    name: 'endless headers',
    type: 'url',
    source: 'fail too-large',
    quick: true,
    answer(ask) {
      ask.socket.write('HTTP/1.1 200 OK\r\n')
      let number = 0
      forever(ask, () => `X-More-${number++}: ${'x'.repeat(500)}\r\n`)
    },
  },
  {
    name: 'a hundred thousand headers',
    type: 'url',
    source: 'fail too-large',
    answer: ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(100_000)}\r\nwords`),
  },
  {
    name: 'headers of 40 KB',
    type: 'url',
    source: 'idle',
    answer: (ask) => sendPage(ask, pageOf('Long headers', proseAt(ask)), { 'x-long': 'x'.repeat(40_000) }),
  },
  {
    name: 'only hints, no answer',
    type: 'url',
    source: 'fail timeout',
    answer: (ask) => forever(ask, () => 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', 5),
  },
  {
    name: 'reset at once',
    type: 'url',
    source: 'fail connection-failed',
    answer: ({ socket }) => socket.resetAndDestroy(),
  },
  {
    name: 'reset within the body',
    type: 'url',
    source: 'fail connection-failed',
    answer({ socket, random }) {
      socket.write(`${rawHead('Content-Length: 5000')}${'half '.repeat(10 + random() * 200)}`)
      setTimeout(() => socket.resetAndDestroy(), 10)
    },
  },
  {
    name: 'promises more than it sends',
    type: 'url',
    source: 'fail connection-failed',
    answer: ({ socket }) => socket.end(`${rawHead('Content-Length: 5000')}<p>half of it`),
  },
  {
    name: 'sends more than it promises',
    type: 'url',
    source: 'idle',
    answer(ask) {
      const page = pageOf('The promised part', proseAt(ask))
      ask.socket.end(`${rawHead(`Content-Length: ${page.length}`)}${page}<p>and junk`)
    },
  },
  {
    name: 'a second answer ahead of time',
    type: 'domain',
    source: 'idle',
    addresses: { '/': 'idle', '/next': 'idle' },
    answer(ask) {
      const page = pageOf(`Page ${ask.path}`, proseAt(ask), ['/next'])
      const poison = pageOf('Poison', 'This answer was never asked for.')
      const whole = (text: string) => `${rawHead(`Content-Length: ${text.length}`)}${text}`
      ask.socket.write(whole(page) + (ask.path === '/' ? whole(poison) : ''))
    },
  },
  {
    name: 'no HTTP',
    type: 'url',
    source: 'fail connection-failed',
    answer: ({ socket, random }) => socket.end(Buffer.from(Array.from({ length: 4000 }, () => random() * 256))),
  },
  {
    name: 'HTTP/1.0',
    type: 'url',
    source: 'idle',
    answer: (ask) => ask.socket.end(`HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n${pageOf('Old', proseAt(ask))}`),
  },
  {
    name: 'broken chunks',
    type: 'url',
    source: 'fail connection-failed',
    answer: ({ socket }) => socket.end(`${rawHead('Transfer-Encoding: chunked')}zz\r\nhalf\r\n0\r\n\r\n`),
  },
  {
    name: 'closes without a word',
    type: 'domain',
    source: 'idle',
    addresses: Object.fromEntries(['/', '/1', '/2', '/3'].map((path) => [path, 'idle'])),
    answer(ask) {
      const page = pageOf(`Page ${ask.path}`, proseAt(ask), ['/1', '/2', '/3'])
      ask.socket.end(`${rawHead(`Content-Length: ${page.length}`)}${page}`)
    },
  },
]
