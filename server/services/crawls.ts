import { and, eq, isNull, type SQL } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../contract/reasons'
import type { Database, Transaction } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { collections, runs, sources } from '../../db/schema/collections'
import type { Fragment, SiteAccess } from '../engine/ports'
import type { Sealer } from '../sealing'
import { isTrap } from './crawl-traps'
import { giveBackCrawls } from './crawl-usage'
import { type Indexes, replaceFragments } from './fragments'
import type { ClaimedAddress, CrawlWork, FoundAddress, Frontier } from './frontier'
import { enqueue, othersWait } from './jobs'
import { addCounts } from './run-counts'
import { accessOf } from './source-settings'
import { moveAddresses, moveSource } from './states'
import { readTwins, twinOf } from './twins'

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
  /** Told although the page is in: where its text was found. */
  note: ReasonCode | null
  unavailableAfter: Date | null
  fragments: Fragment[]
}

/** Another address is read in place of one, or only its links are wanted. */
export interface Elsewhere {
  reason: 'redirected' | 'canonical' | 'feed' | 'excluded'
  address: string | null
  httpStatus: number
}

export interface Refusal {
  reason: ReasonCode
  message: string
  httpStatus: number | null
  withdraw: boolean
  /** Looks in a row that found no page. */
  missing?: number
  /** The site was not asked. */
  unasked?: boolean
}

/** Addresses that name one another as their proper one. */
const longestChain = 5

/** What stands between a run and its next address. */
export type Standing = 'going' | 'paused' | 'cancelled' | 'gone'

/**
 * The stored side of a crawl. Every step is one transaction that leaves the run where a restart can go on:
 * an address is done in a run when its row says so.
 */
