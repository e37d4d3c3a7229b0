import { describe, expect, it, vi } from 'vitest'
import { createFairTurns, type FairTurnsLimits, type TurnOptions } from './fair-turns'

const limits = { concurrency: 4, perOrganization: 2, maxWaiting: 10, maxPatient: 30, retryAfterSeconds: 7 }

/** Work of several organizations, which each test ends explicitly. */
function createWorld(more: Partial<FairTurnsLimits> = {}) {
  const turns = createFairTurns('searches', { ...limits, ...more })
  const running: string[] = []
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const rejections: unknown[] = []

  function begin(organization: string, number = 0, options: TurnOptions = {}): void {
    const name = `${organization}${number}`
    const work = () => {
      running.push(name)
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    }
    turns.run(organization, work, options).catch((error: unknown) => rejections.push(error))
  }

  async function end(name: string): Promise<void> {
    running.splice(running.indexOf(name), 1)
    ends.get(name)?.()
    await settled()
  }
  return { turns, running, started, rejections, begin, end }
}

/** Resolves when all pending promises have settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
const beginMany = (begin: (organization: string, number: number) => void, organization: string, count: number) => {
  for (let number = 0; number < count; number++) begin(organization, number)
}

describe('fair turns', () => {
  it('leave room for another organization while one floods', async () => {
    const { running, started, begin, end } = createWorld()
    beginMany(begin, 'a', 12)
    await settled()
    expect(running).toEqual(['a0', 'a1'])
    begin('b')
    await settled()
    expect(running).toEqual(['a0', 'a1', 'b0'])
    // The other organization continues for as long as the flood lasts.
    for (let number = 1; number <= 5; number++) {
      await end(`b${number - 1}`)
      begin('b', number)
      await settled()
      expect(started.at(-1)).toBe(`b${number}`)
    }
  })

  it('alternate between organizations when all turns are taken', async () => {
    const { started, begin, end } = createWorld()
    beginMany(begin, 'a', 6)
    beginMany(begin, 'b', 6)
    await settled()
    beginMany(begin, 'c', 2)
    await settled()
    expect(started).toEqual(['a0', 'a1', 'b0', 'b1'])
    for (const name of ['a0', 'b0', 'a1', 'b1']) await end(name)
    // c waits for two that are running, and for none that are waiting.
    expect(started.slice(4, 6)).toEqual(['c0', 'c1'])
  })

  it('let more patient work wait, without taking the room of the other', async () => {
    const { running, rejections, begin } = createWorld()
    for (let number = 0; number < 40; number++) begin('a', number, { isPatient: true })
    await settled()
    expect(running).toEqual(['a0', 'a1'])
    expect(rejections).toHaveLength(8)
    for (let number = 40; number < 60; number++) begin('a', number)
    await settled()
    expect(rejections).toHaveLength(16)
  })

  it('give an organization less at a time while another one has work, and for a second after', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const { running, begin, end } = createWorld({ perSharingOrganization: 1 })
      beginMany(begin, 'a', 6)
      await settled()
      expect(running).toEqual(['a0', 'a1'])
      begin('b')
      await settled()
      await end('a0')
      expect(running).toEqual(['a1', 'b0'])
      await end('b0')
      await end('a1')
      expect(running).toEqual(['a2'])
      vi.advanceTimersByTime(1_000)
      begin('a', 6)
      await settled()
      expect(running).toEqual(['a2', 'a3'])
      // What waits needs nothing new to arrive.
      begin('b', 1)
      await settled()
      await end('a2')
      await end('b1')
      expect(running).toEqual(['a3'])
      vi.advanceTimersByTime(1_000)
      await end('a3')
      expect(running).toEqual(['a4', 'a5'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('reject only the organization that floods', async () => {
    const { running, rejections, begin } = createWorld()
    beginMany(begin, 'a', 20)
    begin('b')
    await settled()
    expect(running).toEqual(['a0', 'a1', 'b0'])
    expect(rejections).toHaveLength(8)
    expect(rejections[0]).toMatchObject({
      code: 'rate_limited',
      message: 'Your organization has too many searches in progress. Try again in 7 seconds.',
      details: { retryAfterSeconds: 7 },
    })
  })

  it('skip work that was aborted while it waited', async () => {
    const { started, rejections, begin, end } = createWorld()
    const leaving = new AbortController()
    beginMany(begin, 'a', 2)
    begin('a', 2, { signal: leaving.signal })
    begin('a', 3)
    await settled()
    leaving.abort()
    await end('a0')
    expect(started).toEqual(['a0', 'a1', 'a3'])
    expect(rejections).toMatchObject([{ name: 'AbortError' }])
  })

  it('return the result, and free the turn when the work fails', async () => {
    const { turns, running, begin } = createWorld()
    expect(await turns.run('a', async () => 'found')).toBe('found')
    for (let time = 0; time < 5; time++) {
      await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    }
    beginMany(begin, 'a', 2)
    await settled()
    expect(running).toEqual(['a0', 'a1'])
  })

  it('can be taken and released', async () => {
    const { turns, running, begin } = createWorld()
    const first = await turns.take('a')
    const second = await turns.take('a')
    begin('a')
    await settled()
    expect(running).toEqual([])
    first()
    await settled()
    expect(running).toEqual(['a0'])
    second()
  })
})
