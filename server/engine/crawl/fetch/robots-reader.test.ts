import { describe, expect, it, vi } from 'vitest'
import { createMemoryWeb, type MemoryAnswer } from '../../../../tests/support/sites/memory-web'
import { createRobotsReader } from './robots-reader'

const origin = 'https://site.example'
const file = `${origin}/robots.txt`
const closed: MemoryAnswer = { body: 'User-agent: *\nDisallow: /closed\nCrawl-delay: 2' }

async function answerFor(answer: MemoryAnswer) {
  const web = createMemoryWeb({ [file]: answer })
  const read = await web.deps.robots.rulesFor(`${origin}/closed/a`)
  return read.kind === 'rules' ? (read.rules.isAllowed(`${origin}/closed/a`) ? 'open' : 'closed') : read
}

describe('createRobotsReader', () => {
  it.each([
    [closed, 'closed'],
    [{ status: 404 }, 'open'],
    [{ status: 401 }, 'open'],
    [{ status: 403 }, 'open'],
    [{ body: '<!doctype html><p>Disallow: /' }, 'open'],
    [{ refusal: 'too-many-redirects' }, 'open'],
    [{ status: 500 }, { reason: 'robots-unavailable', retryAfterMs: 60_000 }],
    [{ status: 429 }, { reason: 'robots-unavailable', retryAfterMs: 60_000 }],
    [{ refusal: 'timeout' }, { reason: 'timeout', retryAfterMs: 60_000 }],
    [{ refusal: 'connection-failed' }, { reason: 'connection-failed', retryAfterMs: 60_000 }],
    [{ refusal: 'unresolved' }, { reason: 'unresolved', retryAfterMs: null }],
    [{ refusal: 'private-address' }, { reason: 'private-address', retryAfterMs: null }],
    [{ refusal: 'forbidden-address' }, { reason: 'forbidden-address', retryAfterMs: null }],
    [{ refusal: 'bad-encoding' }, { reason: 'robots-unavailable', retryAfterMs: null }],
  ] as [MemoryAnswer, string | object][])('reads %j as %j', async (answer, expected) => {
    const got = await answerFor(answer)
    if (typeof expected === 'string') expect(got).toBe(expected)
    else expect(got).toMatchObject({ kind: 'unavailable', ...expected })
  })

  it('caches rules for a day and failures for seconds, by origin', async () => {
    const web = createMemoryWeb({ [file]: { status: 404 } })
    let time = 0
    const robots = createRobotsReader({ ...web.deps, now: () => time })
    const asked = () => web.requests.length
    await Promise.all([robots.rulesFor(`${origin}/a`), robots.rulesFor(`${origin}/b`)])
    await robots.rulesFor(`${origin}/c`)
    expect(asked()).toBe(1)
    await robots.rulesFor('http://site.example/a')
    expect(asked()).toBe(2)
    time = 24 * 3600 * 1000
    web.set(file, { status: 500 })
    expect(await robots.rulesFor(`${origin}/c`)).toMatchObject({ kind: 'unavailable' })
    time += 4_999
    await robots.rulesFor(`${origin}/c`)
    expect(asked()).toBe(3)
    time += 1
    await robots.rulesFor(`${origin}/c`)
    expect(asked()).toBe(4)
  })

  it('sets the crawl delay each time, and sends no credentials', async () => {
    const web = createMemoryWeb({ [file]: closed })
    await web.deps.robots.rulesFor(`${origin}/a`)
    expect(web.deps.rateLimiter.waitMs(origin)).toBeGreaterThan(1_900)
    expect(web.requests[0]).not.toHaveProperty('access')
    const setCrawlDelay = vi.spyOn(web.deps.rateLimiter, 'setCrawlDelay')
    await web.deps.robots.rulesFor(`${origin}/b`)
    expect(setCrawlDelay).toHaveBeenCalledWith(origin, 2_000)
  })

  it('neither waits for a long pause nor requests during it', async () => {
    const web = createMemoryWeb({ [file]: closed })
    web.deps.rateLimiter.pause(origin, 100_000)
    const answer = await web.deps.robots.rulesFor(`${origin}/a`)
    expect(answer).toMatchObject({ kind: 'unavailable', reason: 'rate-limited' })
    expect(answer.kind === 'unavailable' && answer.retryAfterMs).toBeGreaterThan(99_000)
    expect(web.requests).toEqual([])
  })

  it('follows each redirect in a turn at its own host', async () => {
    const away = 'https://other.example/rules'
    const web = createMemoryWeb(
      { [file]: { to: '/rules' }, [`${origin}/rules`]: { to: away }, [away]: closed },
      { crawlDelayMs: 60 },
    )
    const schedule = vi.spyOn(web.deps.rateLimiter, 'schedule')
    const read = await web.deps.robots.rulesFor(`${origin}/closed/a`)
    expect(read.kind === 'rules' && read.rules.isAllowed(`${origin}/closed/a`)).toBe(false)
    expect(schedule.mock.calls.map(([url]) => url)).toEqual([file, `${origin}/rules`, away])
    const [first, second] = web.requests
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(55)
  })

  it('follows at most five redirects, and no loop', async () => {
    const hops = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, hop) => [
          hop === 0 ? file : `${origin}/${hop}`,
          { to: `${origin}/${hop + 1}` },
        ]),
      )
    const isOpen = async (pages: Record<string, MemoryAnswer>) => {
      const web = createMemoryWeb(pages)
      const read = await web.deps.robots.rulesFor(`${origin}/closed/a`)
      return { open: read.kind === 'rules' && read.rules.isAllowed(`${origin}/closed/a`), asked: web.requests.length }
    }
    expect(await isOpen({ ...hops(5), [`${origin}/5`]: closed })).toEqual({ open: false, asked: 6 })
    expect(await isOpen({ ...hops(6), [`${origin}/6`]: closed })).toEqual({ open: true, asked: 6 })
    expect(await isOpen({ [file]: { to: '/a' }, [`${origin}/a`]: { to: '/robots.txt' } })).toEqual({
      open: true,
      asked: 2,
    })
  })

  it('pauses the host on Retry-After', async () => {
    const web = createMemoryWeb({ [file]: { status: 503, headers: { 'retry-after': '30' } } })
    await web.deps.robots.rulesFor(`${origin}/a`)
    expect(web.deps.rateLimiter.waitMs(origin)).toBeGreaterThan(29_000)
  })
})
