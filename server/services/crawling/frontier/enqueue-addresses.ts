import { and, eq, inArray } from 'drizzle-orm'
import { reasonText } from '../../../../contract/reasons'
import type { Queries, Transaction } from '../../../../db/database'
import { addresses, visits } from '../../../../db/schema/addresses'
import { createAdmission, pageLimit } from '../../../engine/crawl/urls/admission'
import { crawlLimits } from '../../../engine/limits'
import type { Organizations } from '../../organizations/organizations'
import type { AddressRow, DiscoveredAddress, RunContext } from '../../runs/run-context'
import { addCounts } from '../../runs/run-stats'
import { openVisits, type VisitRow } from '../../runs/visits'
import type { SourceRow } from '../../source-rows/source-settings'
import { countUrls, countUrlsOfSource } from '../../usage/urls'
import { isExcluded } from './exclusions'
import { shortestPaths, withOrderedIds } from './insert-addresses'

const storedColumns = {
  id: addresses.id,
  sourceId: addresses.sourceId,
  url: addresses.url,
  status: addresses.status,
  reason: addresses.reason,
  depth: addresses.depth,
  sitemapModified: addresses.sitemapModified,
  createdAt: addresses.createdAt,
}

/** An address that the source has, with its visit in the run. */
interface StoredAddress {
  address: Pick<AddressRow, keyof typeof storedColumns>
  visit: Pick<VisitRow, 'runId' | 'outcome'> | null
}
type StoredByUrl = Map<string, StoredAddress>

const insertBatchSize = 100
const lookupBatchSize = 500
/** How long a full source is not counted again. */
const fullSourceCacheMs = 1_000

/** Adds discovered addresses to a run, within the rules of the source and the limits of source and plan. */
export function createAddressQueue({ organizations }: { organizations: Organizations }) {
  /** Times, by source, until which it has no room, not even for excluded addresses. */
  const fullUntil = new Map<string, number>()

  /**
   * Enqueues new addresses, and known ones whose position changed. Up to `crawlLimits.excludedAddresses` of a source are
   * stored with the reason of their exclusion; further ones over the limit are counted as ignored.
   */
  async function enqueue(run: RunContext, discovered: DiscoveredAddress[]): Promise<void> {
    const admission = createAdmission(run.source)
    // Sitemaps alone name addresses that are to be counted.
    const relevant = isFull(run.source) ? discovered.filter(({ depth }) => depth === 0) : discovered
    const judged = (await selectChanged(run, relevant)).map((address) => ({
      ...address,
      exclusion: address.exclusion ?? admission.exclusionOf(address),
    }))
    for (let start = 0; start < judged.length; start += insertBatchSize) {
      const batch = judged.slice(start, start + insertBatchSize)
      await run.db.writeAlone(run.source.organizationId, (tx) => enqueueBatch(tx, run, batch))
    }
  }

  /** Counting thousands of addresses for each page of a full source would cost more than fetching the page. */
  function isFull({ id }: SourceRow): boolean {
    if ((fullUntil.get(id) ?? 0) > Date.now()) return true
    fullUntil.delete(id)
    return false
  }

  async function enqueueBatch(tx: Transaction, run: RunContext, discovered: DiscoveredAddress[]): Promise<void> {
    const { source } = run
    const stored = await findStored(tx, run, discovered)
    const unique = shortestPaths(discovered)
    await updateKnown(tx, source, unique, stored)

    const admitted = unique.filter(({ exclusion }) => !exclusion)
    const targets = admitted.filter((address) => isUnreadTarget(address, stored.get(address.url)))
    await openKnown(tx, run, targets, stored, { takesRoom: false })
    const reentering = admitted.filter(({ url }) => mayReenter(stored.get(url)))
    const fresh = unique.filter(({ url }) => !stored.has(url))
    const candidates = [...reentering, ...fresh.filter(({ exclusion }) => !exclusion)]
    if (candidates.length === 0 && fresh.length === 0) return
    const room = candidates.length === 0 ? 0 : await roomFor(tx, source, candidates.length)
    const within = candidates.slice(0, room)
    await openKnown(tx, run, within, stored, { takesRoom: true })
    await insertFresh(
      tx,
      run,
      within.filter(({ url }) => !stored.has(url)),
    )
    const overLimit = candidates.slice(room).filter(({ url }) => !stored.has(url))
    const roomForExcluded = await storeExcluded(tx, run, [
      ...fresh.filter(({ exclusion }) => exclusion),
      ...overLimit.map((address) => ({ ...address, exclusion: 'over-limit' as const })),
    ])
    const isFullNow = candidates.length > 0 && room === 0 && roomForExcluded === 0
    if (isFullNow) fullUntil.set(source.id, Date.now() + fullSourceCacheMs)
  }

  /** How many of `wanted` more addresses the limits of plan and source allow. */
  async function roomFor(tx: Transaction, source: SourceRow, wanted: number): Promise<number> {
    const { urls } = await organizations.planOf(tx, source.organizationId)
    const roomInPlan = urls === 0 ? wanted : urls - (await countUrls(tx, source.organizationId))
    const limit = pageLimit(source)
    // Counting all rows is faster, and they are at least as many as those that count.
    const rows = await tx.$count(addresses, eq(addresses.sourceId, source.id))
    if (rows + wanted <= limit) return Math.max(0, Math.min(roomInPlan, wanted))
    return Math.max(0, Math.min(roomInPlan, limit - (await countUrlsOfSource(tx, source.id))))
  }

  return { enqueue, roomFor }
}

