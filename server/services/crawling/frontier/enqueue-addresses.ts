import { and, eq, inArray } from 'drizzle-orm'
import { reasonText } from '../../../../contract/reasons'
import type { Database, Queries, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { createAdmission, pageLimit } from '../../../engine/crawl/urls/admission'
import { crawlLimits } from '../../../engine/limits'
import type { Organizations } from '../../organizations/organizations'
import type { AddressRow, DiscoveredAddress, RunContext } from '../../runs/run-context'
import { addCounts } from '../../runs/run-stats'
import { addressTransitions, transitionAddresses } from '../../runs/transitions'
import type { SourceRow } from '../../source-rows/source-settings'
import { countsTowardLimit, countUrls } from '../../usage/urls'
import { isExcluded } from './exclusions'
import { shortestPaths, withOrderedIds } from './insert-addresses'

type StoredAddress = Pick<AddressRow, 'url' | 'status' | 'reason' | 'depth' | 'sitemapModified'>
type StoredByUrl = Map<string, StoredAddress>

const insertBatchSize = 100
const lookupBatchSize = 500
/** How long a full source is not counted again. */
const fullSourceCacheMs = 1_000

/** Adds discovered addresses to a run, within the rules of the source and the limits of source and plan. */
export function createAddressQueue({ db, organizations }: { db: Database; organizations: Organizations }) {
  /** By source, until when it has no room, not even for excluded addresses. */
  const fullUntil = new Map<string, number>()

  /**
   * Enqueues new addresses, and known ones whose position changed. Up to `crawlLimits.excludedAddresses` of a source are
   * stored with the reason of their exclusion; further ones over the limit are counted as ignored.
   */
  async function enqueue(run: RunContext, discovered: DiscoveredAddress[]): Promise<void> {
    const admission = createAdmission(run.source)
    // Sitemaps alone name addresses that are to be counted.
    const relevant = isFull(run.source) ? discovered.filter(({ depth }) => depth === 0) : discovered
    const judged = (await selectChanged(run.source, relevant)).map((address) => ({
      ...address,
      exclusion: address.exclusion ?? admission.exclusionOf(address),
    }))
    for (let start = 0; start < judged.length; start += insertBatchSize) {
      await db.write((tx) => enqueueBatch(tx, run, judged.slice(start, start + insertBatchSize)))
    }
  }

  /** Counting thousands of addresses for each page of a full source would cost more than fetching the page. */
  function isFull({ id }: SourceRow): boolean {
    if ((fullUntil.get(id) ?? 0) > Date.now()) return true
    fullUntil.delete(id)
    return false
  }

  /** Most links of a page are known and unchanged: they need no transaction. */
  async function selectChanged(source: SourceRow, discovered: DiscoveredAddress[]): Promise<DiscoveredAddress[]> {
    const changed: DiscoveredAddress[] = []
    for (let start = 0; start < discovered.length; start += lookupBatchSize) {
      const batch = discovered.slice(start, start + lookupBatchSize)
      const stored = await findStored(db.read, source, batch)
      for (const address of batch) {
        const row = stored.get(address.url)
        const isModified = row && address.lastModified && row.sitemapModified !== address.lastModified
        const isNearer = row && address.depth < row.depth
        const mayEnter = row?.status === 'limit' || (row && isUnreadTarget(address, row))
        if (!row || mayEnter || isModified || isNearer) changed.push(address)
      }
    }
    return changed
  }

  async function findStored(
    queries: Queries,
    source: SourceRow,
    discovered: DiscoveredAddress[],
  ): Promise<StoredByUrl> {
    const { url, status, reason, depth, sitemapModified } = addresses
    const urls = discovered.map((address) => address.url)
    const rows = await queries
      .select({ url, status, reason, depth, sitemapModified })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), inArray(addresses.url, urls)))
    return new Map(rows.map((row) => [row.url, row]))
  }

  async function enqueueBatch(tx: Transaction, run: RunContext, discovered: DiscoveredAddress[]): Promise<void> {
    const { source } = run
    const stored = await findStored(tx, source, discovered)
    const unique = shortestPaths(discovered)
    await updateModified(tx, source, unique, stored)
    await updateDepth(tx, source, unique, stored)

    const fresh = unique.filter(({ url }) => !stored.has(url))
    const reentering = unique.filter(({ url, exclusion }) => !exclusion && mayReenter(stored.get(url)))
    const targets = unique.filter((address) => !address.exclusion && isUnreadTarget(address, stored.get(address.url)))
    await admit(tx, run, targets, stored)
    const candidates = [...reentering, ...fresh.filter(({ exclusion }) => !exclusion)]
    if (candidates.length === 0 && fresh.length === 0) return
    const room = candidates.length === 0 ? 0 : await roomFor(tx, source, candidates.length)
    await admit(tx, run, candidates.slice(0, room), stored)
    const overLimit = candidates.slice(room).filter(({ url }) => !stored.has(url))
    const roomForExcluded = await storeExcluded(tx, run, [
      ...fresh.filter(({ exclusion }) => exclusion),
      ...overLimit.map((address) => ({ ...address, exclusion: 'over-limit' as const })),
    ])
    const isFullNow = candidates.length > 0 && room === 0 && roomForExcluded === 0
    if (isFullNow) fullUntil.set(source.id, Date.now() + fullSourceCacheMs)
  }

  async function updateModified(
    tx: Transaction,
    source: SourceRow,
    discovered: DiscoveredAddress[],
    stored: StoredByUrl,
  ): Promise<void> {
    for (const { url, lastModified } of discovered) {
      const row = stored.get(url)
      if (!row || !lastModified || row.sitemapModified === lastModified) continue
      const address = and(eq(addresses.sourceId, source.id), eq(addresses.url, url))
      await tx.update(addresses).set({ sitemapModified: lastModified }).where(address)
    }
  }

  /** With a maximum depth, a nearer address is fetched unconditionally, because its links come nearer, too. */
  async function updateDepth(
    tx: Transaction,
    source: SourceRow,
    discovered: DiscoveredAddress[],
    stored: StoredByUrl,
  ): Promise<void> {
    const validators = source.maxDepth === null ? {} : { etag: null, lastModified: null }
    for (const { url, depth, discoveredFrom } of discovered) {
      const row = stored.get(url)
      if (!row || depth >= row.depth) continue
      const address = and(eq(addresses.sourceId, source.id), eq(addresses.url, url))
      await tx
        .update(addresses)
        .set({ depth, discoveredFrom, ...validators })
        .where(address)
    }
  }

  /** How many of `wanted` more addresses the limits of plan and source allow. */
  async function roomFor(tx: Transaction, source: SourceRow, wanted: number): Promise<number> {
    const { urls } = await organizations.planOf(tx, source.organizationId)
    const roomInPlan = urls === 0 ? wanted : urls - (await countUrls(tx, source.organizationId))
    const limit = pageLimit(source)
    // Counting all rows is faster, and they are at least as many as those that count.
    const rows = await tx.$count(addresses, eq(addresses.sourceId, source.id))
    if (rows + wanted <= limit) return Math.max(0, Math.min(roomInPlan, wanted))
    const counted = await tx.$count(addresses, and(eq(addresses.sourceId, source.id), countsTowardLimit()))
    return Math.max(0, Math.min(roomInPlan, limit - counted))
  }

  async function admit(
    tx: Transaction,
    { source, runId, kind }: RunContext,
    admitted: DiscoveredAddress[],
    stored: StoredByUrl,
  ): Promise<void> {
    const { organizationId, collectionId, id: sourceId } = source
    const isFetched = ({ isTarget }: DiscoveredAddress) => kind === 'full' || (kind === 'address' && isTarget === true)
    const rows = admitted
      .filter(({ url }) => !stored.has(url))
      .map((address) => ({
        organizationId,
        collectionId,
        sourceId,
        runId: isFetched(address) ? runId : null,
        status: addressTransitions[isFetched(address) ? 'enqueued' : 'noted'].to,
        url: address.url,
        depth: address.depth,
        discoveredFrom: address.discoveredFrom,
        sitemapModified: address.lastModified ?? null,
        language: address.language ?? null,
      }))
    if (rows.length > 0) await tx.insert(addresses).values(withOrderedIds(rows)).onConflictDoNothing()
    const known = admitted.filter((address) => stored.has(address.url) && isFetched(address)).map(({ url }) => url)
    if (known.length > 0) {
      const where = and(eq(addresses.sourceId, sourceId), inArray(addresses.url, known))
      const requeued = { runId, reason: null, message: null, nextFetchAt: null, attempts: 0 }
      await transitionAddresses(tx, where, 'requeued', requeued)
    }
  }

  /**
   * Stores excluded addresses with their reason, and returns how many more may be stored; null without any. Of the
   * others, those over the limit are counted where each is discovered once: in a sitemap.
   */
  async function storeExcluded(
    tx: Transaction,
    run: RunContext,
    excluded: DiscoveredAddress[],
  ): Promise<number | null> {
    if (excluded.length === 0) return null
    const { organizationId, collectionId, id: sourceId } = run.source
    const stored = await tx.$count(addresses, and(eq(addresses.sourceId, sourceId), isExcluded()))
    const room = Math.max(0, crawlLimits.excludedAddresses - stored)
    const rows = excluded.slice(0, room).map(({ url, depth, discoveredFrom, exclusion }) => {
      const reason = exclusion ?? 'excluded'
      const { to: status } = addressTransitions[reason === 'over-limit' ? 'found-over-limit' : 'found-excluded']
      const place = { organizationId, collectionId, sourceId, url, depth, discoveredFrom }
      return { ...place, status, reason, message: reasonText(reason) }
    })
    if (rows.length > 0) await tx.insert(addresses).values(withOrderedIds(rows)).onConflictDoNothing()
    const ignored = excluded.slice(room).filter(({ exclusion, depth }) => exclusion === 'over-limit' && depth === 0)
    if (ignored.length > 0) await addCounts(tx, run, { ignored: ignored.length })
    return room - rows.length
  }

  return { enqueue, roomFor }
}

/** Addresses that a limit of pages or of depth excluded may be admitted later. */
function mayReenter(row: StoredAddress | undefined): boolean {
  return row !== undefined && (row.status === 'limit' || row.reason === 'over-depth')
}

/** A run that did not fetch it noted it; now another address leads to it. */
function isUnreadTarget({ isTarget }: DiscoveredAddress, row: StoredAddress | undefined): boolean {
  return isTarget === true && row?.status === 'new'
}
