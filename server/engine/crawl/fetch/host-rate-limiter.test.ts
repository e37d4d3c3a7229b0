import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHostRateLimiter, HostBusy } from './host-rate-limiter'

const item = 'https://one.example/a'
const two = 'https://two.example/a'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Tasks that log when they start and end, in milliseconds since the test began. */
function notebook() {
  const began = Date.now()
  const log: string[] = []
  const note = (text: string) => log.push(`${text} ${Date.now() - began}`)
  const work = (name: string, ms = 0) =>
    async function noted(): Promise<string> {
      note(`${name} starts`)
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
      note(`${name} ends`)
      return name
    }
  return { log, work, starts: () => log.filter((line) => line.includes('starts')) }
}

describe('createHostRateLimiter', () => {
  it('runs one task at a time per host, in order, and hosts in parallel', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    const { log, work } = notebook()
    const all = Promise.all([
      limiter.schedule(item, work('a', 30)),
      limiter.schedule('http://www.one.example/b', work('b', 1)),
      limiter.schedule(two, work('c', 5)),
      limiter.schedule('https://one.example:8443/', work('d', 2)),
    ])
    await vi.runAllTimersAsync()
    expect(await all).toEqual(['a', 'b', 'c', 'd'])
    expect(log).toEqual([
      'a starts 0',
      'c starts 0',
      'd starts 0',
      'd ends 2',
      'c ends 5',
      'a ends 30',
      'b starts 30',
      'b ends 31',
    ])
  })

  it.each([
    [{ robots: 0, own: undefined }, 40],
    [{ robots: 70, own: undefined }, 70],
    [{ robots: 0, own: 100 }, 100],
    [{ robots: 70, own: 100 }, 100],
    [{ robots: 70, own: 0 }, 70],
    [{ robots: 0, own: 0 }, 0],
    [{ robots: 10, own: undefined }, 40],
  ])('uses the larger of Crawl-delay and the requested delay: %j', async ({ robots, own }, gap) => {
    const limiter = createHostRateLimiter({ delayMs: 40 })
    const { work, starts } = notebook()
    limiter.setCrawlDelay(item, robots)
    const options = own === undefined ? {} : { crawlDelayMs: own }
    const all = Promise.all([limiter.schedule(item, work('a', 5), options), limiter.schedule(item, work('b'), options)])
    await vi.runAllTimersAsync()
    await all
    expect(starts()).toEqual(['a starts 0', `b starts ${5 + gap}`])
  })

  it('applies Crawl-delay from the request for robots.txt on, until it changes', async () => {
    const limiter = createHostRateLimiter({ delayMs: 10 })
    const { work, starts } = notebook()
    await limiter.schedule(item, work('robots'))
    limiter.setCrawlDelay(item, 500)
    // Another origin of the same site says nothing.
    limiter.setCrawlDelay('https://www.one.example/', 0)
    const later = limiter.schedule(item, work('page'))
    await vi.runAllTimersAsync()
    await later
    limiter.setCrawlDelay(item, 0)
    const last = limiter.schedule(item, work('next')).then(() => limiter.schedule(item, work('last')))
    await vi.runAllTimersAsync()
    await last
    expect(starts()).toEqual(['robots starts 0', 'page starts 500', 'next starts 1000', 'last starts 1010'])
  })

  it('keeps the delay after a failure', async () => {
    const limiter = createHostRateLimiter({ delayMs: 40 })
    const { work, starts } = notebook()
    await expect(limiter.schedule(item, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    const next = limiter.schedule(item, work('next'))
    await vi.runAllTimersAsync()
    await next
    expect(starts()).toEqual(['next starts 40'])
  })

  it('pauses waiting tasks, too', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    const { work, starts } = notebook()
    limiter.pause(item, 80)
    expect([limiter.waitMs(item), limiter.waitMs(two)]).toEqual([80, 0])
    const waiting = limiter.schedule(item, work('a'))
    await vi.advanceTimersByTimeAsync(50)
    limiter.pause(item, 200)
    limiter.pause(item, 10)
    await vi.runAllTimersAsync()
    await waiting
    expect(starts()).toEqual(['a starts 250'])
  })

  it('removes an aborted waiter at once, and continues with the next', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    const { log, work } = notebook()
    limiter.pause(item, 60)
    const abort = new AbortController()
    const left = limiter.schedule(item, work('left'), { signal: abort.signal })
    const alsoLeft = limiter.schedule(item, work('left'), { signal: abort.signal })
    const next = limiter.schedule(item, work('next'))
    const told = Promise.all([expect(left).rejects.toThrow('stopped'), expect(alsoLeft).rejects.toThrow('stopped')])
    abort.abort(new Error('stopped'))
    // No time passes: both know at once.
    await told
    await vi.runAllTimersAsync()
    expect(await next).toBe('next')
    expect(log).toEqual(['next starts 60', 'next ends 60'])
  })

  it('rejects waiters at once whose maximum wait a pause exceeds', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    const { log, work } = notebook()
    const first = limiter.schedule(item, work('a', 10))
    const hasty = limiter.schedule(item, work('hasty'), { maxWaitMs: 1_000 })
    const patient = limiter.schedule(item, work('patient'), { maxWaitMs: 5_000 })
    const told = expect(hasty).rejects.toEqual(new HostBusy(3_000))
    limiter.pause(item, 3_000)
    await told
    await expect(limiter.schedule(item, work('late'), { maxWaitMs: 2_999 })).rejects.toMatchObject({ waitMs: 3_000 })
    await vi.runAllTimersAsync()
    await Promise.all([first, patient])
    expect(log).toEqual(['a starts 0', 'a ends 10', 'patient starts 3000', 'patient ends 3000'])
  })

  it('leaves no timer for aborted waiters, and starts no aborted task', async () => {
    const limiter = createHostRateLimiter({ delayMs: 5_000 })
    const { log, work } = notebook()
    await limiter.schedule(item, work('first'))
    const abort = new AbortController()
    const left = limiter.schedule(item, work('left'), { signal: abort.signal })
    expect(vi.getTimerCount()).toBe(1)
    abort.abort(new Error('stopped'))
    await expect(left).rejects.toThrow('stopped')
    expect(vi.getTimerCount()).toBe(0)
    await expect(limiter.schedule(item, work('late'), { signal: abort.signal })).rejects.toThrow('stopped')
    expect(log).toEqual(['first starts 0', 'first ends 0'])
  })

  it('keeps the turn of an aborted task until it ends', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    const { log, work } = notebook()
    const abort = new AbortController()
    const first = limiter.schedule(item, work('a', 50), { signal: abort.signal })
    const second = limiter.schedule(item, work('b'))
    await vi.advanceTimersByTimeAsync(10)
    abort.abort(new Error('stopped'))
    await vi.runAllTimersAsync()
    await Promise.all([first, second])
    expect(log).toEqual(['a starts 0', 'a ends 50', 'b starts 50', 'b ends 50'])
  })

  it('tolerates timers that fire early', async () => {
    vi.useRealTimers()
    const limiter = createHostRateLimiter({ delayMs: 20 })
    const times: number[] = []
    const note = async () => void times.push(Date.now())
    await Promise.all([limiter.schedule(item, note), limiter.schedule(item, note), limiter.schedule(item, note)])
    const [first = 0, second = 0, third = 0] = times
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(20)
  })

  it('forgets idle hosts, but not paused or busy ones', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    limiter.pause(item, 60_000)
    for (let index = 0; index < 2_500; index++) {
      await limiter.schedule(`https://site-${index}.example/`, async () => undefined)
    }
    expect(limiter.waitMs(item)).toBe(60_000)
  })
})
