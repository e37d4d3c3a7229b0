import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHostRateLimiter, HostBusy } from './host-rate-limiter'

const one = 'https://one.example/a'
const two = 'https://two.example/a'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Work that notes when it starts and ends, in milliseconds since the test began. */
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
  it('does one thing at once a site, in order, and sites beside each other', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    const { log, work } = notebook()
    const all = Promise.all([
      limiter.schedule(one, work('a', 30)),
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
  ])('keeps the larger of robots and the wanted gap: %j', async ({ robots, own }, gap) => {
    const limiter = createHostRateLimiter({ delayMs: 40 })
    const { work, starts } = notebook()
    limiter.setCrawlDelay(one, robots)
    const options = own === undefined ? {} : { crawlDelayMs: own }
    const all = Promise.all([limiter.schedule(one, work('a', 5), options), limiter.schedule(one, work('b'), options)])
    await vi.runAllTimersAsync()
    await all
    expect(starts()).toEqual(['a starts 0', `b starts ${5 + gap}`])
  })

  it('keeps what robots.txt asks for from the request on that told it, until it says otherwise', async () => {
    const limiter = createHostRateLimiter({ delayMs: 10 })
    const { work, starts } = notebook()
    await limiter.schedule(one, work('robots'))
    limiter.setCrawlDelay(one, 500)
    // Another origin of the same site says nothing.
    limiter.setCrawlDelay('https://www.one.example/', 0)
    const later = limiter.schedule(one, work('page'))
    await vi.runAllTimersAsync()
    await later
    limiter.setCrawlDelay(one, 0)
    const last = limiter.schedule(one, work('next')).then(() => limiter.schedule(one, work('last')))
    await vi.runAllTimersAsync()
    await last
    expect(starts()).toEqual(['robots starts 0', 'page starts 500', 'next starts 1000', 'last starts 1010'])
  })

  it('keeps the gap after a failure', async () => {
    const limiter = createHostRateLimiter({ delayMs: 40 })
    const { work, starts } = notebook()
    await expect(limiter.schedule(one, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    const next = limiter.schedule(one, work('next'))
    await vi.runAllTimersAsync()
    await next
    expect(starts()).toEqual(['next starts 40'])
  })

  it('pauses when told, also those who wait already', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    const { work, starts } = notebook()
    limiter.pause(one, 80)
    expect([limiter.waitMs(one), limiter.waitMs(two)]).toEqual([80, 0])
    const waiting = limiter.schedule(one, work('a'))
    await vi.advanceTimersByTimeAsync(50)
    limiter.pause(one, 200)
    limiter.pause(one, 10)
    await vi.runAllTimersAsync()
    await waiting
    expect(starts()).toEqual(['a starts 250'])
  })

  it('lets one who waits leave at once, and goes on with the next', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    const { log, work } = notebook()
    limiter.pause(one, 60)
    const abort = new AbortController()
    const left = limiter.schedule(one, work('left'), { signal: abort.signal })
    const alsoLeft = limiter.schedule(one, work('left'), { signal: abort.signal })
    const next = limiter.schedule(one, work('next'))
    const told = Promise.all([expect(left).rejects.toThrow('stopped'), expect(alsoLeft).rejects.toThrow('stopped')])
    abort.abort(new Error('stopped'))
    // No time passes: both know at once.
    await told
    await vi.runAllTimersAsync()
    expect(await next).toBe('next')
    expect(log).toEqual(['next starts 60', 'next ends 60'])
  })

  it('sends away at once who does not want to wait for so long, also when the pause comes later', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    const { log, work } = notebook()
    const first = limiter.schedule(one, work('a', 10))
    const hasty = limiter.schedule(one, work('hasty'), { maxWaitMs: 1_000 })
    const patient = limiter.schedule(one, work('patient'), { maxWaitMs: 5_000 })
    const told = expect(hasty).rejects.toEqual(new HostBusy(3_000))
    limiter.pause(one, 3_000)
    await told
    await expect(limiter.schedule(one, work('late'), { maxWaitMs: 2_999 })).rejects.toMatchObject({ waitMs: 3_000 })
    await vi.runAllTimersAsync()
    await Promise.all([first, patient])
    expect(log).toEqual(['a starts 0', 'a ends 10', 'patient starts 3000', 'patient ends 3000'])
  })

  it('leaves no timer behind those who left, and starts nothing for one who is late', async () => {
    const limiter = createHostRateLimiter({ delayMs: 5_000 })
    const { log, work } = notebook()
    await limiter.schedule(one, work('first'))
    const abort = new AbortController()
    const left = limiter.schedule(one, work('left'), { signal: abort.signal })
    expect(vi.getTimerCount()).toBe(1)
    abort.abort(new Error('stopped'))
    await expect(left).rejects.toThrow('stopped')
    expect(vi.getTimerCount()).toBe(0)
    await expect(limiter.schedule(one, work('late'), { signal: abort.signal })).rejects.toThrow('stopped')
    expect(log).toEqual(['first starts 0', 'first ends 0'])
  })

  it('holds the turn of work that is aborted until it has ended', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    const { log, work } = notebook()
    const abort = new AbortController()
    const first = limiter.schedule(one, work('a', 50), { signal: abort.signal })
    const second = limiter.schedule(one, work('b'))
    await vi.advanceTimersByTimeAsync(10)
    abort.abort(new Error('stopped'))
    await vi.runAllTimersAsync()
    await Promise.all([first, second])
    expect(log).toEqual(['a starts 0', 'a ends 50', 'b starts 50', 'b ends 50'])
  })

  it('counts on real clocks, where a timer may come a little early', async () => {
    vi.useRealTimers()
    const limiter = createHostRateLimiter({ delayMs: 20 })
    const times: number[] = []
    const note = async () => void times.push(Date.now())
    await Promise.all([limiter.schedule(one, note), limiter.schedule(one, note), limiter.schedule(one, note)])
    const [first = 0, second = 0, third = 0] = times
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(20)
  })

  it('forgets sites that nobody waits for, and none that are paused or at work', async () => {
    const limiter = createHostRateLimiter({ delayMs: 0 })
    limiter.pause(one, 60_000)
    for (let index = 0; index < 2_500; index++) {
      await limiter.schedule(`https://site-${index}.example/`, async () => undefined)
    }
    expect(limiter.waitMs(one)).toBe(60_000)
  })
})
