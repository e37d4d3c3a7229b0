import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentThread, processorMsOf } from './processor-time'
import { startTimeLimit } from './time-limit'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Milliseconds until the end of a thread that gets this share of a processor; null without an end in ten minutes. */
function endAt(share: number | null): number | null {
  const startedAt = Date.now()
  let end: number | null = null
  const used = () => (share === null ? null : 5_000 + (Date.now() - startedAt) * share)
  startTimeLimit({ processorMs: 20_000, totalMs: 120_000 }, used, () => {
    end = Date.now() - startedAt
  })
  vi.advanceTimersByTime(600_000)
  return end
}

it('ends after the processor time, or after the total', () => {
  expect(endAt(1)).toBe(20_000)
  expect(endAt(0.5)).toBeGreaterThanOrEqual(40_000)
  expect(endAt(0.5)).toBeLessThan(41_000)
  expect(endAt(0.01)).toBe(120_000)
  expect(endAt(0)).toBe(120_000)
})

it('counts all time where processor time is unknown', () => {
  expect(endAt(null)).toBe(20_000)
})

it('does not end once it is stopped', () => {
  const onEnd = vi.fn()
  startTimeLimit({ processorMs: 100, totalMs: 100 }, () => null, onEnd)()
  vi.advanceTimersByTime(1_000)
  expect(onEnd).not.toHaveBeenCalled()
})

it.runIf(process.platform === 'linux')('reads the processor time of a thread', () => {
  vi.useRealTimers()
  const thread = currentThread()
  const before = processorMsOf(thread) ?? expect.fail('The thread is unknown.')
  let sum = 0
  while ((processorMsOf(thread) ?? 0) < before + 50) for (let n = 0; n < 1e5; n++) sum += n
  expect(sum).toBeGreaterThan(0)
  expect(processorMsOf(0)).toBe(null)
  expect(processorMsOf(null)).toBe(null)
})
