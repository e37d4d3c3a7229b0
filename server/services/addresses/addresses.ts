import { and, asc, count, desc, eq, isNotNull, isNull, or } from 'drizzle-orm'
import type { AddressFilter } from '../../../contract/address'
import type { Paged, Paging } from '../../../contract/paging'
import { reasonText } from '../../../contract/texts/reasons'
import type { AddressFragment, AddressView } from '../../../contract/views/address'
import type { ReasonCount } from '../../../contract/views/run'
import type { Database } from '../../../db/database'
import { addresses, fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { contains } from '../../../db/sql'
import type { Actor } from '../../actor'
import { createAdmission } from '../../engine/crawl/urls/admission'
import { AppError } from '../../errors'
import { authorize, notFound } from '../../policy'
import { findCollection } from '../collections/collections'
import { enqueueBoilerplate } from '../crawling/boilerplate/enqueue-boilerplate'
import { exclusionReasons } from '../crawling/frontier/exclusions'
import type { Frontier } from '../crawling/frontier/frontier'
import { requeueMerged } from '../crawling/pages/duplicate-pages'
import { createRun, latestRun } from '../crawling/runs/runs'
import { transitionAddresses, transitionSource } from '../crawling/transitions'
import { clearFragments } from '../fragments/delete-fragments'
import { addressFragment, type Indexes, replaceFragments } from '../fragments/fragments'
import { isCommitted } from '../fragments/visible-fragments'
import { pageOf, rowsBefore } from '../paging'
import type { SourceRow } from '../sources/source-settings'
import { countsTowardLimit } from '../usage/urls'

type AddressRow = typeof addresses.$inferSelect
type Planned = Pick<SourceRow, 'refreshDueAt' | 'pausedAt'>

interface Deps {
  db: Database
  indexes: Indexes
  frontier: Pick<Frontier, 'roomFor'>
}

export function createAddresses({ db, indexes, frontier }: Deps) {
  /** The matching addresses of the collection, oldest first. */
  async function list(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    { filter, status, reason, sourceId, ...paging }: Paging & AddressFilter,
  ): Promise<Paged<AddressView>> {
    authorize(actor, 'source:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const here = and(
      eq(addresses.collectionId, collectionId),
      isNull(sources.deletedAt),
      filter ? or(contains(addresses.url, filter), contains(addresses.metaTitle, filter)) : undefined,
      status ? eq(addresses.status, status) : undefined,
      reason ? eq(addresses.reason, reason) : undefined,
      sourceId ? eq(addresses.sourceId, sourceId) : undefined,
    )
    const rows = await db.read
      .select({ address: addresses, source: sources })
      .from(addresses)
      .innerJoin(sources, eq(sources.id, addresses.sourceId))
      .where(here)
      .orderBy(asc(addresses.createdAt), asc(addresses.id))
      .limit(paging.limit)
      .offset(rowsBefore(paging))
    const [found] = await db.read
      .select({ total: count() })
      .from(addresses)
      .innerJoin(sources, eq(sources.id, addresses.sourceId))
      .where(here)
    const total = found?.total ?? 0
    const docs = rows.map(({ address, source }) => view(address, source))
    return pageOf(docs, total, paging)
  }

  /** The number of addresses per reason in the collection or in one source, most frequent first. */
  async function reasons(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    { sourceId }: Pick<AddressFilter, 'sourceId'>,
  ): Promise<Omit<ReasonCount, 'message'>[]> {
    authorize(actor, 'source:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const here = and(
      eq(addresses.collectionId, collectionId),
      isNotNull(addresses.reason),
      isNull(sources.deletedAt),
      sourceId ? eq(addresses.sourceId, sourceId) : undefined,
    )
    const rows = await db.read
      .select({ reason: addresses.reason, count: count() })
      .from(addresses)
      .innerJoin(sources, eq(sources.id, addresses.sourceId))
      .where(here)
      .groupBy(addresses.reason)
      .orderBy(desc(count()), asc(addresses.reason))
    return rows.map((row) => ({ ...row, reason: row.reason ?? '' }))
  }

  /** The address with one page of its fragments, in the order of its text. */
  async function withFragments(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    id: string,
    paging: Paging,
  ): Promise<{ address: AddressView; fragments: Paged<AddressFragment> }> {
    authorize(actor, 'source:read', organizationId)
    const { address, source } = await find(organizationId, collectionId, id)
    const own = and(eq(fragments.addressId, id), isCommitted())
    const rows = await db.read
      .select({ fragment: fragments })
      .from(fragments)
      .innerJoin(addresses, eq(addresses.id, fragments.addressId))
      .where(own)
      .orderBy(asc(fragments.ordinal))
      .limit(paging.limit)
      .offset(rowsBefore(paging))
    const [found] = await db.read
      .select({ total: count() })
      .from(fragments)
      .innerJoin(addresses, eq(addresses.id, fragments.addressId))
      .where(own)
    const total = found?.total ?? 0
    const docs = rows.map(({ fragment }) => addressFragment(fragment, address.url))
    return { address: view(address, source), fragments: pageOf(docs, total, paging) }
  }

  /**
   * Fetches the address again, also an ignored one, in the current run or in one of its own. Throws conflict if the
   * source's options exclude it, and while the source only discovers addresses or cancels a run; quota_exceeded without
   * room for it.
   */
  async function retry(actor: Actor, organizationId: string, collectionId: string, id: string): Promise<AddressView> {
    authorize(actor, 'source:edit', organizationId)
    const { address, source } = await find(organizationId, collectionId, id)
    const exclusion = createAdmission(source).exclusionOf(address)
    if (exclusion) {
      throw new AppError(
        'conflict',
        `${reasonText(exclusion)} Retrying does not change that: change the options of the source, then refresh it.`,
      )
    }
    await db.write(async (tx) => {
      const run = await latestRun(tx, source.id)
      if (run && !run.finishedAt && (run.kind === 'discover' || run.cancelledAt)) {
        throw new AppError('conflict', 'This source is at another task. Wait until it is done, then retry.')
      }
      const counts = (await tx.$count(addresses, and(eq(addresses.id, id), countsTowardLimit()))) > 0
      if (!counts && (await frontier.roomFor(tx, source, 1)) === 0) {
        throw new AppError(
          'quota_exceeded',
          'The limit of addresses is reached. Ignore another one first, or raise it.',
        )
      }
      const open = run && !run.finishedAt ? run.id : null
      const runId = open ?? (await createRun(tx, source, 'address'))
      const requeued = { runId, nextFetchAt: null, attempts: 0, ignoredAt: null, reason: null, message: null }
      // A run that ends early must not restore the ignored state.
      const cleared = address.ignoredAt ? { statusBefore: null } : {}
      const columns = { ...requeued, etag: null, lastModified: null, ...cleared }
      await transitionAddresses(tx, eq(addresses.id, address.id), 'requeued', columns)
      if (!open) await transitionSource(tx, source.id, 'address-retried', { reason: null, message: null })
    })
    return one(id)
  }

  /** Ignores the address until somebody retries it, and deletes its fragments at once. */
  async function ignore(actor: Actor, organizationId: string, collectionId: string, id: string): Promise<AddressView> {
    authorize(actor, 'source:edit', organizationId)
    const { address, source } = await find(organizationId, collectionId, id)
    await clearFragments(db, indexes, address)
    await db.write(async (tx) => {
      await replaceFragments(tx, indexes, address, [])
      await requeueMerged(tx, address, null)
      await transitionAddresses(tx, eq(addresses.id, id), 'ignored', {
        ignoredAt: new Date(),
        reason: 'ignored',
        message: reasonText('ignored'),
        fragments: 0,
        textHash: null,
        etag: null,
        lastModified: null,
        nextFetchAt: null,
      })
      // The address may have kept boilerplate for the source.
      if (source.type !== 'file') await enqueueBoilerplate(tx, source)
    })
    return one(id)
  }

  async function one(id: string): Promise<AddressView> {
    const [row] = await db.read
      .select({ address: addresses, source: sources })
      .from(addresses)
      .innerJoin(sources, eq(sources.id, addresses.sourceId))
      .where(eq(addresses.id, id))
    if (!row) throw notFound()
    return view(row.address, row.source)
  }

  async function find(organizationId: string, collectionId: string, id: string) {
    await findCollection(db.read, organizationId, collectionId)
    const [found] = await db.read
      .select({ address: addresses, source: sources })
      .from(addresses)
      .innerJoin(sources, eq(sources.id, addresses.sourceId))
      .where(and(eq(addresses.id, id), eq(addresses.collectionId, collectionId), isNull(sources.deletedAt)))
    if (!found) throw notFound()
    return found
  }

  return { list, reasons, fragments: withFragments, retry, ignore }
}

function view(row: AddressRow, source: Planned): AddressView {
  return {
    id: row.id,
    url: row.url,
    status: row.status,
    reason: row.reason,
    message: row.message,
    http_status: row.httpStatus,
    content_type: row.contentType,
    bytes: row.bytes,
    language: row.language,
    depth: row.depth,
    discovered_from: row.discoveredFrom,
    canonical_url: row.canonicalUrl,
    meta_title: row.metaTitle,
    meta_description: row.metaDescription,
    fragments: row.fragments,
    failures: row.failures,
    ignored: row.ignoredAt !== null,
    crawled_at: row.crawledAt?.toISOString() ?? null,
    fetched_at: row.fetchedAt?.toISOString() ?? null,
    changed_at: row.changedAt?.toISOString() ?? null,
    published_at: row.publishedAt?.toISOString() ?? null,
    modified_at: row.modifiedAt?.toISOString() ?? null,
    next_fetch_at: nextFetchOf(row, source)?.toISOString() ?? null,
    updated_at: row.updatedAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    source_id: row.sourceId,
    collection_id: row.collectionId,
    organization_id: row.organizationId,
  }
}

/** When its run or its source fetches it next; null if that is now, or if it is excluded. */
function nextFetchOf({ status, reason, nextFetchAt, ignoredAt }: AddressRow, source: Planned): Date | null {
  if (status === 'pending' || status === 'crawling' || nextFetchAt) return nextFetchAt
  const isExcluded = ignoredAt !== null || reason === 'over-limit' || exclusionReasons.includes(reason ?? '')
  return isExcluded || source.pausedAt ? null : source.refreshDueAt
}
