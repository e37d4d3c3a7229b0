import { describe, expect, it } from 'vitest'
import { progressLine, runLine } from './progress-line'

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
  })
})

describe('runLine', () => {
  it('names only what happened', () => {
    const run = {
      id: '1',
      started_at: '',
      finished_at: null,
      checked: 9,
      fetched: 8,
      unchanged: 0,
      changed: 2,
      new: 5,
      withdrawn: 0,
      failed: 1,
      ignored: 0,
      bytes: 1,
      fragments: 1,
    }
    expect(runLine(run)).toBe('5 new, 2 changed, 1 failed')
  })
})
