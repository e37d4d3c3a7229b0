import { describe, expect, it } from 'vitest'
import { createSingleFlightCache } from './single-flight-cache'

function createLoader(ttlMs = 1_000) {
  let loads = 0
  let release: (() => void) | null = null
  return {
    finish: () => release?.(),
    load: async () => ({ value: ++loads, ttlMs }),
    loadSlowly: async () => {
      const value = ++loads
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return { value, ttlMs }
    },
    fail: async () => {
      loads++
      throw new Error('stopped')
    },
  }
}

describe('createSingleFlightCache', () => {
  it('loads a value once for concurrent callers, and again after it expired', async () => {
    let time = 0
    const cache = createSingleFlightCache<number>({ max: 10, now: () => time })
    const { load, loadSlowly, finish } = createLoader()
    const both = Promise.all([cache.get('a', loadSlowly), cache.get('a', loadSlowly)])
    finish()
    expect(await both).toEqual([1, 1])
    time = 999
    expect(await cache.get('a', load)).toBe(1)
    time = 1_000
    expect(await cache.get('a', load)).toBe(2)
    expect(await cache.get('b', load)).toBe(3)
  })

  it('loads again for each waiting caller if the first load fails', async () => {
    const cache = createSingleFlightCache<number>({ max: 10, now: () => 0 })
    const { load, fail } = createLoader()
    const first = cache.get('a', fail)
    const others = Promise.all([cache.get('a', load), cache.get('a', load)])
    await expect(first).rejects.toThrow('stopped')
    expect(await others).toEqual([2, 2])
  })

  it('rejects a waiting caller whose signal aborts, and serves the others', async () => {
    const cache = createSingleFlightCache<number>({ max: 10, now: () => 0 })
    const { loadSlowly, finish } = createLoader()
    const abort = new AbortController()
    const first = cache.get('a', loadSlowly)
    const leaving = cache.get('a', loadSlowly, abort.signal)
    abort.abort(new Error('left'))
    await expect(leaving).rejects.toThrow('left')
    await expect(cache.get('a', loadSlowly, abort.signal)).rejects.toThrow('left')
    finish()
    expect(await first).toBe(1)
  })

  it('evicts the least recently used value', async () => {
    const cache = createSingleFlightCache<number>({ max: 2, now: () => 0 })
    const { load } = createLoader()
    for (const name of ['a', 'b', 'c']) await cache.get(name, load)
    expect(await cache.get('c', load)).toBe(3)
    expect(await cache.get('b', load)).toBe(2)
    expect(await cache.get('a', load)).toBe(4)
  })
})
