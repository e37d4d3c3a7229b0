import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { SourceStatus } from '../../contract/enumerations'
import { type ReasonCode, reasonText } from '../../contract/reasons'
import type { Database, Transaction } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { collections, runs, sources } from '../../db/schema/collections'
import { crawlLimits } from '../engine/limits'
import type { Fragment } from '../engine/ports'
import { withoutTrap } from './crawl-traps'
import { type Indexes, replaceFragments } from './fragments'
import { enqueue } from './jobs'
import { countUrls, type Organizations } from './organizations'
import { addCounts, type RunCounts } from './run-counts'

export type ClaimedAddress = typeof addresses.$inferSelect

/** A run of a source, as its job sees it. */
export interface CrawlWork {
  runId: string
  startedAt: Date
  source: typeof sources.$inferSelect
}

/** What is stored of a page that was read. */
export interface ReadPage {
  httpStatus: number
  contentType: string
  bytes: number
  etag: string | null
  lastModified: string | null
  language: string
  title: string
  description: string
  textHash: string
  fragments: Fragment[]
}

export interface FoundLink {
  url: string
  depth: number
  foundOn: string
}

const rowsAtOnce = 100

/**
 * The stored side of a crawl. Every step is one transaction that leaves the run where a restart can go on:
 * an address is done in a run when its row says so.
 */
