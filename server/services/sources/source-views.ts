import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import type { FileView, SourceView } from '../../../contract/views/source'
import type { Queries } from '../../../db/database'
import { fragments, visits } from '../../../db/schema/addresses'
import { files } from '../../../db/schema/files'
import { notFound } from '../../policy'
import type { Sealer } from '../../sealing'
import type { EmbeddingRate } from '../indexing/embedding-rate'
import { runReport } from '../runs/run-report'
import { lastFullRun, latestRun, type RunRow } from '../runs/runs'
import { isClaimed, isOpen } from '../runs/visits'
import { headerNames, type SourceRow } from '../source-rows/source-settings'
import { countUrlsOfSource } from '../usage/urls'

export interface SourceViewDeps {
  sealer: Sealer
  embeddingRate: Pick<EmbeddingRate, 'of'>
}

/** One source for members; see `sourceViews`. */
export async function sourceView(queries: Queries, row: SourceRow, deps: SourceViewDeps): Promise<SourceView> {
  const [source] = await sourceViews(queries, [row], deps)
  if (!source) throw notFound()
  return source
}

/** Sources for members, with their current or last run. */
export async function sourceViews(
  queries: Queries,
  rows: SourceRow[],
  { sealer, embeddingRate }: SourceViewDeps,
): Promise<SourceView[]> {
  const found: SourceView[] = []
  const withoutVector = await countWithoutVector(queries, rows)
  for (const row of rows) {
    const run = await latestRun(queries, row.id)
    const whole = run && (run.kind === 'address' || !run.finishedAt) ? await lastFullRun(queries, row.id) : run
    const urls = await countUrlsOfSource(queries, row.id)
    const file = row.type === 'file' ? await fileOf(queries, row.id) : null
    const pending = withoutVector.get(row.id) ?? 0
    found.push({
      ...view(row, await progressOf(queries, row, run, file), urls, sealer),
      file,
      pending_embeddings: pending,
      indexing: pending > 0 ? await indexingOf(queries, row, pending, embeddingRate) : null,
      last_run: await runReport(queries, run),
      last_full_run: await runReport(queries, whole),
    })
  }
  return found
}

/** Number of fragments without a vector, by source. Counted by collection, for which an index exists. */
async function countWithoutVector(queries: Queries, rows: SourceRow[]): Promise<Map<string, number>> {
  const collectionIds = [...new Set(rows.map(({ collectionId }) => collectionId))]
  if (collectionIds.length === 0) return new Map()
  const counts = await queries
    .select({ sourceId: fragments.sourceId, many: count() })
    .from(fragments)
    .where(and(inArray(fragments.collectionId, collectionIds), isNull(fragments.vectorModel)))
    .groupBy(fragments.sourceId)
  return new Map(counts.map(({ sourceId, many }) => [sourceId, many]))
}

async function indexingOf(
  queries: Queries,
  { id, collectionId, indexingPausedAt }: SourceRow,
  pending: number,
  embeddingRate: SourceViewDeps['embeddingRate'],
): Promise<SourceView['indexing']> {
  const total = await queries.$count(fragments, eq(fragments.sourceId, id))
  const paused = indexingPausedAt !== null
  const rate = paused ? 0 : embeddingRate.of(collectionId)
  return {
    // Fragments may have come between the two counts.
    done: Math.max(0, total - pending),
    total: Math.max(total, pending),
    rate: rounded(rate),
    seconds_left: rate > 0 ? Math.ceil(pending / rate) : null,
    paused,
  }
}

async function fileOf(queries: Queries, sourceId: string): Promise<FileView | null> {
  const rows = await queries.select().from(files).where(eq(files.sourceId, sourceId))
  const own = rows.find((row) => !row.isWaiting)
  if (!own) return null
  const waiting = rows.find((row) => row.isWaiting)
  const replacement = waiting
    ? { name: waiting.name, bytes: waiting.bytes, uploaded_at: waiting.createdAt.toISOString() }
    : null
  const { type, bytes, sha256, createdAt } = own
  return { type, bytes, sha256, uploaded_at: createdAt.toISOString(), replacement }
}

async function progressOf(
  queries: Queries,
  row: SourceRow,
  run: RunRow | undefined,
  file: FileView | null,
): Promise<SourceView['progress']> {
  if (!run || run.finishedAt) return null
  const ofRun = eq(visits.runId, run.id)
  const total = await queries.$count(visits, ofRun)
  const waiting = await queries.$count(visits, and(ofRun, isOpen()))
  const [underWay] = await queries
    .select({ url: visits.url, done: visits.readDone, total: visits.readTotal })
    .from(visits)
    .where(and(eq(visits.sourceId, row.id), ofRun, isClaimed()))
    .limit(1)
  const current = underWay ? (file?.replacement?.name ?? underWay.url) : null
  // A file is one address; its progress is in units of its own.
  if (file && underWay?.done != null && underWay.total) {
    return { ...progressWithRate(row, run, underWay.done, underWay.total), current }
  }
  return { ...progressWithRate(row, run, total - waiting, total), current }
}

function progressWithRate(row: SourceRow, run: RunRow, done: number, total: number) {
  const seconds = Math.max(1, (Date.now() - run.startedAt.getTime()) / 1000)
  const rate = done / seconds
  const secondsLeft = rate > 0 && !row.pausedAt ? Math.ceil((total - done) / rate) : null
  return { done, total, rate: rounded(rate), seconds_left: secondsLeft }
}

function rounded(rate: number): number {
  return Math.round(rate * 10) / 10
}

function view(
  row: SourceRow,
  progress: SourceView['progress'],
  urls: number,
  sealer: Sealer,
): Omit<SourceView, 'file' | 'pending_embeddings' | 'indexing' | 'last_run' | 'last_full_run'> {
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
    start_path: row.startPath,
    file_name: row.fileName,
    refreshed_at: row.refreshedAt?.toISOString() ?? null,
    refresh_due_at: row.refreshDueAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    options: {
      include: row.include,
      exclude: row.exclude,
      include_selectors: row.includeSelectors,
      exclude_selectors: row.excludeSelectors,
      max_pages: row.maxPages,
      max_depth: row.maxDepth,
      refresh_interval: row.refreshInterval,
      crawl_delay_ms: row.crawlDelayMs,
      header_names: headerNames(row, sealer),
    },
    paused: row.pausedAt !== null,
    addresses: urls,
    progress,
  }
}
