import { describe, expect, it } from 'vitest'
import { emptyRun } from '../../../tests/support/run-report'
import { fileProgressLine, indexingLine, isCancelling, lastRunLine, progressLine, rateText } from './progress-line'

describe('progressLine', () => {
  it('shows the remaining time before the progress', () => {
    expect(progressLine({ done: 312, total: 531, rate: 14.2, seconds_left: 15.6, current: null })).toBe(
      'About 16 s left · read 312 of 531',
    )
  })

  it('omits what is not known yet', () => {
    expect(progressLine({ done: 0, total: 0, rate: 0, seconds_left: null, current: null })).toBe('Finding pages…')
    expect(progressLine({ done: 2, total: 9, rate: 0.2, seconds_left: null, current: null })).toBe('Read 2 of 9')
  })
})

it.each([
  [14.2, 'page', '14 pages a second'],
  [0.2, 'page', '12 pages a minute'],
  [1.2, 'fragment', '1 fragment a second'],
  [0, 'fragment', null],
] as const)('a rate of %s a second of %s is %s', (rate, noun, text) => {
  expect(rateText(rate, noun)).toBe(text)
})

describe('indexingLine', () => {
  it('shows how far the semantic index is', () => {
    expect(indexingLine({ done: 3_100, total: 20_113, rate: 40.4, seconds_left: 425, paused: false })).toBe(
      'About 7 min left · indexed 3,100 of 20,113',
    )
    expect(indexingLine({ done: 0, total: 9, rate: 0, seconds_left: null, paused: false })).toBe('Indexed 0 of 9')
    expect(indexingLine({ done: 3, total: 9, rate: 0, seconds_left: null, paused: true })).toBe(
      'Indexed 3 of 9 · paused, keyword search finds all',
    )
  })
})

describe('lastRunLine', () => {
  const fullRun = { ...emptyRun, finished_at: '2026-06-01T12:00:00Z', checked: 529 }

  it('describes the last run of the source, not a later run of one address', () => {
    expect(lastRunLine({ last_run: { ...fullRun, kind: 'address', checked: 1 }, last_full_run: fullRun })).toBe(
      '529 checked',
    )
    expect(lastRunLine({ last_run: null, last_full_run: null })).toBeNull()
  })

  it('marks a cancelled run', () => {
    const cancelled = { ...fullRun, cancelled: true, checked: 4, unchanged: 4 }
    expect(lastRunLine({ last_run: cancelled, last_full_run: cancelled })).toBe('Cancelled: 4 checked, 4 unchanged')
    expect(isCancelling({ last_run: cancelled })).toBe(false)
    expect(isCancelling({ last_run: { ...cancelled, finished_at: null } })).toBe(true)
  })
})

describe('fileProgressLine', () => {
  const progress = { done: 0, total: 0, rate: 0, seconds_left: null, current: null }

  it.each([
    [progress, 'Opening the file'],
    [{ ...progress, done: 26_000_000, total: 64_000_000, rate: 4e6, seconds_left: 10 }, 'About 10 s left · read 40 %'],
    [{ ...progress, done: 70, total: 70 }, 'Read 100 %'],
  ])('%j is %s', (progress, line) => {
    expect(fileProgressLine(progress)).toBe(line)
  })
})
