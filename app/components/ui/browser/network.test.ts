import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isNetworkError, untilReachable } from './network'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it.each(['Failed to fetch', 'network error', 'NetworkError when attempting to fetch resource.', 'Load failed'])(
  'recognizes a request without a response: %s',
  (message) => {
    expect(isNetworkError(new TypeError(message))).toBe(true)
  },
)

it('leaves other errors alone', () => {
  expect(isNetworkError(new TypeError('undefined is not a function'))).toBe(false)
  expect(isNetworkError(new Error('Failed to fetch'))).toBe(false)
  expect(isNetworkError(null)).toBe(false)
})

it('asks the server until it responds, unless the wait ends', async () => {
  let isReachable = false
  vi.stubGlobal('fetch', async () => {
    if (!isReachable) throw new TypeError('Failed to fetch')
    return new Response()
  })
  const ended: string[] = []
  const wait = new AbortController()
  void untilReachable(new AbortController().signal).then(() => ended.push('reached'))
  void untilReachable(wait.signal).then(() => ended.push('gave up'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ended).toEqual([])
  wait.abort()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ended).toEqual(['gave up'])
  isReachable = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ended).toEqual(['gave up', 'reached'])
})
