import type { Socket } from 'node:net'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFetching } from '../support/sites/fetching'
import { until } from '../support/until'

/** Every violation of HTTP ends in a plain outcome, in time. */

const patient = { wireBytes: 200_000, decodedBytes: 400_000, totalMs: 20_000 }
/** For servers that end in a timeout; on a busy machine, nothing else should. */
const short = { ...patient, totalMs: 400 }

const { server: serve, fetcher, close } = createFetching({ page: patient })
afterEach(async () => {
  vi.useRealTimers()
  await close()
})

const html = 'content-type: text/html'
const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')
/** Sends a chunk until the connection closes. */
const forever = (socket: Socket, chunk: string | Uint8Array, everyMs = 1) => {
  const timer = setInterval(() => socket.write(chunk), everyMs)
  socket.on('close', () => clearInterval(timer))
}

describe('a server that', () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ['says nothing', 'timeout', () => undefined],
    [
      'sends its head a byte at a time',
      'timeout',
      (socket) => {
        let position = 0
        const text = head(html, 'content-length: 2')
        const timer = setInterval(() => socket.write(text[position++] ?? ''), 20)
        socket.on('close', () => clearInterval(timer))
      },
    ],
    [
      'sends its body a byte at a time',
      'timeout',
      (socket) => {
        socket.write(head(html, 'content-length: 99999'))
        forever(socket, 'x', 20)
      },
    ],
    [
      'sends a compressed body a byte at a time',
      'timeout',
      (socket) => {
        socket.write(head(html, 'content-encoding: deflate', 'content-length: 99999'))
        forever(socket, 'x', 150)
      },
    ],
    [
      'never ends its body',
      'too-large',
      (socket) => {
        socket.write(head(html))
        forever(socket, 'x'.repeat(30_000))
      },
    ],
    [
      'sends endless chunks of one byte',
      'too-large',
      (socket) => {
        socket.write(head(html, 'transfer-encoding: chunked'))
        forever(socket, '1\r\nx\r\n'.repeat(3000))
      },
    ],
    [
      'sends an endless extension of a chunk',
      'timeout',
      (socket) => {
        socket.write(`${head(html, 'transfer-encoding: chunked')}1;`)
        forever(socket, 'x'.repeat(3000))
      },
    ],
    [
      'sends endless trailers',
      'too-large',
      (socket) => {
        socket.write(`${head(html, 'transfer-encoding: chunked')}1\r\nx\r\n0\r\n`)
        forever(socket, `x-more: ${'x'.repeat(3000)}\r\n`)
      },
    ],
    [
      'sends endless headers',
      'too-large',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        forever(socket, `x-more: ${'x'.repeat(3000)}\r\n`)
      },
    ],
    [
      'sends one endless header',
      'too-large',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-more: ')
        forever(socket, 'x'.repeat(3000))
      },
    ],
    [
      'sends a hundred thousand headers',
      'too-large',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}\r\n`),
    ],
    [
      'only sends early hints',
      'timeout',
      (socket) => forever(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
    ],
    ['asks to continue', 'connection-failed', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')],
    [
      'switches protocols',
      'connection-failed',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ],
    ['hangs up at once', 'connection-failed', (socket) => socket.end()],
    ['resets the connection', 'connection-failed', (socket) => socket.resetAndDestroy()],
    [
      'resets the connection within its head',
      'connection-failed',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-ty', () => socket.resetAndDestroy())
      },
    ],
    [
      'resets the connection within its body',
      'connection-failed',
      (socket) => {
        socket.write(`${head(html, 'content-length: 50')}half`, () => socket.resetAndDestroy())
      },
    ],
    [
      'promises more than it sends',
      'connection-failed',
      (socket) => socket.end(`${head(html, 'content-length: 50')}half`),
    ],
    [
      'promises more than is read',
      'too-large',
      (socket) => socket.write(`${head(html, 'content-length: 999999999999')}half`),
    ],
    [
      'promises two lengths',
      'connection-failed',
      (socket) => socket.end(`${head(html, 'content-length: 4', 'content-length: 3')}half`),
    ],
    ['promises no number', 'connection-failed', (socket) => socket.end(`${head(html, 'content-length: -1')}half`)],
    [
      'sends a broken chunk',
      'connection-failed',
      (socket) => socket.end(`${head(html, 'transfer-encoding: chunked')}zz\r\nhalf\r\n0\r\n\r\n`),
    ],
    [
      'sends a chunk that is longer than it says',
      'connection-failed',
      (socket) => socket.end(`${head(html, 'transfer-encoding: chunked')}2\r\nlonger\r\n0\r\n\r\n`),
    ],
    [
      'ends within its chunks',
      'connection-failed',
      (socket) => socket.end(`${head(html, 'transfer-encoding: chunked')}4\r\nhalf\r\n`),
    ],
    [
      'ends within its compressed chunks',
      'connection-failed',
      (socket) => {
        const part = gzipSync('words '.repeat(9000)).subarray(0, 60)
        socket.write(`${head(html, 'content-encoding: gzip', 'transfer-encoding: chunked')}3c\r\n`)
        socket.end(part)
      },
    ],
    ['speaks another protocol', 'connection-failed', (socket) => socket.end('220 mail.example ESMTP\r\n')],
    ['sends random bytes', 'connection-failed', (socket) => socket.end(Buffer.alloc(5000, 0xfe))],
    ['has an impossible status', 'connection-failed', (socket) => socket.end('HTTP/1.1 99999 Much\r\n\r\n')],
    [
      'hides a line in a header',
      'connection-failed',
      (socket) => socket.end(`${head('x: a\0b', 'content-length: 4')}half`),
    ],
  ])('%s ends in %s', async (_what, reason, answer) => {
    const { url } = await serve((socket, _chunk, number) => number === 0 && answer(socket))
    const page = reason === 'timeout' ? short : patient
    const outcome = await fetcher({ limits: { page } }).fetch({ url, kind: 'page' })
    expect(outcome).toMatchObject({ kind: 'refused', reason })
  })

  it('says nothing ends exactly at the time limit of a page', async () => {
    const { url, connections } = await serve(() => undefined)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let isOver = false
    const outcome = fetcher({ limits: { page: short } })
      .fetch({ url, kind: 'page' })
      .finally(() => {
        isOver = true
      })
    const passes = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      for (let turn = 0; turn < 100; turn++) await yieldToEventLoop()
    }
    while (connections() === 0) await yieldToEventLoop()
    await passes(short.totalMs - 1)
    expect(isOver).toBe(false)
    await passes(1)
    expect(isOver).toBe(true)
    expect(await outcome).toMatchObject({ kind: 'refused', reason: 'timeout' })
  })

  it.each<[string, string, string]>([
    ['speaks HTTP/1.0', `HTTP/1.0 200 OK\r\n${html}\r\n\r\nwords`, 'words'],
    ['names no length', `${head(html, 'connection: close')}words`, 'words'],
    ['sends more than it promises', `${head(html, 'content-length: 5')}words and junk`, 'words'],
    ['answers twice', `${head(html, 'content-length: 5')}words${head(html, 'content-length: 6')}poison`, 'words'],
    [
      'gives hints before its answer',
      `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${head('content-length: 5')}words`,
      'words',
    ],
    ['compresses nothing', head(html, 'content-encoding: gzip', 'content-length: 0'), ''],
    ['deflates nothing', `${head(html, 'content-encoding: deflate', 'transfer-encoding: chunked')}0\r\n\r\n`, ''],
    ['has no content', 'HTTP/1.1 204 No Content\r\n\r\n', ''],
  ])('%s is read', async (_what, answer, expected) => {
    const { url } = await serve((socket, _chunk, number) => number === 0 && socket.end(answer))
    const created = fetcher()
    for (const round of [1, 2]) {
      const outcome = await created.fetch({ url, kind: 'page' })
      expect(outcome, `round ${round}`).toMatchObject({ kind: 'fetched' })
      expect(outcome.kind === 'fetched' && Buffer.from(outcome.body).toString()).toBe(expected)
    }
  })

  it('sends an unsolicited response does not answer a later request', async () => {
    const { url } = await serve((socket, chunk) => {
      const path = chunk.split(' ')[1]
      socket.write(`${head(html, 'content-length: 5')}words`)
      if (path === '/')
        poison = () => socket.write(`${head(html, 'content-length: 6')}poison`, () => (isPoisoned = true))
    })
    let isPoisoned = false
    let poison: () => unknown = () => {}
    const created = fetcher()
    await created.fetch({ url, kind: 'page' })
    poison()
    await until(() => isPoisoned)
    const next = await created.fetch({ url: `${url}next`, kind: 'page' })
    expect(next.kind === 'fetched' && Buffer.from(next.body).toString()).toBe('words')
  })

  it('trickles a discarded body does not delay other requests', async () => {
    const { url, openNow } = await serve((socket, chunk) => {
      if (chunk.startsWith('GET /next')) return socket.end(`${head(html, 'content-length: 5')}words`)
      const status = chunk.startsWith('GET /moved') ? '302 Found\r\nlocation: /next' : '404 Not Found'
      socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 60000\r\n\r\n`)
      forever(socket, 'x', 20)
    })
    const created = fetcher()
    expect(await created.fetch({ url, kind: 'page' })).toMatchObject({ kind: 'fetched', status: 404 })
    await until(() => openNow() === 0)
    expect(await created.fetch({ url: `${url}moved`, kind: 'page' })).toMatchObject({
      kind: 'fetched',
      url: `${url}next`,
    })
  })
})

