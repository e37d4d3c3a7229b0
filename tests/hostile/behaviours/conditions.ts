import { type Behaviour, pageOf, prose, proseAt, send, sendPage } from '../behaviour'

const url = { type: 'url', source: 'idle' } as const

/** Statuses and validators that lie. */
export const conditions: Behaviour[] = [
  {
    name: 'a new ETag each time',
    ...url,
    second: 'unchanged 1, changed 0',
    quick: true,
    answer: (ask) => sendPage(ask, pageOf('Tagged', proseAt(ask)), { etag: `"${ask.random()}"` }),
  },
  {
    name: 'one ETag for every text',
    ...url,
    second: 'unchanged 0, changed 1',
    answer: (ask) => sendPage(ask, pageOf(`Tagged ${ask.times}`, prose(ask.random)), { etag: '"same"' }),
  },
  {
    name: 'always 304 to a condition',
    ...url,
    second: 'unchanged 1, changed 0',
    answer: (ask) =>
      ask.headers['if-none-match']
        ? send(ask, { status: 304, headers: { etag: '"other"' } })
        : sendPage(ask, pageOf('Tagged', prose(ask.random)), { etag: '"one"' }),
  },
  {
    name: 'a 304 that nobody asked for',
    type: 'url',
    source: 'fail http-client-error',
    answer: (ask) => send(ask, { status: 304 }),
  },
  {
    name: 'an ETag of 50 KB',
    ...url,
    second: 'unchanged 1, changed 0',
    answer: (ask) => sendPage(ask, pageOf('Tagged', proseAt(ask)), { etag: `"${'x'.repeat(50_000)}"` }),
  },
  {
    name: 'last modified in the year 9999',
    ...url,
    second: 'unchanged 1, changed 0',
    answer: (ask) =>
      sendPage(ask, pageOf('Dated', proseAt(ask)), { 'last-modified': 'Fri, 31 Dec 9999 23:59:59 GMT', age: '-1' }),
  },
  {
    name: 'missing in the second look',
    ...url,
    source: 'fail missing-once',
    second: 'withdrawn 0',
    answer: (ask) => (ask.times === 0 ? sendPage(ask, pageOf('Once', proseAt(ask))) : send(ask, { status: 404 })),
  },
  { name: 'status 999', type: 'url', source: 'fail http-server-error', answer: (ask) => send(ask, { status: 999 }) },
  {
    name: 'always 500',
    type: 'url',
    source: 'fail http-server-error',
    quick: true,
    answer: (ask) => send(ask, { status: 500 }),
  },
  {
    name: '503 with a Retry-After that is no time',
    type: 'url',
    source: 'fail http-server-error',
    answer: (ask) => send(ask, { status: 503, headers: { 'retry-after': 'soon, -1' } }),
  },
  {
    name: '429, and then the page',
    ...url,
    answer: (ask) =>
      ask.times === 0
        ? send(ask, { status: 429, headers: { 'retry-after': '1' } })
        : sendPage(ask, pageOf('Later', proseAt(ask))),
  },
  {
    name: '200 for everything',
    type: 'domain',
    source: 'idle',
    robots: (ask) => sendPage(ask, pageOf('Home', prose(ask.random))),
    answer: (ask) => sendPage(ask, pageOf('Home', proseAt(ask, '/'))),
  },
]
