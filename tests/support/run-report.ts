import type { RunReport } from '../../contract/views/run'

/** Of a run that has begun and done nothing. */
export const emptyRun: RunReport = {
  id: 'run',
  kind: 'full',
  started_at: '2026-01-01T00:00:00.000Z',
  finished_at: null,
  checked: 0,
  fetched: 0,
  unchanged: 0,
  changed: 0,
  new: 0,
  withdrawn: 0,
  failed: 0,
  canonicalized: 0,
  ignored: 0,
  bytes: 0,
  fragments: 0,
  embedded: 0,
  rejected: [],
  withdrawals: [],
  skipped: [],
  duration_ms: 0,
  problem: null,
  cancelled: false,
}
