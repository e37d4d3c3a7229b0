import { describe, expect, it } from 'vitest'
import { createFairTurns } from './fair-turns'

const limits = { concurrency: 4, perOrganization: 2, maxWaiting: 10, retryAfterSeconds: 7 }

/** Work of several organizations that ends when a test says so. */
function world() {
  const turns = createFairTurns('searches', limits)
  const running: string[] = []
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const refused: unknown[] = []

  function begin(organization: string, number = 0, signal?: AbortSignal): void {
    const name = `${organization}${number}`
    const work = () => {
      running.push(name)
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    }
    turns.run(organization, work, signal).catch((error: unknown) => refused.push(error))
  }

  async function end(name: string): Promise<void> {
    running.splice(running.indexOf(name), 1)
    ends.get(name)?.()
    await settled()
  }
  return { turns, running, started, refused, begin, end }
}

/** Everything that needs no more than promises has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
const beginMany = (begin: (organization: string, number: number) => void, organization: string, count: number) => {
  for (let number = 0; number < count; number++) begin(organization, number)
}

describe('fair turns', () => {
  it('leave room for another organization while one floods', async () => {
    const { running, started, begin, end } = world()
    beginMany(begin, 'a', 12)
    await settled()
    expect(running).toEqual(['a0', 'a1'])
    begin('b')
    await settled()
    expect(running).toEqual(['a0', 'a1', 'b0'])
    // However long the flood lasts, the other goes on.
    for (let number = 1; number <= 5; number++) {
      await end(`b${number - 1}`)
      begin('b', number)
      await settled()
      expect(started.at(-1)).toBe(`b${number}`)
    }
  })

  it('go round where all of the room is taken', async () => {
    const { started, begin, end } = world()
    beginMany(begin, 'a', 6)
    beginMany(begin, 'b', 6)
    await settled()
    beginMany(begin, 'c', 2)
    await settled()
    expect(started).toEqual(['a0', 'a1', 'b0', 'b1'])
    for (const name of ['a0', 'b0', 'a1', 'b1']) await end(name)
    // c waits for two of those that run, and for none that came before it and waits.
    expect(started.slice(4, 6)).toEqual(['c0', 'c1'])
  })

  it('refuse the one who floods, and nobody else', async () => {
    const { running, refused, begin } = world()
    beginMany(begin, 'a', 20)
    begin('b')
    await settled()
    expect(running).toEqual(['a0', 'a1', 'b0'])
    expect(refused).toHaveLength(8)
    expect(refused[0]).toMatchObject({
      code: 'rate_limited',
      message: 'Your organization has too many searches under way. Try again in 7 seconds.',
      details: { retryAfterSeconds: 7 },
    })
  })

  it('skip work whose caller has left', async () => {
    const { started, refused, begin, end } = world()
    const leaving = new AbortController()
    beginMany(begin, 'a', 2)
    begin('a', 2, leaving.signal)
    begin('a', 3)
    await settled()
    leaving.abort()
    await end('a0')
    expect(started).toEqual(['a0', 'a1', 'a3'])
    expect(refused).toMatchObject([{ name: 'AbortError' }])
  })

  it('give the result, and the turn back when the work fails', async () => {
    const { turns, running, begin } = world()
    expect(await turns.run('a', async () => 'found')).toBe('found')
    for (let time = 0; time < 5; time++) {
      await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    }
    beginMany(begin, 'a', 2)
    await settled()
    expect(running).toEqual(['a0', 'a1'])
  })

  it('can be taken, and given back', async () => {
    const { turns, running, begin } = world()
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