/** Most links of a page are known and unchanged: they need no transaction. */
async function selectChanged(run: RunContext, discovered: DiscoveredAddress[]): Promise<DiscoveredAddress[]> {
  const changed: DiscoveredAddress[] = []
  for (let start = 0; start < discovered.length; start += lookupBatchSize) {
    const batch = discovered.slice(start, start + lookupBatchSize)
    const stored = await findStored(run.db.read, run, batch)
    for (const discoveredAddress of batch) {
      const known = stored.get(discoveredAddress.url)
      const mayEnter = mayReenter(known) || isUnreadTarget(discoveredAddress, known)
      if (!known || mayEnter || isModified(discoveredAddress, known) || isNearer(discoveredAddress, known)) {
        changed.push(discoveredAddress)
      }
    }
  }
  return changed
}

async function findStored(
  queries: Queries,
  { source, runId }: RunContext,
  discovered: DiscoveredAddress[],
): Promise<StoredByUrl> {
  const urls = discovered.map(({ url }) => url)
  const rows = await queries
    .select({ address: storedColumns, visit: { runId: visits.runId, outcome: visits.outcome } })
    .from(addresses)
    .leftJoin(visits, and(eq(visits.runId, runId), eq(visits.addressId, addresses.id)))
    .where(and(eq(addresses.sourceId, source.id), inArray(addresses.url, urls)))
  return new Map(rows.map((row) => [row.address.url, row]))
}

/**
 * Updates known addresses. With a maximum depth, a nearer one is fetched unconditionally, because its links come
 * nearer, too.
 */
async function updateKnown(
  tx: Transaction,
  source: SourceRow,
  discovered: DiscoveredAddress[],
  stored: StoredByUrl,
): Promise<void> {
  const validators = source.maxDepth === null ? {} : { etag: null, lastModified: null }
  for (const found of discovered) {
    const known = stored.get(found.url)
    if (!known) continue
    const { depth, discoveredFrom, lastModified } = found
    const nearer = isNearer(found, known)
    const set = {
      ...(isModified(found, known) ? { sitemapModified: lastModified } : {}),
      ...(nearer ? { depth, discoveredFrom, ...validators } : {}),
    }
    if (Object.keys(set).length > 0) await tx.update(addresses).set(set).where(eq(addresses.id, known.address.id))
    if (!nearer || !known.visit) continue
    const visit = and(eq(visits.runId, known.visit.runId), eq(visits.addressId, known.address.id))
    await tx.update(visits).set({ depth }).where(visit)
  }
}

