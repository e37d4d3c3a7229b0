import { type Behaviour, pageOf, prose, proseAt, send, sendPage } from '../behaviour'

const url = { type: 'url', source: 'idle' } as const

/** Statuses and validators that are wrong. */
export const conditions: Behaviour[] = [
  {
    name: 'a new ETag each time',
    ...url,
    secondRun: 'unchanged 1, changed 0',
    quick: true,
    respond: (exchange) => sendPage(exchange, pageOf('Tagged', proseAt(exchange)), { etag: `"${exchange.random()}"` }),
  },
  {
    name: 'one ETag for every text',
    ...url,
    secondRun: 'unchanged 0, changed 1',
    respond: (exchange) =>
      sendPage(exchange, pageOf(`Tagged ${exchange.previousRequests}`, prose(exchange.random)), { etag: '"same"' }),
  },
  {
    name: 'always 304 to a condition',
    ...url,
    secondRun: 'unchanged 1, changed 0',
    respond: (exchange) =>
      exchange.headers['if-none-match']
        ? send(exchange, { status: 304, headers: { etag: '"other"' } })
        : sendPage(exchange, pageOf('Tagged', prose(exchange.random)), { etag: '"one"' }),
  },
  {
    name: 'a 304 to an unconditional request',
    type: 'url',
    source: 'fail http-client-error',
    respond: (exchange) => send(exchange, { status: 304 }),
  },
  {
    name: 'an ETag of 50 KB',
    ...url,
    secondRun: 'unchanged 1, changed 0',
    respond: (exchange) => sendPage(exchange, pageOf('Tagged', proseAt(exchange)), { etag: `"${'x'.repeat(50_000)}"` }),
  },
  {
    name: 'last modified in the year 9999',
    ...url,
    secondRun: 'unchanged 1, changed 0',
    respond: (exchange) =>
      sendPage(exchange, pageOf('Dated', proseAt(exchange)), {
        'last-modified': 'Fri, 31 Dec 9999 23:59:59 GMT',
        age: '-1',
      }),
  },
  {
    name: 'missing on the second visit',
    ...url,
    source: 'fail missing-once',
    secondRun: 'withdrawn 0',
    respond: (exchange) =>
      exchange.previousRequests === 0
        ? sendPage(exchange, pageOf('Once', proseAt(exchange)))
        : send(exchange, { status: 404 }),
  },
  {
    name: 'status 999',
    type: 'url',
    source: 'fail http-server-error',
    respond: (exchange) => send(exchange, { status: 999 }),
  },
  {
    name: 'always 500',
    type: 'url',
    source: 'fail http-server-error',
    quick: true,
    respond: (exchange) => send(exchange, { status: 500 }),
  },
  {
    name: '503 with an invalid Retry-After',
    type: 'url',
    source: 'fail http-server-error',
    respond: (exchange) => send(exchange, { status: 503, headers: { 'retry-after': 'soon, -1' } }),
  },
  {
    name: '429, and then the page',
    ...url,
    respond: (exchange) =>
      exchange.previousRequests === 0
        ? send(exchange, { status: 429, headers: { 'retry-after': '1' } })
        : sendPage(exchange, pageOf('Later', proseAt(exchange))),
  },
  {
    name: '200 for everything',
    type: 'domain',
    source: 'idle',
    robots: (exchange) => sendPage(exchange, pageOf('Home', prose(exchange.random))),
    respond: (exchange) => sendPage(exchange, pageOf('Home', proseAt(exchange, '/'))),
  },
]
