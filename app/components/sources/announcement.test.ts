import { expect, it } from 'vitest'
import type { RunReport } from '../../../contract/views/run'
import { emptyRun } from '../../../tests/support/run-report'
import { announcementFor } from './announcement'

const run = (id: string, more: Partial<RunReport> = {}): RunReport => ({ ...emptyRun, id, ...more })
const finished = { finished_at: '2026-06-01T12:00:00Z', checked: 3, unchanged: 3 }
const idle = { name: 'Lamps', status: 'idle' as const, paused: false, indexing: null }
const busy = { ...idle, status: 'crawling' as const }
const indexing = (isPaused: boolean) => ({ done: 1, total: 9, rate: 0, seconds_left: null, paused: isPaused })
const paused = { ...idle, paused: true }

it.each([
  ['sent', { ...idle, last_run: run('one', finished) }, true, 'Refreshing Lamps.'],
  ['in progress', { ...busy, last_run: run('two') }, false, 'Refreshing Lamps.'],
  ['finished', { ...idle, last_run: run('two', finished) }, false, 'Lamps: 3 checked, 3 unchanged.'],
  ['refused', { ...idle, last_run: run('one', finished) }, false, ''],
  ['paused meanwhile', { ...paused, last_run: run('two') }, false, ''],
  [
    'cancelled meanwhile',
    { ...idle, last_run: run('two', { ...finished, cancelled: true }) },
    false,
    'Cancelled Lamps.',
  ],
] as const)('a refresh that is %s', (_state, source, isSent, announcement) => {
  expect(announcementFor({ intent: 'refresh-source', runId: 'one' }, source, isSent)).toBe(announcement)
})

it.each([
  ['sent', { ...busy, last_run: run('one') }, true, 'Pausing Lamps.'],
  ['done', { ...paused, last_run: run('one') }, false, 'Paused Lamps.'],
  ['of the indexing', { ...idle, indexing: indexing(true), last_run: run('one', finished) }, false, 'Paused Lamps.'],
  ['finished', { ...busy, last_run: run('one') }, false, ''],
] as const)('a pause that is %s', (_state, source, isSent, announcement) => {
  expect(announcementFor({ intent: 'pause-source', runId: 'one' }, source, isSent)).toBe(announcement)
})

it.each([
  ['sent', { ...paused, last_run: run('one') }, true, 'Continuing Lamps.'],
  ['in progress', { ...busy, last_run: run('one') }, false, 'Continuing Lamps.'],
  ['finished', { ...idle, last_run: run('one', finished) }, false, 'Lamps: 3 checked, 3 unchanged.'],
  [
    'of the indexing',
    { ...idle, indexing: indexing(false), last_run: run('one', finished) },
    false,
    'Continuing Lamps.',
  ],
  ['of an earlier run', { ...busy, last_run: run('two') }, false, ''],
] as const)('a resume that is %s', (_state, source, isSent, announcement) => {
  expect(announcementFor({ intent: 'resume-source', runId: 'one' }, source, isSent)).toBe(announcement)
})

it.each([
  ['sent', { ...busy, last_run: run('one') }, true, 'Cancelling Lamps.'],
  ['in progress', { ...busy, last_run: run('one', { cancelled: true }) }, false, 'Cancelling Lamps.'],
  ['finished', { ...idle, last_run: run('one', { ...finished, cancelled: true }) }, false, 'Cancelled Lamps.'],
  ['of an earlier run', { ...busy, last_run: run('two') }, false, ''],
] as const)('a cancel that is %s', (_state, source, isSent, announcement) => {
  expect(announcementFor({ intent: 'cancel-source', runId: 'one' }, source, isSent)).toBe(announcement)
})
