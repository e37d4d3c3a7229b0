import { type ReasonCode, reasonCodes, reasonText } from '../../../contract/reasons'
import type { ReasonCount, RunReport } from '../../../contract/views/run'
import { type Exclusion, parseExclusionKey } from './run-stats'
import type { RunRow } from './runs'

export function reportOf(run: RunRow, now = new Date()): RunReport {
  const { id, kind, checked, fetched, unchanged, changed, withdrawn, failed, ignored, bytes, fragments, embedded } = run
  return {
    id,
    kind,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    checked,
    fetched,
    unchanged,
    changed,
    new: run.new,
    withdrawn,
    failed,
    ignored,
    bytes,
    fragments,
    embedded,
    canonicalized: Math.max(0, checked - unchanged - changed - run.new - withdrawn - failed),
    rejected: reasonCounts(run, 'rejected'),
    withdrawals: reasonCounts(run, 'withdrawn'),
    skipped: reasonCounts(run, 'skipped'),
    problem: run.reason && run.message ? { reason: run.reason, message: run.message } : null,
    duration_ms: (run.finishedAt ?? now).getTime() - run.startedAt.getTime(),
    cancelled: run.cancelledAt !== null,
  }
}

/** Most frequent first. */
function reasonCounts({ exclusions }: RunRow, exclusion: Exclusion): ReasonCount[] {
  return Object.entries(exclusions)
    .map(([key, count]) => ({ ...parseExclusionKey(key), count }))
    .filter((one) => one.exclusion === exclusion)
    .map(({ reason, count }) => ({ reason, message: isReason(reason) ? reasonText(reason) : reason, count }))
    .sort((one, other) => other.count - one.count)
}

/** Reports of earlier versions may contain other codes. */
export function isReason(text: string): text is ReasonCode {
  return reasonCodes.some((code) => code === text)
}
