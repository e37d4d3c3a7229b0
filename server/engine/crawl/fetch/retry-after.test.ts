import { describe, expect, it, vi } from 'vitest'
import { parseRetryAfter } from './retry-after'

describe('parseRetryAfter', () => {
  it.each([
    [503, '5', 5_000],
    [429, ' 120 ', 120_000],
    [429, '0', 0],
    [429, '99999999999999999999', 3_600_000],
    [503, 'Wed, 01 Jan 2031 00:00:30 GMT', 30_000],
    [503, 'Wed, 01 Jan 2020 00:00:00 GMT', 0],
    [503, 'Wed, 01 Jan 2040 00:00:00 GMT', 3_600_000],
    [503, 'soon', null],
    [503, '', null],
    [503, undefined, null],
    [200, '5', null],
    [500, '5', null],
  ])('reads %s with %j as %s', (status, value, expected) => {
    vi.setSystemTime(Date.UTC(2031, 0, 1))
    const headers: Record<string, string> = value === undefined ? {} : { 'retry-after': value }
    expect(parseRetryAfter({ status, headers })).toBe(expected)
    vi.useRealTimers()
  })
})
