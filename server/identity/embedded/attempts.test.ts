import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBurstLimiter } from '../../adapters/rate-limiter'
import { type Attempts, createAttempts } from './attempts'

let attempts: Attempts
beforeEach(() => {
  vi.useFakeTimers()
  attempts = createAttempts(createBurstLimiter)
})
afterEach(() => {
  vi.useRealTimers()
})

async function guess(times: number, ip: string, email: string): Promise<(number | null)[]> {
  const waits: (number | null)[] = []
  for (let attempt = 0; attempt < times; attempt++) waits.push(await attempts.take(ip, email))
  return waits
}

test('allows ten attempts in a row, then one per 30 seconds', async () => {
  expect(await guess(10, '192.0.2.1', 'ada@example.test')).toEqual(Array(10).fill(null))
  expect(await guess(2, '192.0.2.1', 'Ada@example.test ')).toEqual([30, 30])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await guess(2, '192.0.2.1', 'ada@example.test')).toEqual([null, 30])
})

test('limits neither other clients nor other accounts', async () => {
  await guess(40, '192.0.2.1', 'ada@example.test')
  expect(await guess(1, '198.51.100.7', 'ada@example.test')).toEqual([null])
  expect(await guess(1, '192.0.2.1', 'grace@example.test')).toEqual([null])
})

test('resets only the count of the client with the right password', async () => {
  await guess(11, '192.0.2.1', 'ada@example.test')
  await guess(11, '198.51.100.7', 'ada@example.test')
  await attempts.succeeded('192.0.2.1', 'ada@example.test')
  expect(await guess(1, '192.0.2.1', 'ada@example.test')).toEqual([null])
  expect(await guess(1, '198.51.100.7', 'ada@example.test')).not.toEqual([null])
})

test('limits attempts at many accounts by network, such as an IPv6 /64', async () => {
  for (let account = 0; account < 50; account++)
    expect(await attempts.take(`2001:db8::${account}`, `${account}@example.test`)).toBeNull()
  expect(await attempts.take('2001:db8::beef', 'next@example.test')).toBe(10)
  expect(await attempts.take('2001:db8:0:1::1', 'next@example.test')).toBeNull()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await attempts.take('2001:db8::beef', 'another@example.test')).toBeNull()
})
