import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Actor, system } from '../../actor'
import { AppError } from '../../errors'
import { watchAccess } from './watch-access'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const refusal = (code: 'unauthenticated' | 'forbidden' | 'not_found') => new AppError(code, 'No.')

it.each(['unauthenticated', 'forbidden', 'not_found'] as const)('aborts within 5 s of %s', async (code) => {
  let isRefused = false
  const access = watchAccess(
    async () => system,
    () => {
      if (isRefused) throw refusal(code)
    },
  )
  await vi.advanceTimersByTimeAsync(60_000)
  expect(access.signal.aborted).toBe(false)
  isRefused = true
  await vi.advanceTimersByTimeAsync(4_999)
  expect(access.signal.aborted).toBe(true)
  access.stop()
  expect(vi.getTimerCount()).toBe(0)
})

it('leaves other failures to the next check', async () => {
  const authenticate = vi
    .fn<() => Promise<Actor>>()
    .mockRejectedValueOnce(new Error('busy'))
    .mockRejectedValueOnce(new AppError('unavailable', 'Later.'))
    .mockRejectedValue(refusal('unauthenticated'))
  const access = watchAccess(authenticate, () => {})
  await vi.advanceTimersByTimeAsync(4_000)
  expect([authenticate.mock.calls.length, access.signal.aborted]).toEqual([2, false])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(access.signal.aborted).toBe(true)
  access.stop()
})

it('checks one at a time, and nothing without a way to authenticate again', async () => {
  const authenticate = vi.fn(() => new Promise<Actor>(() => {}))
  const access = watchAccess(authenticate, () => {})
  await vi.advanceTimersByTimeAsync(60_000)
  expect(authenticate).toHaveBeenCalledTimes(1)
  access.stop()
  watchAccess(undefined, () => {})
  expect(vi.getTimerCount()).toBe(0)
})
