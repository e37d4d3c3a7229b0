import { and, count, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { type ReasonCode, reasonCodes, reasonText } from '../../../contract/reasons'
import type { ReasonCount, RunReport } from '../../../contract/views/run'
import type { Queries } from '../../../db/database'
import { runOutcomes, visits } from '../../../db/schema/addresses'
import type { RunRow } from './runs'

/** How many visits of a run ended with an outcome, and why. */
export type OutcomeCount = Omit<typeof runOutcomes.$inferSelect, 'runId'>

/** The outcomes of a run in progress: from its visits. */
export async function visitOutcomes(queries: Queries, runId: string): Promise<OutcomeCount[]> {
  const { outcome, reason, bytes } = visits
  const rows = await queries
    .select({
      outcome,
      reason,
      count: count(),
      fetched: count(bytes),
      bytes: sql<number | string>`coalesce(sum(${bytes}), 0)`,
    })
    .from(visits)
    .where(and(eq(visits.runId, runId), isNotNull(outcome)))
    .groupBy(outcome, reason)
  return rows.flatMap((row) =>
    row.outcome ? { ...row, outcome: row.outcome, reason: row.reason ?? '', bytes: Number(row.bytes) } : [],
  )
}

/** The reports of runs, in their order. */
export async function reportsOf(queries: Queries, runs: RunRow[], now = new Date()): Promise<RunReport[]> {
  const over = runs.filter(({ finishedAt }) => finishedAt !== null).map(({ id }) => id)
  const stored =
    over.length === 0 ? [] : await queries.select().from(runOutcomes).where(inArray(runOutcomes.runId, over))
  const reports: RunReport[] = []
  for (const run of runs) {
    const counts = run.finishedAt
      ? stored.filter(({ runId }) => runId === run.id)
      : await visitOutcomes(queries, run.id)
    reports.push(reportOf(run, counts, now))
  }
  return reports
}

/** The report of one run; null without a run. */
export async function runReport(queries: Queries, run: RunRow | undefined): Promise<RunReport | null> {
  const [report] = run ? await reportsOf(queries, [run]) : []
  return report ?? null
}

function reportOf(run: RunRow, counts: OutcomeCount[], now: Date): RunReport {
  const { id, kind, ignored, fragments, embedded } = run
  const visited = counts.filter(({ outcome }) => outcome !== 'skipped')
  const sum = (rows: OutcomeCount[], column: 'count' | 'fetched' | 'bytes' = 'count') =>
    rows.reduce((total, row) => total + row[column], 0)
  const by = (...outcomes: OutcomeCount['outcome'][]) => counts.filter(({ outcome }) => outcomes.includes(outcome))
  return {
    id,
    kind,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    checked: sum(visited),
    fetched: sum(visited, 'fetched'),
    unchanged: sum(by('unchanged')),
    changed: sum(by('changed')),
    new: sum(by('new')),
    withdrawn: sum(by('withdrawn')),
    failed: sum(by('failed')),
    ignored,
    bytes: sum(visited, 'bytes'),
    fragments,
    embedded,
    canonicalized: sum(by('replaced')),
    rejected: reasonCounts(by('replaced', 'failed')),
    withdrawals: reasonCounts(by('withdrawn')),
    skipped: reasonCounts(by('skipped')),
    problem: run.reason && run.message ? { reason: run.reason, message: run.message } : null,
    duration_ms: (run.finishedAt ?? now).getTime() - run.startedAt.getTime(),
    cancelled: run.cancelledAt !== null,
  }
}

/** Most frequent first. */
function reasonCounts(rows: OutcomeCount[]): ReasonCount[] {
  const counts = new Map<string, number>()
  for (const { reason, count } of rows) counts.set(reason, (counts.get(reason) ?? 0) + count)
  return [...counts]
    .map(([reason, count]) => ({ reason, message: isReason(reason) ? reasonText(reason) : reason, count }))
    .sort((first, second) => second.count - first.count)
}

/** Reports of earlier versions may contain other codes. */
export function isReason(text: string): text is ReasonCode {
  return reasonCodes.some((code) => code === text)
}
