import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemoryWeb, type MemoryAnswer } from '../../../../tests/support/sites/memory-web'
import { denied, type PoliteRequest, politeFetch } from './polite-fetch'

const origin = 'https://site.example'
const urlOf = (path: string) => `${origin}${path}`
const rules = { body: 'User-agent: *\nDisallow: /closed' }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function webOf(pages: Record<string, MemoryAnswer>, crawlDelayMs = 0) {
  return createMemoryWeb(
    Object.fromEntries(Object.entries(pages).map(([path, page]) => [path.startsWith('/') ? urlOf(path) : path, page])),
    { crawlDelayMs },
  )
}

async function ask(web: ReturnType<typeof webOf>, question: Partial<PoliteRequest> = {}, signal?: AbortSignal) {
  const asking = politeFetch(web.deps, { url: urlOf('/a'), kind: 'page', ...question }, signal)
  // Rejections are looked at by the test.
  asking.catch(() => undefined)
  await vi.runAllTimersAsync()
  return asking
}

describe('politeFetch', () => {
  it('requests robots.txt first, and nothing that it blocks', async () => {
    const web = webOf({ '/robots.txt': rules, '/closed': 'No.' })
    expect(await ask(web, { url: urlOf('/closed') })).toMatchObject({ kind: 'denied', reason: 'robots-disallowed' })
    expect(web.asked()).toEqual([])
  })

  it('gives every redirect its own turn, with the delay', async () => {
    const web = webOf({ '/a': { to: '/b#part' }, '/b': { to: '/c' }, '/c': 'Words.' }, 100)
    expect(await ask(web)).toMatchObject({ kind: 'fetched', url: urlOf('/c'), status: 200 })
    expect(web.requests.map(({ url, at: time }) => [url.slice(origin.length), time])).toEqual([
      ['/robots.txt', 0],
      ['/a', 100],
      ['/b', 200],
      ['/c', 300],
    ])
  })

  it('never waits for a turn while holding one', async () => {
    const otherText = 'https://other.example/b'
    const web = webOf({ '/a': { to: otherText, takesMs: 50 }, [otherText]: { to: urlOf('/a'), takesMs: 50 } }, 10)
    const both = Promise.all([
      politeFetch(web.deps, { url: urlOf('/a'), kind: 'page' }),
      politeFetch(web.deps, { url: otherText, kind: 'page' }),
    ])
    await vi.runAllTimersAsync()
    expect(await both).toMatchObject([{ reason: 'too-many-redirects' }, { reason: 'too-many-redirects' }])
    expect(web.peakConcurrency()).toBe(1)
  })

  it.each([
    ['/closed', 'robots-disallowed'],
    ['https://shut.example/closed', 'robots-disallowed'],
    ['https://down.example/x', 'robots-unavailable'],
  ])('does not follow a redirect to %s', async (target, reason) => {
    const web = webOf({
      '/robots.txt': rules,
      '/a': { to: target },
      'https://shut.example/robots.txt': rules,
      'https://down.example/robots.txt': { status: 500 },
    })
    expect(await ask(web)).toMatchObject({ kind: 'denied', reason })
    expect(web.asked()).toEqual([urlOf('/a')])
  })

  it('follows at most five redirects, and no loop', async () => {
    const steps = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [index === 0 ? '/a' : `/${index}`, { to: `/${index + 1}` }]),
      )
    const five = webOf({ ...steps(5), '/5': 'Words.' })
    expect(await ask(five)).toMatchObject({ kind: 'fetched', url: urlOf('/5') })
    const six = webOf({ ...steps(6), '/6': 'Words.' })
    expect(await ask(six)).toMatchObject({ reason: 'too-many-redirects', retryAfterMs: null })
    expect(six.asked()).toHaveLength(6)
    const circle = webOf({ '/a': { to: '/b' }, '/b': { to: '/a#x' } })
    expect(await ask(circle)).toMatchObject({
      reason: 'too-many-redirects',
      message: 'The address redirects in a loop.',
    })
    expect(circle.asked()).toEqual([urlOf('/a'), urlOf('/b')])
  })

  it('does not request a known target, and still denies a forbidden one', async () => {
    const web = webOf({ '/a': { to: '/b#part', status: 308 }, '/b': 'Words.' })
    const known = { isKnown: async () => true }
    expect(await ask(web, known)).toMatchObject({ kind: 'unchanged', url: urlOf('/b'), redirectStatus: 308 })
    expect(await ask(web, { ...known, denyRedirect: () => denied('other-host') })).toMatchObject({
      reason: 'other-host',
    })
    expect(web.asked()).toEqual([urlOf('/a'), urlOf('/a')])
  })

  it('lets the caller deny a target before any request to it', async () => {
    const web = webOf({ '/a': { to: 'https://other.example/' } })
    const seen: string[] = []
    const denyRedirect = (target: string) => {
      seen.push(target)
      return denied('other-host', { host: 'other.example' })
    }
    expect(await ask(web, { denyRedirect })).toMatchObject({ reason: 'other-host' })
    expect(seen).toEqual(['https://other.example/'])
    expect(web.requests.every(({ url }) => url.startsWith(origin))).toBe(true)
  })

  it('sends validators to the page only, and credentials with every request', async () => {
    const access = { origin, headers: { authorization: 'Basic x' } }
    const web = webOf({ '/a': { to: '/a?utm_source=x' }, '/a?utm_source=x': { to: '/b' }, '/b': 'Words.' })
    await ask(web, { etag: '"1"', lastModified: 'Mon', access })
    expect(web.requests.map(({ url, etag, lastModified, access }) => [url, etag, lastModified, access])).toEqual([
      [urlOf('/robots.txt'), undefined, undefined, undefined],
      [urlOf('/a'), '"1"', 'Mon', access],
      [urlOf('/a?utm_source=x'), '"1"', 'Mon', access],
      [urlOf('/b'), undefined, undefined, access],
    ])
  })

  it('answers unchanged for a 304', async () => {
    const web = webOf({ '/a': { text: 'Words.', headers: { etag: '"1"' } } })
    expect(await ask(web, { etag: '"1"' })).toMatchObject({ kind: 'unchanged', headers: { etag: '"1"' } })
  })

  it.each([
    ['timeout', 60_000],
    ['connection-failed', 60_000],
    ['unresolved', null],
    ['private-address', null],
    ['too-large', null],
    ['bad-encoding', null],
  ] as const)('denies with the refusal %s', async (refusal, retryAfterMs) => {
    expect(await ask(webOf({ '/a': { refusal } }))).toEqual({
      kind: 'denied',
      reason: refusal,
      message: refusal,
      retryAfterMs,
    })
  })

  it('pauses a busy host for waiting requests, too', async () => {
    const web = webOf({ '/a': { status: 429, headers: { 'retry-after': '300' }, takesMs: 20 }, '/b': 'Words.' })
    const both = Promise.all([
      politeFetch(web.deps, { url: urlOf('/a'), kind: 'page' }),
      politeFetch(web.deps, { url: urlOf('/b'), kind: 'page' }),
    ])
    await vi.runAllTimersAsync()
    expect(await both).toMatchObject([
      { kind: 'fetched', status: 429 },
      { kind: 'denied', reason: 'rate-limited', retryAfterMs: 300_000 },
    ])
    expect(web.asked()).toEqual([urlOf('/a')])
  })

  it('exempts a URL from robots.txt, but not its redirect target', async () => {
    const web = webOf({ '/robots.txt': rules, '/closed': { to: '/closed/too' } })
    const named = new Set([urlOf('/closed')])
    expect(await ask(web, { url: urlOf('/closed'), exempt: named })).toMatchObject({ reason: 'robots-disallowed' })
    expect(web.asked()).toEqual([urlOf('/closed')])
  })

  it('rejects at once when aborted while waiting', async () => {
    const web = webOf({ '/a': 'Words.' })
    web.deps.rateLimiter.pause(origin, 30_000)
    const abort = new AbortController()
    const asking = politeFetch(web.deps, { url: urlOf('/a'), kind: 'page' }, abort.signal)
    abort.abort(new Error('stopped'))
    await expect(asking).rejects.toThrow('stopped')
    expect(vi.getTimerCount()).toBe(0)
  })
})
