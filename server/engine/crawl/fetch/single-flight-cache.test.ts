import { describe, expect, it } from 'vitest'
import { createAnswerMemory } from './single-flight-cache'

function createCounter(holdsMs = 1_000) {
  let asked = 0
  let open: (() => void) | null = null
  return {
    asked: () => asked,
    open: () => open?.(),
    ask: async () => ({ answer: ++asked, holdsMs }),
    askSlowly: async () => {
      const answer = ++asked
      await new Promise<void>((resolve) => {
        open = resolve
      })
      return { answer, holdsMs }
    },
    fail: async () => {
      asked++
      throw new Error('stopped')
    },
  }
}

describe('createAnswerMemory', () => {
  it('loads a value once for concurrent callers, and again after it expired', async () => {
    let time = 0
    const memory = createAnswerMemory<number>({ size: 10, now: () => time })
    const { ask, askSlowly, open } = createCounter()
    const both = Promise.all([memory.recall('a', askSlowly), memory.recall('a', askSlowly)])
    open()
    expect(await both).toEqual([1, 1])
    time = 999
    expect(await memory.recall('a', ask)).toBe(1)
    time = 1_000
    expect(await memory.recall('a', ask)).toBe(2)
    expect(await memory.recall('b', ask)).toBe(3)
  })

  it('loads again for each waiting caller if the first load fails', async () => {
    const memory = createAnswerMemory<number>({ size: 10, now: () => 0 })
    const { ask, fail } = createCounter()
    const first = memory.recall('a', fail)
    const others = Promise.all([memory.recall('a', ask), memory.recall('a', ask)])
    await expect(first).rejects.toThrow('stopped')
    expect(await others).toEqual([2, 2])
  })

  it('rejects a waiting caller whose signal aborts, and serves the others', async () => {
    const memory = createAnswerMemory<number>({ size: 10, now: () => 0 })
    const { askSlowly, open } = createCounter()
    const abort = new AbortController()
    const first = memory.recall('a', askSlowly)
    const leaving = memory.recall('a', askSlowly, abort.signal)
    abort.abort(new Error('left'))
    await expect(leaving).rejects.toThrow('left')
    await expect(memory.recall('a', askSlowly, abort.signal)).rejects.toThrow('left')
    open()
    expect(await first).toBe(1)
  })

  it('evicts the least recently used value', async () => {
    const memory = createAnswerMemory<number>({ size: 2, now: () => 0 })
    const { ask } = createCounter()
    for (const name of ['a', 'b', 'c']) await memory.recall(name, ask)
    expect(await memory.recall('c', ask)).toBe(3)
    expect(await memory.recall('b', ask)).toBe(2)
    expect(await memory.recall('a', ask)).toBe(4)
  })
})