/** Visits the known ones of the addresses. */
async function openKnown(
  tx: Transaction,
  run: RunContext,
  admitted: DiscoveredAddress[],
  stored: StoredByUrl,
  { takesRoom }: { takesRoom: boolean },
): Promise<void> {
  const known = admitted.flatMap((found) => {
    const address = stored.get(found.url)?.address
    return address && isVisited(run, found) ? { ...address, depth: Math.min(address.depth, found.depth) } : []
  })
  await openVisits(tx, run.runId, known, { takesRoom })
}

async function insertFresh(tx: Transaction, run: RunContext, fresh: DiscoveredAddress[]): Promise<void> {
  if (fresh.length === 0) return
  const { organizationId, collectionId, id: sourceId } = run.source
  const rows = fresh.map(({ url, depth, discoveredFrom, lastModified, language }) => ({
    ...{ organizationId, collectionId, sourceId, status: 'new' as const, url, depth, discoveredFrom },
    ...{ sitemapModified: lastModified ?? null, language: language ?? null },
  }))
  const inserted = await tx.insert(addresses).values(withOrderedIds(rows)).onConflictDoNothing().returning()
  const visited = new Set(fresh.filter((found) => isVisited(run, found)).map(({ url }) => url))
  await openVisits(
    tx,
    run.runId,
    inserted.filter(({ url }) => visited.has(url)),
  )
}

/** A run of single addresses follows only redirects and canonical URLs. */
function isVisited({ kind }: RunContext, { isTarget }: DiscoveredAddress): boolean {
  return kind === 'full' || (kind === 'address' && isTarget === true)
}

/**
 * Stores excluded addresses with their reason, and returns how many more may be stored; null without any. Of the
 * others, those over the limit are counted where each is discovered once: in a sitemap.
 */
async function storeExcluded(tx: Transaction, run: RunContext, excluded: DiscoveredAddress[]): Promise<number | null> {
  if (excluded.length === 0) return null
  const { organizationId, collectionId, id: sourceId } = run.source
  const stored = await tx.$count(addresses, and(eq(addresses.sourceId, sourceId), isExcluded()))
  const room = Math.max(0, crawlLimits.excludedAddresses - stored)
  const rows = excluded.slice(0, room).map(({ url, depth, discoveredFrom, exclusion }) => {
    const reason = exclusion ?? 'excluded'
    const status = reason === 'over-limit' ? ('limit' as const) : ('idle' as const)
    const place = { organizationId, collectionId, sourceId, url, depth, discoveredFrom }
    return { ...place, status, reason, message: reasonText(reason) }
  })
  if (rows.length > 0) await tx.insert(addresses).values(withOrderedIds(rows)).onConflictDoNothing()
  const ignored = excluded.slice(room).filter(({ exclusion, depth }) => exclusion === 'over-limit' && depth === 0)
  if (ignored.length > 0) await addCounts(tx, run, { ignored: ignored.length })
  return room - rows.length
}

/** Addresses that a limit of pages or of depth excluded may be admitted later. */
function mayReenter(stored: StoredAddress | undefined): boolean {
  if (!stored || isOpenVisit(stored)) return false
  return stored.address.status === 'limit' || stored.address.reason === 'over-depth'
}

/** A run that did not fetch it noted it; now another address leads to it. */
function isUnreadTarget({ isTarget }: DiscoveredAddress, stored: StoredAddress | undefined): boolean {
  return isTarget === true && stored?.address.status === 'new' && !isOpenVisit(stored)
}

function isOpenVisit({ visit }: StoredAddress): boolean {
  return visit !== null && visit.outcome === null
}

function isModified({ lastModified }: DiscoveredAddress, { address }: StoredAddress): boolean {
  return Boolean(lastModified) && address.sitemapModified !== lastModified
}

function isNearer({ depth }: DiscoveredAddress, { address }: StoredAddress): boolean {
  return depth < address.depth
}