export function createCrawls({
  db,
  indexes,
  frontier,
  sealer,
}: {
  db: Database
  indexes: Indexes
  frontier: Frontier
  sealer: Sealer
}) {
  /** The run to go on with, or null when it is over: finished, held, or its source deleted. */
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
    if (!found) return null
    const { source, run } = found
    return { runId, kind: run.kind, discovered: run.discoveredAt !== null, source }
  }

  async function standing({ source, runId }: CrawlWork): Promise<Standing> {
    const [found] = await db.read
      .select({
        cancelledAt: runs.cancelledAt,
        pausedAt: sources.pausedAt,
        deletedAt: sources.deletedAt,
        collectionDeletedAt: collections.deletedAt,
      })
      .from(runs)
      .innerJoin(sources, eq(sources.id, runs.sourceId))
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .where(and(eq(runs.id, runId), eq(sources.id, source.id)))
    if (!found || found.deletedAt || found.collectionDeletedAt) return 'gone'
    if (found.cancelledAt) return 'cancelled'
    return found.pausedAt ? 'paused' : 'going'
  }

  /** What opens the source's site; see `source-settings.ts`. */
  function access({ source }: CrawlWork): SiteAccess | null {
    return accessOf(source, sealer)
  }

  /** Discovery is done, and the fetching starts; a run that only looks for addresses ends with `finish`. */
  async function discovered(work: CrawlWork, problem: { reason: ReasonCode; message: string } | null): Promise<void> {
    if (work.kind === 'full') await frontier.startFetching(work)
    await db.write(async (tx) => {
      await tx
        .update(runs)
        .set({ discoveredAt: new Date(), ...problem })
        .where(eq(runs.id, work.runId))
      if (work.kind === 'full') await moveSource(tx, work.source.id, 'found')
    })
  }

  // In each of the next ones the links come first: an address that is done is not read again, so after a crash in
  // between nobody would find them.

  /** A page was read: its fragments and words are found from now on; its links are listed. */
  async function storePage(
    work: CrawlWork,
    address: ClaimedAddress,
    page: ReadPage,
    links: FoundAddress[],
  ): Promise<void> {
    const leadsOn = !(await isTrap(db.read, address.sourceId, page.textHash))
    await frontier.list(work, leadsOn ? links : [])
    const now = new Date()
    await db.write(async (tx) => {
      if (!(await stillClaimed(tx, address))) return
      // Whoever names one address wants that one.
      const twin = work.source.type === 'url' ? null : await twinOf(tx, address, page.textHash)
      const added = await replaceFragments(tx, indexes, address, twin ? [] : page.fragments)
      const changed = address.textHash !== page.textHash
      if (changed && address.fragments > 0) await readTwins(tx, address, work.runId)
      const reason = twin ? 'duplicate' : page.note
      await moveAddresses(tx, eq(addresses.id, address.id), twin ? 'elsewhere' : 'read', {
        reason,
        message: reason && withAddress(reason, twin),
        canonicalOf: twin,
        httpStatus: page.httpStatus,
        contentType: page.contentType.slice(0, 200),
        bytes: page.bytes,
        etag: page.etag,
        lastModified: page.lastModified,
        language: page.language,
        metaTitle: page.title,
        metaDescription: page.description,
        textHash: page.textHash,
        unavailableAfter: page.unavailableAfter,
        fragments: twin ? 0 : page.fragments.length,
        failures: 0,
        missing: 0,
        nextFetchAt: null,
        crawledAt: now,
        fetchedAt: now,
        changedAt: changed ? now : address.changedAt,
        updatedAt: now,
      })
      const isNew = address.crawledAt === null
      await addCounts(tx, work, {
        checked: 1,
        fetched: 1,
        new: isNew && !twin ? 1 : 0,
        changed: !isNew && changed ? 1 : 0,
        unchanged: !isNew && !changed ? 1 : 0,
        bytes: page.bytes,
        fragments: added,
      })
      if (added > 0) await wantVectors(tx, address)
    })
  }

  async function wantVectors(tx: Transaction, { collectionId, organizationId }: ClaimedAddress): Promise<void> {
    await enqueue(tx, {
      kind: 'embed-fragments',
      payload: { collectionId },
      organizationId,
      onlyOnce: `embed-fragments:${collectionId}`,
    })
  }

  /** The server says that nothing changed since. */
  async function storeUnchanged(work: CrawlWork, address: ClaimedAddress): Promise<void> {
    await db.write(async (tx) => {
      if (!(await stillClaimed(tx, address))) return
      if (address.reason === 'duplicate' && !(await twinOf(tx, address, address.textHash ?? ''))) {
        // The page that it gave way to has gone meanwhile.
        await moveAddresses(tx, eq(addresses.id, address.id), 'released', { etag: null, lastModified: null })
        return
      }
      const same = { httpStatus: 304, failures: 0, missing: 0, nextFetchAt: null, crawledAt: new Date() }
      const isNoted = address.reason === 'read-from-data' || address.reason === 'duplicate'
      const hadNote = isNoted ? {} : { reason: null, message: null }
      await moveAddresses(tx, eq(addresses.id, address.id), 'unchanged', { ...same, ...hadNote })
      await addCounts(tx, work, { checked: 1, unchanged: 1 })
    })
  }

  /** The address does not lead to a page that we keep. What it had before leaves with `withdraw`. */
  async function storeRefusal(
    work: CrawlWork,
    address: ClaimedAddress,
    refusal: Refusal,
    links: FoundAddress[] = [],
  ): Promise<void> {
    await frontier.list(work, links)
    await db.write(async (tx) => {
      if (!(await stillClaimed(tx, address))) return
      if (refusal.withdraw) {
        await replaceFragments(tx, indexes, address, [])
        await readTwins(tx, address, work.runId)
      }
      if (refusal.unasked) await giveBackCrawls(tx, address.organizationId, 1)
      const { reason, message, httpStatus } = refusal
      const forgotten = { fragments: 0, textHash: null, etag: null, lastModified: null, canonicalOf: null }
      await moveAddresses(tx, eq(addresses.id, address.id), 'refused', {
        reason,
        message,
        httpStatus,
        failures: address.failures + 1,
        missing: refusal.missing ?? 0,
        nextFetchAt: null,
        updatedAt: new Date(),
        ...(refusal.withdraw ? forgotten : {}),
      })
      const withdrawn = refusal.withdraw && address.fragments > 0
      await addCounts(tx, work, { checked: 1, failed: withdrawn ? 0 : 1, withdrawn: withdrawn ? 1 : 0 })
      await readThoseBehind(tx, work, address.url)
    })
  }

  /** Pages that gave way to this address as their proper one are read themselves when it cannot be read. */
  async function readThoseBehind(
    tx: Transaction,
    { source, runId }: CrawlWork,
    url: string,
    which?: SQL,
  ): Promise<void> {
    const behind = and(
      which,
      eq(addresses.sourceId, source.id),
      eq(addresses.canonicalOf, url),
      eq(addresses.reason, 'canonical'),
    )
    await moveAddresses(tx, behind, 'due', { runId, nextFetchAt: null, failures: 0, etag: null, lastModified: null })
  }

  /** Whether a page may give way to the address that it names: not where that one leads nowhere, or back to it. */
  async function mayGiveWayTo({ source }: CrawlWork, page: string, named: string): Promise<boolean> {
    let next = named
    for (let hops = 0; hops < longestChain; hops++) {
      const [row] = await db.read
        .select({ status: addresses.status, canonicalOf: addresses.canonicalOf })
        .from(addresses)
        .where(and(eq(addresses.sourceId, source.id), eq(addresses.url, next)))
      if (!row || row.status === 'pending' || row.status === 'crawling') return true
      if (row.status === 'fail' || row.canonicalOf === page) return false
      if (row.canonicalOf === null) return true
      next = row.canonicalOf
    }
    return false
  }

  /** The address leads to another one of the site, which is read in its place, or is a list of such. */
  async function storeElsewhere(
    work: CrawlWork,
    address: ClaimedAddress,
    { reason, address: target, httpStatus }: Elsewhere,
    links: FoundAddress[],
  ): Promise<void> {
    await frontier.list(work, links)
    await db.write(async (tx) => {
      if (!(await stillClaimed(tx, address))) return
      await replaceFragments(tx, indexes, address, [])
      await readTwins(tx, address, work.runId)
      await moveAddresses(tx, eq(addresses.id, address.id), 'elsewhere', {
        reason,
        message: withAddress(reason, target),
        canonicalOf: target,
        httpStatus,
        fragments: 0,
        textHash: null,
        etag: null,
        lastModified: null,
        failures: 0,
        missing: 0,
        nextFetchAt: null,
        crawledAt: new Date(),
        updatedAt: new Date(),
      })
      const withdrawn = address.fragments > 0 ? 1 : 0
      await addCounts(tx, work, { checked: 1, withdrawn })
      // A page that named this address as its proper one, and to which it leads back, is read itself.
      if (target) await readThoseBehind(tx, work, address.url, eq(addresses.url, target))
    })
  }

  /** Tried again in this run, after `afterMs`. What was stored before stays. */
  async function storeRetry(
    address: ClaimedAddress,
    { reason, message, httpStatus }: { reason: ReasonCode; message: string; httpStatus: number | null },
    afterMs: number,
  ): Promise<void> {
    const again = { failures: address.failures + 1, nextFetchAt: new Date(Date.now() + afterMs) }
    await db.write((tx) =>
      moveAddresses(tx, eq(addresses.id, address.id), 'postponed', { ...again, reason, message, httpStatus }),
    )
  }

  /** Its site wants to be left alone for a while, and was not asked: its turn comes later, and it has not failed. */
  async function putBack(address: ClaimedAddress, afterMs: number): Promise<void> {
    await db.write(async (tx) => {
      await moveAddresses(tx, eq(addresses.id, address.id), 'postponed', {
        nextFetchAt: new Date(Date.now() + afterMs),
      })
      await giveBackCrawls(tx, address.organizationId, 1)
    })
  }

  /** Whether another source's run waits for a place. */
  function isAwaited(): Promise<boolean> {
    return othersWait(db.read, 'crawl-source')
  }

  return {
    resume,
    standing,
    access,
    discovered,
    storePage,
    storeUnchanged,
    storeRefusal,
    storeElsewhere,
    storeRetry,
    putBack,
    mayGiveWayTo,
    isAwaited,
    // What the job asks of the list itself.
    list: frontier.list,
    release: frontier.release,
    claim: frontier.claim,
    nextDue: frontier.nextDue,
  }
}

/** Another worker may have taken the address after a lease ran out, or its source may be on its way out. */
async function stillClaimed(tx: Transaction, address: ClaimedAddress): Promise<boolean> {
  const claimed = and(
    eq(addresses.id, address.id),
    eq(addresses.status, 'crawling'),
    eq(addresses.runId, address.runId ?? ''),
    isNull(sources.deletedAt),
    isNull(collections.deletedAt),
  )
  const rows = await tx
    .select({ id: addresses.id })
    .from(addresses)
    .innerJoin(sources, eq(sources.id, addresses.sourceId))
    .innerJoin(collections, eq(collections.id, addresses.collectionId))
    .where(claimed)
  return rows.length > 0
}

function withAddress(reason: ReasonCode, address: string | null): string {
  return address === null ? reasonText(reason) : `${reasonText(reason)} ${address}`
}
