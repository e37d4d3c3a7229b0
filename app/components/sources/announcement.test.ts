import { expect, it } from 'vitest'
import type { RunReport } from '../../../contract/views/run'
import { emptyRun } from '../../../tests/support/run-report'
import { announcementFor } from './announcement'

const run = (id: string, more: Partial<RunReport> = {}): RunReport => ({ ...emptyRun, id, ...more })
const over = { finished_at: '2026-06-01T12:00:00Z', checked: 3, unchanged: 3 }
const resting = { name: 'Lamps', status: 'idle' as const, paused: false }
const busy = { ...resting, status: 'crawling' as const }
const held = { ...resting, paused: true }

it.each([
  ['sent', { ...resting, last_run: run('one', over) }, true, 'Refreshing Lamps.'],
  ['under way', { ...busy, last_run: run('two') }, false, 'Refreshing Lamps.'],
  ['over', { ...resting, last_run: run('two', over) }, false, 'Lamps: checked 3, unchanged 3.'],
  ['refused', { ...resting, last_run: run('one', over) }, false, ''],
  ['held by then', { ...held, last_run: run('two') }, false, ''],
  ['cancelled by then', { ...resting, last_run: run('two', { ...over, cancelled: true }) }, false, 'Cancelled Lamps.'],
] as const)('a refresh that is %s', (_state, source, isSent, said) => {
  expect(announcementFor({ intent: 'refresh-source', runId: 'one' }, source, isSent)).toBe(said)
})

it.each([
  ['sent', { ...busy, last_run: run('one') }, true, 'Pausing Lamps.'],
  ['there', { ...held, last_run: run('one') }, false, 'Paused Lamps.'],
  ['over', { ...busy, last_run: run('one') }, false, ''],
] as const)('a pause that is %s', (_state, source, isSent, said) => {
  expect(announcementFor({ intent: 'pause-source', runId: 'one' }, source, isSent)).toBe(said)
})

it.each([
  ['sent', { ...held, last_run: run('one') }, true, 'Going on with Lamps.'],
  ['under way', { ...busy, last_run: run('one') }, false, 'Going on with Lamps.'],
  ['over', { ...resting, last_run: run('one', over) }, false, 'Lamps: checked 3, unchanged 3.'],
  ['old', { ...busy, last_run: run('two') }, false, ''],
] as const)('going on that is %s', (_state, source, isSent, said) => {
  expect(announcementFor({ intent: 'resume-source', runId: 'one' }, source, isSent)).toBe(said)
})

it.each([
  ['sent', { ...busy, last_run: run('one') }, true, 'Cancelling Lamps.'],
  ['under way', { ...busy, last_run: run('one', { cancelled: true }) }, false, 'Cancelling Lamps.'],
  ['over', { ...resting, last_run: run('one', { ...over, cancelled: true }) }, false, 'Cancelled Lamps.'],
  ['old', { ...busy, last_run: run('two') }, false, ''],
] as const)('a cancel that is %s', (_state, source, isSent, said) => {
  expect(announcementFor({ intent: 'cancel-source', runId: 'one' }, source, isSent)).toBe(said)
})
