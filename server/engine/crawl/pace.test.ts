import { describe, expect, it } from 'vitest'
import { createPace } from './pace'

const one = 'https://one.example/a'
const two = 'https://two.example/a'

describe('createPace', () => {
  it('does one thing at once a site, in order, and sites beside each other', async () => {
    const pace = createPace({ gapMs: 0 })
    const log: string[] = []
    const work = (name: string, ms: number) => async () => {
      log.push(`${name} starts`)
      await new Promise((resolve) => setTimeout(resolve, ms))
      log.push(`${name} ends`)
    }
    await Promise.all([
      pace.run(one, work('a', 30)),
      pace.run('https://www.one.example/b', work('b', 1)),
      pace.run(two, work('c', 5)),
    ])
    expect(log).toEqual(['a starts', 'c starts', 'c ends', 'a ends', 'b starts', 'b ends'])
  })

  it('keeps the gap, also after a failure, and pauses when told', async () => {
    const pace = createPace({ gapMs: 40 })
    const starts: number[] = []
    const note = async () => {
      starts.push(performance.now())
    }
    let failed = 0
    const fail = async () => {
      failed = performance.now()
      throw new Error('down')
    }
    await expect(pace.run(one, fail)).rejects.toThrow('down')
    await pace.run(one, note)
    pace.pause(one, 80)
    expect(pace.waitMs(one)).toBeGreaterThan(60)
    expect(pace.waitMs(two)).toBe(0)
    await pace.run(one, note)
    pace.setGap(one, 70)
    await pace.run(one, note)
    await pace.run(one, note)
    const [first = 0, second = 0, , fourth = 0] = starts
    expect(first - failed).toBeGreaterThanOrEqual(35)
    expect(second - first).toBeGreaterThanOrEqual(75)
    expect(fourth - (starts[2] ?? 0)).toBeGreaterThanOrEqual(65)
  })

  it('lets one who waits leave, and goes on with the next', async () => {
    const pace = createPace({ gapMs: 0 })
    pace.pause(one, 60)
    const abort = new AbortController()
    let worked = false
    const left = pace.run(
      one,
      async () => {
        worked = true
      },
      abort.signal,
    )
    const next = pace.run(one, async () => 'next')
    abort.abort(new Error('stopped'))
    await expect(left).rejects.toThrow('stopped')
    expect(await next).toBe('next')
    expect(worked).toBe(false)
  })
})
