import { type Behaviour, forever, pageOf, proseAt, rawHead, sendPage } from '../behaviour'

/** Servers that are slow, endless or do not speak HTTP. */
export const connections: Behaviour[] = [
  { name: 'never answers', type: 'url', source: 'fail timeout', quick: true, respond: () => undefined },
  {
    name: 'head a byte at a time',
    type: 'url',
    source: 'fail timeout',
    respond(exchange) {
      const head = rawHead('Content-Length: 5')
      let position = 0
      forever(exchange, () => head[position++ % head.length] ?? '', 100)
    },
  },
  {
    name: 'body a byte at a time',
    type: 'url',
    source: 'fail timeout',
    respond(exchange) {
      exchange.socket.write(rawHead('Content-Length: 100000'))
      forever(exchange, () => 'x', 100)
    },
  },
  {
    name: 'endless body',
    type: 'url',
    source: 'fail too-large',
    quick: true,
    respond(exchange) {
      exchange.socket.write(rawHead('Connection: close'))
      const chunk = '<p>more and more words</p>'.repeat(1000)
      forever(exchange, () => chunk)
    },
  },
  {
    name: 'endless chunks of one byte',
    type: 'url',
    source: 'fail too-large',
    respond(exchange) {
      exchange.socket.write(rawHead('Transfer-Encoding: chunked'))
      const chunk = '1\r\nx\r\n'.repeat(10_000)
      forever(exchange, () => chunk)
    },
  },
  {
    name: 'endless headers',
    type: 'url',
    source: 'fail too-large',
    quick: true,
    respond(exchange) {
      exchange.socket.write('HTTP/1.1 200 OK\r\n')
      let number = 0
      forever(exchange, () => `X-More-${number++}: ${'x'.repeat(500)}\r\n`)
    },
  },
  {
    name: 'a hundred thousand headers',
    type: 'url',
    source: 'fail too-large',
    respond: ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(100_000)}\r\nwords`),
  },
  {
    name: 'headers of 40 KB',
    type: 'url',
    source: 'idle',
    respond: (exchange) =>
      sendPage(exchange, pageOf('Long headers', proseAt(exchange)), { 'x-long': 'x'.repeat(40_000) }),
  },
  {
    name: 'only early hints',
    type: 'url',
    source: 'fail timeout',
    respond: (exchange) => forever(exchange, () => 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', 5),
  },
  {
    name: 'reset at once',
    type: 'url',
    source: 'fail connection-failed',
    respond: ({ socket }) => socket.resetAndDestroy(),
  },
  {
    name: 'reset within the body',
    type: 'url',
    source: 'fail connection-failed',
    respond({ socket, random }) {
      socket.write(`${rawHead('Content-Length: 5000')}${'half '.repeat(10 + random() * 200)}`)
      setTimeout(() => socket.resetAndDestroy(), 10)
    },
  },
  {
    name: 'promises more than it sends',
    type: 'url',
    source: 'fail connection-failed',
    respond: ({ socket }) => socket.end(`${rawHead('Content-Length: 5000')}<p>half of it`),
  },
  {
    name: 'sends more than it promises',
    type: 'url',
    source: 'idle',
    respond(exchange) {
      const page = pageOf('The promised part', proseAt(exchange))
      exchange.socket.end(`${rawHead(`Content-Length: ${page.length}`)}${page}<p>and junk`)
    },
  },
  {
    name: 'an unsolicited second response',
    type: 'domain',
    source: 'idle',
    addresses: { '/': 'idle', '/next': 'idle' },
    respond(exchange) {
      const page = pageOf(`Page ${exchange.path}`, proseAt(exchange), ['/next'])
      const poison = pageOf('Poison', 'This answer was never asked for.')
      const response = (text: string) => `${rawHead(`Content-Length: ${text.length}`)}${text}`
      exchange.socket.write(response(page) + (exchange.path === '/' ? response(poison) : ''))
    },
  },
  {
    name: 'not HTTP',
    type: 'url',
    source: 'fail connection-failed',
    respond: ({ socket, random }) => socket.end(Buffer.from(Array.from({ length: 4000 }, () => random() * 256))),
  },
  {
    name: 'HTTP/1.0',
    type: 'url',
    source: 'idle',
    respond: (exchange) =>
      exchange.socket.end(`HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n${pageOf('Old', proseAt(exchange))}`),
  },
  {
    name: 'broken chunks',
    type: 'url',
    source: 'fail connection-failed',
    respond: ({ socket }) => socket.end(`${rawHead('Transfer-Encoding: chunked')}zz\r\nhalf\r\n0\r\n\r\n`),
  },
  {
    name: 'closes without notice',
    type: 'domain',
    source: 'idle',
    addresses: Object.fromEntries(['/', '/1', '/2', '/3'].map((path) => [path, 'idle'])),
    respond(exchange) {
      const page = pageOf(`Page ${exchange.path}`, proseAt(exchange), ['/1', '/2', '/3'])
      exchange.socket.end(`${rawHead(`Content-Length: ${page.length}`)}${page}`)
    },
  },
]
