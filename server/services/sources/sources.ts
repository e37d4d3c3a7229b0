import { and, count, desc, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import { siteOptionProblems } from '../../../contract/sources/file-source'
import type { SourceEdit, SourceInput } from '../../../contract/sources/source'
import type { Paged, SortedPaging } from '../../../contract/values/paging'
import type { SourceSort } from '../../../contract/values/sorts'
import type { Plan } from '../../../contract/views/organizations/organization'
import type { PreviewEvent } from '../../../contract/views/preview'
import type { SourceView } from '../../../contract/views/source'
import type { Database, Queries } from '../../../db/database'
import { addresses, fragments, visits } from '../../../db/schema/addresses'
import { collections, runs, sources } from '../../../db/schema/collections'
import { contains, lower } from '../../../db/sql'
import { type Actor, personOf } from '../../actor'
import type { PreviewRequest } from '../../engine/crawl/preview/preview-request'
import { startOf } from '../../engine/crawl/urls/entry-pages'
import { AppError } from '../../errors'
import { authorize } from '../../policy'
import type { Sealer } from '../../sealing'
import { recordEvent } from '../audit/record-event'
import { type CollectionRef, findCollection } from '../collections/collections'
import type { EmbeddingRate } from '../indexing/embedding-rate'
import { enqueue } from '../jobs/jobs'
import type { Organizations } from '../organizations/organizations'
import { orderOf, pageOf, rowsBefore } from '../paging'
import { createSourcePreviews } from '../previews/source-previews'
import { createRun } from '../runs/runs'
import { sourceTransitions } from '../runs/transitions'
import { findSource, type SourceRef } from '../source-rows/find-source'
import { nextRefresh, type SourceRow, settingsOf } from '../source-rows/source-settings'
import type { FairTurns } from '../usage/fair-turns'
import { assertWithinPlan, type LimitContext } from '../usage/plan-limits'
import { assertUniqueSource } from './assert-unique-source'
import { sourceView, sourceViews } from './source-views'

interface Deps {
  db: Database
  organizations: Organizations
  sealer: Sealer
  embeddingRate: Pick<EmbeddingRate, 'of' | 'latest'>
  turns: Pick<FairTurns, 'assertRoom' | 'take'>
  /** See `engine/crawl/preview`. */
  preview(request: PreviewRequest, signal: AbortSignal): AsyncIterable<PreviewEvent>
}

const sortColumns = { name: lower(sources.name), status: sources.status, refreshed_at: sources.refreshedAt }
/** Statuses of a source with a run in progress. */
const busyStatuses: SourceRow['status'][] = ['processing', 'crawling']
const newestFirst = [desc(sources.createdAt), desc(sources.id)]

export function createSources({ db, organizations, sealer, embeddingRate, turns, preview }: Deps) {
  async function list(
    actor: Actor,
    { organizationId, collectionId }: CollectionRef,
    { sort, search, ...paging }: SortedPaging<SourceSort>,
  ): Promise<Paged<SourceView>> {
    authorize(actor, 'source:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const visible = and(
      eq(sources.collectionId, collectionId),
      isNull(sources.deletedAt),
      search ? or(contains(sources.name, search), contains(sources.url, search)) : undefined,
    )
    const rows = await db.read
      .select()
      .from(sources)
      .where(visible)
      .orderBy(...orderOf(sortColumns, sort, newestFirst))
      .limit(paging.limit)
      .offset(rowsBefore(paging))
    const total = await db.read.$count(sources, visible)
    return pageOf(await sourceViews(db.read, rows, { sealer, embeddingRate }), total, paging)
  }

  /** Returns the sources with these ids, without those that the collection does not have. */
  async function byIds(
    actor: Actor,
    { organizationId, collectionId }: CollectionRef,
    ids: string[],
  ): Promise<SourceView[]> {
    authorize(actor, 'source:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const known = and(inArray(sources.id, ids), eq(sources.collectionId, collectionId), isNull(sources.deletedAt))
    const rows = await db.read.select().from(sources).where(known)
    return sourceViews(db.read, rows, { sealer, embeddingRate })
  }

  /** Lists the latest sources of an organization that have a run in progress or, with `isIndexed`, pending embeddings. */
  async function inProgress(
    actor: Actor,
    organizationId: string,
    { isIndexed, limit }: { isIndexed: boolean; limit: number },
  ): Promise<SourceView[]> {
    authorize(actor, 'source:read', organizationId)
    const pending = db.read
      .select({ id: fragments.sourceId })
      .from(collections)
      .innerJoin(fragments, and(eq(fragments.collectionId, collections.id), isNull(fragments.vectorModel)))
      .where(eq(collections.organizationId, organizationId))
    const rows = await db.read
      .select({ source: sources })
      .from(collections)
      .innerJoin(sources, eq(sources.collectionId, collections.id))
      .where(
        and(
          eq(collections.organizationId, organizationId),
          isNull(collections.deletedAt),
          isNull(sources.deletedAt),
          or(inArray(sources.status, busyStatuses), isIndexed ? inArray(sources.id, pending) : undefined),
        ),
      )
      .orderBy(desc(sources.createdAt), desc(sources.id))
      .limit(limit)
    return sourceViews(
      db.read,
      rows.map(({ source }) => source),
      { sealer, embeddingRate },
    )
  }

  /** How far the runs in progress are, by collection: the addresses that they know, and those that are done. */
  async function runProgress(
    actor: Actor,
    organizationId: string,
    collectionIds: string[],
  ): Promise<Record<string, { done: number; total: number }>> {
    authorize(actor, 'source:read', organizationId)
    const rows = await db.read
      .select({
        collectionId: sources.collectionId,
        total: count(visits.runId),
        done: count(visits.outcome),
      })
      .from(sources)
      .innerJoin(runs, and(eq(runs.sourceId, sources.id), isNull(runs.finishedAt)))
      .leftJoin(visits, eq(visits.runId, runs.id))
      .where(
        and(
          eq(sources.organizationId, organizationId),
          inArray(sources.collectionId, collectionIds),
          inArray(sources.status, busyStatuses),
          isNull(sources.pausedAt),
          isNull(sources.deletedAt),
        ),
      )
      .groupBy(sources.collectionId)
    return Object.fromEntries(rows.map(({ collectionId, ...progress }) => [collectionId, progress]))
  }

  async function get(actor: Actor, ref: SourceRef): Promise<SourceView> {
    authorize(actor, 'source:read', ref.organizationId)
    return view(await findSource(db.read, ref))
  }

  function view(row: SourceRow): Promise<SourceView> {
    return sourceView(db.read, row, { sealer, embeddingRate })
  }

  /** Stores the source with status processing and enqueues its first run. */
  async function create(
    actor: Actor,
    { organizationId, collectionId }: CollectionRef,
    input: SourceInput,
  ): Promise<SourceView> {
    authorize(actor, 'source:edit', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const { url, startPath } = startOf(input)
    const id = crypto.randomUUID()
    await db.writeAlone(organizationId, async (tx) => {
      await assertRoom(tx, { actor, organizationId }, await organizations.planOf(tx, organizationId))
      await assertUniqueSource(tx, collectionId, { type: input.type, url })
      await tx.insert(sources).values({
        ...settingsOf(input, sealer, { id, sealedHeaders: null }),
        id,
        organizationId,
        collectionId,
        type: input.type,
        name: input.name || nameOf(url),
        status: sourceTransitions.added.to,
        url,
        startPath,
        createdBy: personOf(actor),
      })
      await createRun(tx, { id, organizationId }, 'full')
    })
    return view(await findSource(db.read, { organizationId, collectionId, sourceId: id }))
  }

  /** Changes the name and the options, which apply from the next run. */
  async function edit(actor: Actor, ref: SourceRef, { name, ...options }: SourceEdit): Promise<SourceView> {
    authorize(actor, 'source:edit', ref.organizationId)
    const before = await findSource(db.read, ref)
    if (before.type === 'file') refuseSiteOptions(options)
    const settings = { ...settingsOf(options, sealer, before), ...(name === undefined ? {} : { name }) }
    const { refreshInterval: interval } = settings
    const planned =
      interval && interval !== before.refreshInterval
        ? { refreshDueAt: nextRefresh(interval, before.refreshedAt ?? undefined) }
        : {}
    const change = { ...settings, ...planned }
    if (Object.keys(change).length > 0) {
      await db.write((tx) => tx.update(sources).set(change).where(eq(sources.id, before.id)))
      // The next run fetches unconditionally: links of unchanged pages may be admitted now, or other parts of them.
      if (changesAdmission(before, settings)) await clearValidators(before.id)
    }
    return view(await findSource(db.read, ref))
  }

  /** Clears validators in batches, so that no statement is long. */
  async function clearValidators(sourceId: string): Promise<void> {
    const known = and(
      eq(addresses.sourceId, sourceId),
      or(isNotNull(addresses.etag), isNotNull(addresses.lastModified)),
    )
    for (;;) {
      const rows = await db.read.select({ id: addresses.id }).from(addresses).where(known).limit(500)
      if (rows.length === 0) return
      const ids = rows.map((row) => row.id)
      const none = { etag: null, lastModified: null }
      await db.write((tx) => tx.update(addresses).set(none).where(inArray(addresses.id, ids)))
    }
  }

  /** Hides the source at once; a job deletes its addresses, fragments and index entries. */
  async function remove(actor: Actor, ref: SourceRef): Promise<void> {
    const { organizationId, sourceId } = ref
    authorize(actor, 'source:edit', organizationId)
    const { name } = await findSource(db.read, ref)
    await db.write(async (tx) => {
      await recordEvent(tx, actor, { organizationId, action: 'source.deleted', subject: { id: sourceId, name } })
      await tx.update(sources).set({ deletedAt: new Date() }).where(eq(sources.id, sourceId))
      await enqueue(tx, {
        kind: 'purge-source',
        payload: { sourceId },
        organizationId,
        dedupeKey: `purge-source:${sourceId}`,
      })
    })
  }

  return {
    /** Fragments a second that this server last embedded; 0 if it has embedded none since its start. */
    indexingRate: embeddingRate.latest,
    list,
    byIds,
    inProgress,
    runProgress,
    get,
    create,
    edit,
    remove,
    ...createSourcePreviews({ db, organizations, sealer, turns, preview }),
  }
}

export type Sources = ReturnType<typeof createSources>

/** Throws quota_exceeded if the plan allows no more sources. Runs enforce its limit of addresses. */
export async function assertRoom(queries: Queries, context: LimitContext, plan: Plan): Promise<void> {
  const { organizationId } = context
  const ofOrganization = and(eq(sources.organizationId, organizationId), isNull(sources.deletedAt))
  assertWithinPlan(context, plan.sources, await queries.$count(sources, ofOrganization), 'source')
}

function refuseSiteOptions(options: Record<string, unknown>): void {
  const fields = siteOptionProblems(options)
  const [message] = Object.values(fields).flat()
  if (message !== undefined) throw new AppError('invalid_input', message, { details: { fields } })
}

/** Whether the settings change which addresses or parts of pages are indexed. */
function changesAdmission(before: SourceRow, after: Partial<SourceRow>): boolean {
  const names = ['include', 'exclude', 'includeSelectors', 'excludeSelectors', 'maxPages', 'maxDepth'] as const
  return names.some((name) => after[name] !== undefined && JSON.stringify(after[name]) !== JSON.stringify(before[name]))
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url)
  return (pathname === '/' ? host : host + pathname).slice(0, 64)
}