export function createCrawls({
  db,
  indexes,
  organizations,
}: {
  db: Database
  indexes: Indexes
  organizations: Organizations
}) {
  /** The run to go on with, or null when it is over: finished, cancelled, or its source deleted. */
  async function resume(sourceId: string, runId: string): Promise<CrawlWork | null> {
    const [found] = await db.read
      .select({ source: sources, run: runs })
      .from(runs)
      .innerJoin(sources, eq(sources.id, runs.sourceId))
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .where(
        and(
          eq(runs.id, runId),
          eq(sources.id, sourceId),
          isNull(sources.deletedAt),
          isNull(collections.deletedAt),
          isNull(runs.finishedAt),
        ),
      )
    return found ? { runId, startedAt: found.run.startedAt, source: found.source } : null
  }

  /** Whether somebody ended the run since. */
  async function isOver({ source, runId }: CrawlWork): Promise<boolean> {
    const [found] = await db.read
      .select({
        cancelledAt: runs.cancelledAt,
        deletedAt: sources.deletedAt,
        collectionDeletedAt: collections.deletedAt,
      })
      .from(runs)
      .innerJoin(sources, eq(sources.id, runs.sourceId))
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .where(and(eq(runs.id, runId), eq(sources.id, source.id)))
    return !found || found.cancelledAt !== null || found.deletedAt !== null || found.collectionDeletedAt !== null
  }

  /**
   * Puts the addresses on the list of this run: new ones within the limits of the plan and of a run, known ones to be
   * read again. Those over a limit are counted as ignored.
   */
  async function list(work: CrawlWork, links: FoundLink[]): Promise<void> {
    for (let start = 0; start < links.length; start += rowsAtOnce) {
      await db.write((tx) => listSome(tx, work, links.slice(start, start + rowsAtOnce)))
    }
  }

  /** Discovery is done: what is known from runs before is read again, too, and the fetching starts. */
  async function startFetching({ source, runId }: CrawlWork): Promise<void> {
    await db.write(async (tx) => {
      const before = and(eq(addresses.sourceId, source.id), or(isNull(addresses.runId), ne(addresses.runId, runId)))
      await tx.update(addresses).set({ status: 'pending', runId, nextFetchAt: null, failures: 0 }).where(before)
      await tx.update(sources).set({ status: 'crawling' }).where(eq(sources.id, source.id))
    })
  }

  /** After a crash: what was under way is to be read again. */
  async function release({ source }: CrawlWork): Promise<void> {
    const underWay = and(eq(addresses.sourceId, source.id), eq(addresses.status, 'crawling'))
    await db.write((tx) => tx.update(addresses).set({ status: 'pending' }).where(underWay))
  }

  /** Takes the next addresses of the run, in the order in which they were found. */
  async function claim({ source, runId }: CrawlWork, many: number): Promise<ClaimedAddress[]> {
    const now = new Date()
    return db.writeOne((tx) => {
      const next = tx
        .select({ id: addresses.id })
        .from(addresses)
        .where(
          and(
            eq(addresses.sourceId, source.id),
            eq(addresses.status, 'pending'),
            eq(addresses.runId, runId),
            or(isNull(addresses.nextFetchAt), lte(addresses.nextFetchAt, now)),
          ),
        )
        .orderBy(asc(addresses.depth), asc(addresses.createdAt), asc(addresses.id))
        .limit(many)
      return tx.update(addresses).set({ status: 'crawling' }).where(inArray(addresses.id, next)).returning()
    })
  }

  /** When the next waiting address is due; null when none waits. */
  async function nextDue({ source, runId }: CrawlWork): Promise<Date | null> {
    const [row] = await db.read
      .select({ at: addresses.nextFetchAt })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), eq(addresses.runId, runId), eq(addresses.status, 'pending')))
      .orderBy(sql`${addresses.nextFetchAt} asc nulls first`)
      .limit(1)
    return row ? (row.at ?? new Date(0)) : null
  }

  // In each of the next three the links come first: an address that is done is not read again, so after a crash in
  // between nobody would find them.

  /** A page was read: its fragments and words are found from now on; its links are listed. */
  async function storePage(
    work: CrawlWork,
    address: ClaimedAddress,
    page: ReadPage,
    links: FoundLink[],
  ): Promise<void> {
    await list(work, await withoutTrap(db.read, address, page.textHash, links))
    const now = new Date()
    await db.write(async (tx) => {
      if (!(await stillClaimed(tx, address))) return
      const added = await replaceFragments(tx, indexes, address, page.fragments)
      const changed = address.textHash !== page.textHash
      await tx
        .update(addresses)
        .set({
          status: 'idle',
          reason: null,
          message: null,
          httpStatus: page.httpStatus,
          contentType: page.contentType.slice(0, 200),
          bytes: page.bytes,
          etag: page.etag,
          lastModified: page.lastModified,
          language: page.language,
          metaTitle: page.title,
          metaDescription: page.description,
          textHash: page.textHash,
          fragments: page.fragments.length,
          failures: 0,
          nextFetchAt: null,
          crawledAt: now,
          updatedAt: changed ? now : address.updatedAt,
        })
        .where(eq(addresses.id, address.id))
      await addCounts(tx, work, {
        checked: 1,
        fetched: 1,
        new: address.crawledAt === null ? 1 : 0,
        changed: address.crawledAt !== null && changed ? 1 : 0,
        unchanged: address.crawledAt !== null && !changed ? 1 : 0,
        bytes: page.bytes,
        fragments: added,
      })
      if (added > 0) {
        const { collectionId } = address
        await enqueue(tx, {
          kind: 'embed-fragments',
          payload: { collectionId },
          onlyOnce: `embed-fragments:${collectionId}`,
        })
      }
    })
  }

  /** The server says that nothing changed since. */
  async function storeUnchanged(work: CrawlWork, address: ClaimedAddress): Promise<void> {
    await settle(
      work,
      address,
      { status: 'idle', reason: null, message: null, httpStatus: 304, failures: 0, crawledAt: new Date() },
      { unchanged: 1 },
    )
  }

  /** The address does not lead to a page that we keep. What it had before leaves with `withdraw`. */
  async function storeRefusal(
    work: CrawlWork,
    address: ClaimedAddress,
    refusal: { reason: ReasonCode; message: string; httpStatus: number | null; withdraw: boolean },
    links: FoundLink[] = [],
  ): Promise<void> {
    await list(work, links)
    await db.write(async (tx) => {
      if (!(await stillClaimed(tx, address))) return
      if (refusal.withdraw) await replaceFragments(tx, indexes, address, [])
      await tx
        .update(addresses)
        .set({
          status: 'fail',
          reason: refusal.reason,
          message: refusal.message,
          httpStatus: refusal.httpStatus,
          failures: address.failures + 1,
          nextFetchAt: null,
          updatedAt: new Date(),
          ...(refusal.withdraw ? { fragments: 0, textHash: null, etag: null, lastModified: null } : {}),
        })
        .where(eq(addresses.id, address.id))
      const withdrawn = refusal.withdraw && address.fragments > 0
      await addCounts(tx, work, { checked: 1, failed: withdrawn ? 0 : 1, withdrawn: withdrawn ? 1 : 0 })
    })
  }

  /** The address leads to another one of the site, which is read in its place. */
  async function storeRedirect(work: CrawlWork, address: ClaimedAddress, to: FoundLink[]): Promise<void> {
    await list(work, to)
    await db.write(async (tx) => {
      if (!(await stillClaimed(tx, address))) return
      await replaceFragments(tx, indexes, address, [])
      const moved = {
        reason: 'redirected',
        message: reasonText('redirected'),
        fragments: 0,
        textHash: null,
        etag: null,
        lastModified: null,
        failures: 0,
      }
      await tx
        .update(addresses)
        .set({ status: 'idle', ...moved, crawledAt: new Date() })
        .where(eq(addresses.id, address.id))
      await addCounts(tx, work, { checked: 1 })
    })
  }

  /** Tried again in this run, after `afterMs`. What was stored before stays. */
  async function storeRetry(address: ClaimedAddress, afterMs: number): Promise<void> {
    const again = {
      status: 'pending' as const,
      failures: address.failures + 1,
      nextFetchAt: new Date(Date.now() + afterMs),
    }
    await db.write((tx) => tx.update(addresses).set(again).where(eq(addresses.id, address.id)))
  }

  /** Ends the run. Addresses that were not reached keep what they have. */
  async function finish(
    work: CrawlWork,
    outcome: { status: SourceStatus; reason: ReasonCode | null; message: string | null },
  ): Promise<void> {
    await db.write(async (tx) => {
      const open = and(eq(addresses.sourceId, work.source.id), inArray(addresses.status, ['pending', 'crawling']))
      await tx
        .update(addresses)
        .set({ status: 'idle', nextFetchAt: null })
        .where(and(open, sql`${addresses.crawledAt} is not null`))
      await tx.update(addresses).set({ status: 'new', nextFetchAt: null }).where(open)
      await tx.update(runs).set({ finishedAt: new Date() }).where(eq(runs.id, work.runId))
      await tx
        .update(sources)
        .set({ ...outcome, refreshedAt: new Date() })
        .where(eq(sources.id, work.source.id))
    })
  }

  /** How the run stands: pages that are in (a redirect is none), the first failure, whether the URL limit was met. */
  async function tally({ source, runId }: CrawlWork): Promise<{
    kept: number
    ignored: number
    firstFailure: { reason: ReasonCode; message: string } | null
  }> {
    const pages = and(eq(addresses.sourceId, source.id), eq(addresses.status, 'idle'), isNull(addresses.reason))
    const kept = await db.read.$count(addresses, pages)
    const [run] = await db.read.select({ ignored: runs.ignored }).from(runs).where(eq(runs.id, runId))
    const [failure] = await db.read
      .select({ reason: addresses.reason, message: addresses.message })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), eq(addresses.status, 'fail')))
      .orderBy(asc(addresses.depth), asc(addresses.createdAt))
      .limit(1)
    const firstFailure =
      failure?.reason && failure.message ? { reason: failure.reason as ReasonCode, message: failure.message } : null
    return { kept, ignored: run?.ignored ?? 0, firstFailure }
  }

  async function settle(
    work: CrawlWork,
    address: ClaimedAddress,
    set: Partial<ClaimedAddress>,
    counts: RunCounts,
  ): Promise<void> {
    await db.write(async (tx) => {
      if (!(await stillClaimed(tx, address))) return
      await tx.update(addresses).set(set).where(eq(addresses.id, address.id))
      await addCounts(tx, work, { checked: 1, ...counts })
    })
  }

  async function listSome(tx: Transaction, { source, runId }: CrawlWork, links: FoundLink[]): Promise<void> {
    const known = await tx
      .select({ url: addresses.url })
      .from(addresses)
      .where(
        and(
          eq(addresses.sourceId, source.id),
          inArray(
            addresses.url,
            links.map((link) => link.url),
          ),
        ),
      )
    const knownUrls = new Set(known.map((row) => row.url))
    const fresh = [
      ...new Map(links.filter((link) => !knownUrls.has(link.url)).map((link) => [link.url, link])).values(),
    ]
    if (fresh.length === 0) return
    const { urls } = await organizations.planOf(tx, source.organizationId)
    const ofPlan = urls === 0 ? fresh.length : urls - (await countUrls(tx, source.organizationId))
    const ofRun = crawlLimits.pagesPerRun - (await tx.$count(addresses, eq(addresses.sourceId, source.id)))
    const room = Math.max(0, Math.min(ofPlan, ofRun))
    const { organizationId, collectionId, id: sourceId } = source
    const rows = fresh
      .slice(0, room)
      .map((link) => ({ organizationId, collectionId, sourceId, runId, status: 'pending' as const, ...link }))
    if (rows.length > 0) await tx.insert(addresses).values(rows).onConflictDoNothing()
    if (fresh.length > room) await addCounts(tx, { runId }, { ignored: fresh.length - room })
  }

  return {
    resume,
    isOver,
    list,
    startFetching,
    release,
    claim,
    nextDue,
    storePage,
    storeUnchanged,
    storeRefusal,
    storeRedirect,
    storeRetry,
    finish,
    tally,
  }
}

/** Another worker may have taken the address after a lease ran out, or its source may be on its way out. */
async function stillClaimed(tx: Transaction, address: ClaimedAddress): Promise<boolean> {
  const claimed = and(
    eq(addresses.id, address.id),
    eq(addresses.status, 'crawling'),
    eq(addresses.runId, address.runId ?? ''),
    isNull(sources.deletedAt),
  )
  const rows = await tx
    .select({ id: addresses.id })
    .from(addresses)
    .innerJoin(sources, eq(sources.id, addresses.sourceId))
    .where(claimed)
  return rows.length > 0
}
