import { describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatCounted,
  formatDuration,
  formatLatency,
  formatMegabytes,
  formatScore,
  formatSeconds,
  relativeTime,
  shortTime,
  untilTime,
} from './format'

const now = Date.parse('2026-06-01T12:00:00Z')

it('agrees the noun with the number', () => {
  expect(formatCounted(1, 'address', 'addresses')).toBe('1 address')
  expect(formatCounted(0, 'address', 'addresses')).toBe('0 addresses')
  expect(formatCounted(2_000, 'fragment')).toBe('2,000 fragments')
})

describe('relativeTime', () => {
  it.each([
    ['2026-06-01T11:59:45Z', 'just now'],
    ['2026-06-01T11:58:00Z', '2 minutes ago'],
    ['2026-06-01T10:00:00Z', '2 hours ago'],
    ['2026-05-31T12:00:00Z', 'yesterday'],
    ['2025-06-01T12:00:00Z', 'last year'],
  ])('%s is %s', (iso, text) => {
    expect(relativeTime(iso, now)).toBe(text)
  })

  it('shows times ahead of the clock as now', () => {
    expect(relativeTime('2026-06-01T12:00:30Z', now)).toBe('just now')
  })
})

describe('untilTime', () => {
  it.each([
    ['2026-06-07T12:00:00Z', 'in 6 days'],
    ['2026-06-08T11:59:00Z', 'in 7 days'],
    ['2026-06-08T12:01:00Z', 'in 7 days'],
    ['2026-06-16T12:00:00Z', 'in 2 weeks'],
    ['2026-06-02T12:00:00Z', 'tomorrow'],
    ['2026-06-01T12:00:20Z', 'in a moment'],
    ['2026-05-31T12:00:00Z', 'in a moment'],
  ])('%s is %s', (iso, text) => {
    expect(untilTime(iso, now)).toBe(text)
  })
})

it('shows times in a time zone, which it names if it is given', () => {
  expect(shortTime('2026-03-04T14:05:59Z', 'UTC')).toBe('Mar 4, 2026, 14:05 UTC')
  expect(shortTime('2026-03-04T14:05:59Z')).toMatch(/^Mar [345], 2026, \d\d:\d\d$/)
})

describe('numbers', () => {
  it('shows scores with four decimals and times with two', () => {
    expect(formatScore(0.5)).toBe('0.5000')
    expect(formatSeconds(1_234)).toBe('1.23 s')
    expect([84.4, 1_234].map(formatLatency)).toEqual(['84 ms', '1.23 s'])
    expect(formatMegabytes(1_572_864)).toBe('1.5 MB')
    expect([900, 20_480, 1_572_864, 2.25 * 1024 ** 3].map(formatBytes)).toEqual(['900 B', '20 KB', '1.5 MB', '2.3 GB'])
    expect(formatDuration(16.4)).toBe('16 s')
    expect(formatDuration(180)).toBe('3 min')
  })
})
