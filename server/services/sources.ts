import { and, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { SourceStatus } from '../../contract/enumerations'
import type { Paged, Paging } from '../../contract/paging'
import type { RunReport, SourceInput, SourceView } from '../../contract/source'
import type { Database, Queries, Transaction } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { runs, sources } from '../../db/schema/collections'
import { jobs } from '../../db/schema/jobs'
import type { Actor } from '../actor'
import { domainAddress } from '../engine/crawl/urls'
import { AppError } from '../errors'
import { authorize, notFound } from '../policy'
import { findCollection } from './collections'
import { enqueue } from './jobs'
import { assertBelow, countUrls, type Organizations } from './organizations'

export type SourceRow = typeof sources.$inferSelect
type RunRow = typeof runs.$inferSelect

/** Statuses in which a run is under way. */
const atWork: SourceStatus[] = ['new', 'processing', 'crawling']

export interface RefreshAnswer {
  success: boolean
  /** Addresses that are looked at again. */
  count: number
  ignored: number
  crawlLimit: boolean
  status: SourceStatus
}

export function createSources({ db, organizations }: { db: Database; organizations: Organizations }) {
  async function list(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    { page, limit }: Paging,
  ): Promise<Paged<SourceView>> {
    authorize(actor, 'source:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const visible = and(eq(sources.collectionId, collectionId), isNull(sources.deletedAt))
    const rows = await db.read
      .select()
      .from(sources)
      .where(visible)
      .orderBy(desc(sources.createdAt), desc(sources.id))
      .limit(limit)
      .offset((page - 1) * limit)
    const total = await db.read.$count(sources, visible)
    return { docs: await views(db.read, rows), total, pages: Math.ceil(total / limit) }
  }

  async function get(actor: Actor, organizationId: string, collectionId: string, id: string): Promise<SourceView> {
    authorize(actor, 'source:read', organizationId)
    const [view] = await views(db.read, [await findSource(db.read, organizationId, collectionId, id)])
    if (!view) throw notFound()
    return view
  }

  /** Stores the source with status processing and starts its first run. */
  async function create(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    input: SourceInput,
  ): Promise<SourceView> {
    authorize(actor, 'source:edit', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const url = (input.type === 'domain' ? domainAddress(input.url) : null) ?? input.url
    const createdBy = actor.kind === 'person' ? actor.userId : null
    const id = await db.write(async (tx) => {
      const plan = await organizations.planOf(tx, organizationId)
      const ofOrganization = and(eq(sources.organizationId, organizationId), isNull(sources.deletedAt))
      assertBelow(plan.sources, await tx.$count(sources, ofOrganization), 'sources')
      assertBelow(plan.urls, await countUrls(tx, organizationId), 'addresses')
      const values = {
        organizationId,
        collectionId,
        type: input.type,
        name: input.name || nameOf(url),
        status: 'processing' as const,
        url,
        createdBy,
      }
      const [row] = await tx.insert(sources).values(values).returning({ id: sources.id })
      if (!row) throw new Error('The source was not stored.')
      await startRun(tx, row.id)
      return row.id
    })
    return get(actor, organizationId, collectionId, id)
  }

  async function rename(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    id: string,
    { name }: { name: string },
  ): Promise<SourceView> {
    authorize(actor, 'source:edit', organizationId)
    await findSource(db.read, organizationId, collectionId, id)
    await db.write((tx) => tx.update(sources).set({ name }).where(eq(sources.id, id)))
    return get(actor, organizationId, collectionId, id)
  }

  /** Starts a run. While one is under way it is a conflict, or with `auto` the answer speaks of that run. */
  async function refresh(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    id: string,
    { auto }: { crawl: boolean; auto: boolean },
  ): Promise<RefreshAnswer> {
    authorize(actor, 'source:edit', organizationId)
    await findSource(db.read, organizationId, collectionId, id)
    const started = await db.write(async (tx) => {
      const atRest = and(eq(sources.id, id), isNull(sources.deletedAt), inArray(sources.status, restful))
      const changed = { status: 'processing' as const, reason: null, message: null }
      const [row] = await tx.update(sources).set(changed).where(atRest).returning({ id: sources.id })
      if (row) await startRun(tx, id)
      return row !== undefined
    })
    if (!started && !auto) {
      throw new AppError('conflict', 'This source is being read already. Wait until it is done, or cancel it first.', {
        details: { title: 'Failed to refresh source' },
      })
    }
    const view = await get(actor, organizationId, collectionId, id)
    return {
      success: true,
      count: view.addresses,
      ignored: view.last_run?.ignored ?? 0,
      crawlLimit: false,
      status: view.status,
    }
  }

  /** Ends the run under way; what it has read stays. At rest nothing happens. */
  async function cancel(actor: Actor, organizationId: string, collectionId: string, id: string): Promise<SourceView> {
    authorize(actor, 'source:edit', organizationId)
    await findSource(db.read, organizationId, collectionId, id)
    await db.write(async (tx) => {
      await tx
        .update(runs)
        .set({ cancelledAt: new Date() })
        .where(and(eq(runs.sourceId, id), isNull(runs.finishedAt)))
      // Its job may wait for the site, for up to an hour.
      await tx
        .update(jobs)
        .set({ runAfter: new Date() })
        .where(and(eq(jobs.onlyOnce, crawlKey(id)), eq(jobs.status, 'queued')))
    })
    return get(actor, organizationId, collectionId, id)
  }

  /** Hidden at once; its addresses, fragments, words and vectors are swept by a job. */
  async function remove(actor: Actor, organizationId: string, collectionId: string, id: string): Promise<void> {
    authorize(actor, 'source:edit', organizationId)
    await findSource(db.read, organizationId, collectionId, id)
    await db.write(async (tx) => {
      await tx.update(sources).set({ deletedAt: new Date() }).where(eq(sources.id, id))
      await enqueue(tx, { kind: 'sweep-source', payload: { sourceId: id }, onlyOnce: `sweep-source:${id}` })
    })
  }

  return { list, get, create, rename, refresh, cancel, remove }
}

export type Sources = ReturnType<typeof createSources>

const restful: SourceStatus[] = ['fail', 'idle', 'crawl-limit', 'url-limit']

async function findSource(
  queries: Queries,
  organizationId: string,
  collectionId: string,
  id: string,
): Promise<SourceRow> {
  await findCollection(queries, organizationId, collectionId)
  const visible = and(eq(sources.id, id), eq(sources.collectionId, collectionId), isNull(sources.deletedAt))
  const [row] = await queries.select().from(sources).where(visible)
  if (!row) throw notFound()
  return row
}

async function startRun(tx: Transaction, sourceId: string): Promise<void> {
  const [run] = await tx.insert(runs).values({ sourceId }).returning({ id: runs.id })
  if (!run) throw new Error('The run was not stored.')
  await enqueue(tx, {
    kind: 'crawl-source',
    payload: { sourceId, runId: run.id },
    onlyOnce: crawlKey(sourceId),
  })
}

function crawlKey(sourceId: string): string {
  return `crawl-source:${sourceId}`
}

function nameOf(url: string): string {
  const { host, pathname } = new URL(url)
  return (pathname === '/' ? host : host + pathname).slice(0, 64)
}

async function views(queries: Queries, rows: SourceRow[]): Promise<SourceView[]> {
  const found: SourceView[] = []
  for (const row of rows) {
    const [run] = await queries
      .select()
      .from(runs)
      .where(eq(runs.sourceId, row.id))
      .orderBy(desc(runs.startedAt), desc(runs.id))
      .limit(1)
    found.push(
      view(
        row,
        run,
        await progressOf(queries, row, run),
        await queries.$count(addresses, eq(addresses.sourceId, row.id)),
      ),
    )
  }
  return found
}

async function progressOf(queries: Queries, row: SourceRow, run: RunRow | undefined): Promise<SourceView['progress']> {
  if (!run || run.finishedAt || !atWork.includes(row.status)) return null
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
    seconds_left: rate > 0 ? Math.ceil(waiting / rate) : null,
    current: underWay?.url ?? null,
  }
}

function view(row: SourceRow, run: RunRow | undefined, progress: SourceView['progress'], known: number): SourceView {
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
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    addresses: known,
    progress,
    last_run: run ? reportOf(run) : null,
  }
}

function reportOf(run: RunRow): RunReport {
  return {
    id: run.id,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    checked: run.checked,
    fetched: run.fetched,
    unchanged: run.unchanged,
    changed: run.changed,
    new: run.new,
    withdrawn: run.withdrawn,
    failed: run.failed,
    ignored: run.ignored,
    bytes: run.bytes,
    fragments: run.fragments,
  }
}
