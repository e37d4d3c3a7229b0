import { and, count, eq } from 'drizzle-orm'
import type { SourceView } from '../../contract/source'
import type { Queries } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import type { Sealer } from '../sealing'
import { latestRun, type RunRow, reportOf } from './runs'
import { headerNames, type SourceRow } from './source-settings'

/** Sources as members see them, with the run under way or the last one. */
export async function sourceViews(queries: Queries, rows: SourceRow[], sealer: Sealer): Promise<SourceView[]> {
  const found: SourceView[] = []
  for (const row of rows) {
    const run = await latestRun(queries, row.id)
    const known = await queries.$count(addresses, eq(addresses.sourceId, row.id))
    found.push(view(row, run, await progressOf(queries, row, run), known, sealer))
  }
  return found
}

async function progressOf(queries: Queries, row: SourceRow, run: RunRow | undefined): Promise<SourceView['progress']> {
  if (!run || run.finishedAt) return null
  const counts = await queries
    .select({ status: addresses.status, many: count() })
    .from(addresses)
    .where(and(eq(addresses.sourceId, row.id), eq(addresses.runId, run.id)))
    .groupBy(addresses.status)
  const total = counts.reduce((sum, { many }) => sum + many, 0)
  const waiting = counts
    .filter(({ status }) => status === 'pending' || status === 'crawling')
    .reduce((sum, { many }) => sum + many, 0)
  const [underWay] = await queries
    .select({ url: addresses.url })
    .from(addresses)
    .where(and(eq(addresses.sourceId, row.id), eq(addresses.status, 'crawling')))
    .limit(1)
  const seconds = Math.max(1, (Date.now() - run.startedAt.getTime()) / 1000)
  const done = total - waiting
  const rate = done / seconds
  return {
    done,
    total,
    rate: Math.round(rate * 10) / 10,
    seconds_left: rate > 0 && !row.pausedAt ? Math.ceil(waiting / rate) : null,
    current: underWay?.url ?? null,
  }
}

function view(
  row: SourceRow,
  run: RunRow | undefined,
  progress: SourceView['progress'],
  known: number,
  sealer: Sealer,
): SourceView {
  return {
    id: row.id,
    collection_id: row.collectionId,
    organization_id: row.organizationId,
    type: row.type,
    name: row.name,
    status: row.status,
    reason: row.reason,
    message: row.message,
    url: row.url,
    file_name: row.fileName,
    refreshed_at: row.refreshedAt?.toISOString() ?? null,
    refresh_due_at: row.refreshDueAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    options: {
      include: row.include,
      exclude: row.exclude,
      max_pages: row.maxPages,
      max_depth: row.maxDepth,
      refresh_interval: row.refreshInterval,
      pace_ms: row.paceMs,
      header_names: headerNames(row, sealer),
    },
    paused: row.pausedAt !== null,
    addresses: known,
    progress,
    last_run: run ? reportOf(run) : null,
  }
}