describe('the cost of a fetch', () => {
  it('is one connection for all pages of a host, reopened if the server closes it', async () => {
    const answer = `${head(html, 'content-length: 5')}words`
    const keeps = await serve((socket) => socket.write(answer))
    const closes = await serve((socket) => socket.end(answer))
    const created = fetcher()
    for (let page = 0; page < 30; page++) {
      for (const { url } of [keeps, closes]) {
        expect(await created.fetch({ url: `${url}${page}`, kind: 'page' })).toMatchObject({ kind: 'fetched' })
      }
    }
    expect(keeps.connections()).toBe(1)
    expect(keeps.openNow()).toBe(1)
    await until(() => closes.openNow() === 0)
  })

  it('is never two connections to a host, however many requests are made', async () => {
    const busy = await serve((socket) => setImmediate(() => socket.write(`${head(html, 'content-length: 5')}words`)))
    const created = fetcher()
    const asking = Array.from({ length: 20 }, (_, page) => created.fetch({ url: `${busy.url}${page}`, kind: 'page' }))
    expect((await Promise.all(asking)).every(({ kind }) => kind === 'fetched')).toBe(true)
    expect(busy.connections()).toBe(1)
  })

  it('leaves no open socket after a thousand hosts', async () => {
    const { port, connections, openNow } = await serve((socket) =>
      socket.write(`${head(html, 'content-length: 5', 'keep-alive: timeout=600')}words`),
    )
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    const created = fetcher({ lookup })
    for (let host = 0; host < 1000; host += 20) {
      const urls = Array.from({ length: 20 }, (_, index) => `http://h${host + index}.example:${port}/`)
      const outcomes = await Promise.all(urls.map((url) => created.fetch({ url, kind: 'page' })))
      expect(outcomes.filter(({ kind }) => kind !== 'fetched')).toEqual([])
    }
    expect(connections()).toBe(1000)
    // A server may ask to keep a connection for minutes, but it is only kept for seconds.
    await until(() => openNow() === 0)
  })

  it('is bounded by the limit of a page, whatever the chunks', async () => {
    const limit = { wireBytes: 10 * 2 ** 20, decodedBytes: 20 * 2 ** 20, totalMs: 20_000 }
    let sent = () => 0
    const tiny = await serve((socket, _chunk, number) => {
      if (number > 0) return
      sent = () => socket.bytesWritten
      const chunks = '1\r\nx\r\n'.repeat(10_000)
      socket.write(head(html, 'transfer-encoding: chunked'))
      const more = () => {
        while (!socket.destroyed && socket.write(chunks));
      }
      socket.on('drain', more)
      more()
    })
    const outcome = await fetcher({ limits: { page: limit } }).fetch({ url: tiny.url, kind: 'page' })
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'too-large' })
    // Plus what the buffers of two sockets hold.
    expect(sent()).toBeLessThan(limit.wireBytes + 20 * 2 ** 20)
  })
})
