import { describe, expect, it } from 'vitest'
import { emptyRun } from '../../../tests/support/run-report'
import { fileProgressLine, isCancelling, lastRunLine, progressLine } from './progress-line'

describe('progressLine', () => {
  it('says done of total, rate and time left', () => {
    expect(progressLine({ done: 312, total: 531, rate: 14.2, seconds_left: 15.6, current: null })).toBe(
      '312 of 531 · 14 pages a second · about 16 s left',
    )
  })

  it('says what it knows at the start', () => {
    expect(progressLine({ done: 0, total: 0, rate: 0, seconds_left: null, current: null })).toBe('Looking for pages')
    expect(progressLine({ done: 2, total: 9, rate: 0.2, seconds_left: null, current: null })).toBe(
      '2 of 9 · 12 pages a minute',
    )
    expect(progressLine({ done: 2, total: 9, rate: 1.2, seconds_left: null, current: null })).toBe(
      '2 of 9 · 1 page a second',
    )
  })
})

describe('lastRunLine', () => {
  const whole = { ...emptyRun, finished_at: '2026-06-01T12:00:00Z', checked: 529 }

  it('is of the last whole run, not of one address that was read since', () => {
    expect(lastRunLine({ last_run: { ...whole, kind: 'address', checked: 1 }, last_whole_run: whole })).toBe(
      'checked 529',
    )
    expect(lastRunLine({ last_run: null, last_whole_run: null })).toBeNull()
  })

  it('says that a run was cancelled', () => {
    const cut = { ...whole, cancelled: true, checked: 4, unchanged: 4 }
    expect(lastRunLine({ last_run: cut, last_whole_run: cut })).toBe('Cancelled: checked 4, unchanged 4')
    expect(isCancelling({ last_run: cut })).toBe(false)
    expect(isCancelling({ last_run: { ...cut, finished_at: null } })).toBe(true)
  })
})

describe('fileProgressLine', () => {
  const progress = { done: 0, total: 0, rate: 0, seconds_left: null, current: null }

  it.each([
    [progress, 'Opening the file'],
    [{ ...progress, done: 26_000_000, total: 64_000_000, rate: 4e6, seconds_left: 10 }, '40 % read · about 10 s left'],
    [{ ...progress, done: 70, total: 70 }, '100 % read'],
  ])('%j is %s', (given, line) => {
    expect(fileProgressLine(given)).toBe(line)
  })
})
