import { and, eq, inArray } from 'drizzle-orm'
import { reasonText } from '../../../../contract/reasons'
import type { Database, Queries, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { createPathPatterns } from '../../../engine/crawl/urls/url-patterns'
import { crawlLimits } from '../../../engine/limits'
import { countsTowardLimit, countUrls, type Organizations } from '../../organizations/organizations'
import type { SourceRow } from '../../sources/source-settings'
import type { AddressRow, DiscoveredAddress, RunContext } from '../runs/run-context'
import { addCounts } from '../runs/run-stats'
import { addressTransitions, transitionAddresses } from '../transitions'
import { exclusionOf, isExcluded, pageLimit } from './admission'
import { inOrder, nearestOfEach } from './insert-addresses'

type Stored = Pick<AddressRow, 'url' | 'status' | 'reason' | 'depth' | 'sitemapModified'>

const rowsAtOnce = 100
const urlsAtOnce = 500
/** How long a source that has no room is not counted again for the sake of links. */
const fullMs = 1_000

/** How found addresses come onto the list of a run, and which do not. */
export function createAddressQueue({ db, organizations }: { db: Database; organizations: Organizations }) {
  /** Until when a source has room for no address, not even for one that is only shown. */
  const fullUntil = new Map<string, number>()

  /**
   * Puts addresses on the list of this run: new ones within the source's patterns and the limits of the plan, the source
   * and a run. Those over a limit are counted as ignored; a thousand of those that are not in are kept, to be shown.
   */
  async function list(work: RunContext, found: DiscoveredAddress[]): Promise<void> {
    const patterns = createPathPatterns(work.source)
    const fresh = await notListed(work, isFull(work) ? found.filter(({ depth }) => depth === 0) : found)
    const judged = fresh.map((address) => ({
      ...address,
      exclusion: address.exclusion ?? exclusionOf(work, patterns, address),
    }))
    for (let start = 0; start < judged.length; start += rowsAtOnce) {
      await db.write((tx) => listSome(tx, work, judged.slice(start, start + rowsAtOnce)))
    }
  }

  /** Counting thousands of addresses for each page, only to find the source full, would cost more than reading it. */
  function isFull({ source }: RunContext): boolean {
    if ((fullUntil.get(source.id) ?? 0) > Date.now()) return true
    fullUntil.delete(source.id)
    return false
  }

  /** Most links of a page are known: they cost no transaction. */
  async function notListed({ source }: RunContext, found: DiscoveredAddress[]): Promise<DiscoveredAddress[]> {
    const news: DiscoveredAddress[] = []
    for (let start = 0; start < found.length; start += urlsAtOnce) {
      const some = found.slice(start, start + urlsAtOnce)
      const stored = await known(db.read, source, some)
      for (const address of some) {
        const row = stored.get(address.url)
        const isModified = row && address.lastModified && row.sitemapModified !== address.lastModified
        const isNearer = row && address.depth < row.depth
        const isNext = row?.status === 'limit' || (row && isNamed(address, row))
        if (!row || isNext || isModified || isNearer) news.push(address)
      }
    }
    return news
  }

  async function known(queries: Queries, source: SourceRow, found: DiscoveredAddress[]) {
    const { url, status, reason, depth, sitemapModified } = addresses
    const urls = found.map((address) => address.url)
    const rows = await queries
      .select({ url, status, reason, depth, sitemapModified })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), inArray(addresses.url, urls)))
    return new Map(rows.map((row) => [row.url, row]))
  }

  async function listSome(tx: Transaction, work: RunContext, found: DiscoveredAddress[]): Promise<void> {
    const { source } = work
    const stored = await known(tx, source, found)
    const unique = nearestOfEach(found)
    await noteModified(tx, source, unique, stored)
    await bringNearer(tx, source, unique, stored)

    const fresh = unique.filter(({ url }) => !stored.has(url))
    const waiting = unique.filter(({ url, exclusion }) => !exclusion && waits(stored.get(url)))
    const named = unique.filter((address) => !address.exclusion && isNamed(address, stored.get(address.url)))
    await admit(tx, work, named, stored)
    const inside = [...waiting, ...fresh.filter(({ exclusion }) => !exclusion)]
    if (inside.length === 0 && fresh.length === 0) return
    const room = inside.length === 0 ? 0 : await roomFor(tx, source, inside.length)
    const admitted = inside.slice(0, room)
    const over = inside.slice(room)
    await admit(tx, work, admitted, stored)
    const freshOver = over.filter(({ url }) => !stored.has(url))
    const roomToShow = await showOutside(tx, work, [
      ...fresh.filter(({ exclusion }) => exclusion),
      ...freshOver.map((address) => ({ ...address, exclusion: 'over-limit' as const })),
    ])
    if (inside.length > 0 && room === 0 && roomToShow === 0) fullUntil.set(source.id, Date.now() + fullMs)
  }

  async function noteModified(
    tx: Transaction,
    source: SourceRow,
    found: DiscoveredAddress[],
    stored: Map<string, Stored>,
  ): Promise<void> {
    for (const { url, lastModified } of found) {
      const row = stored.get(url)
      if (!row || !lastModified || row.sitemapModified === lastModified) continue
      const this_ = and(eq(addresses.sourceId, source.id), eq(addresses.url, url))
      await tx.update(addresses).set({ sitemapModified: lastModified }).where(this_)
    }
  }

  /** Where the depth is limited, an address that came nearer is read in full, for what it links to comes nearer, too. */
  async function bringNearer(
    tx: Transaction,
    source: SourceRow,
    found: DiscoveredAddress[],
    stored: Map<string, Stored>,
  ): Promise<void> {
    const unseen = source.maxDepth === null ? {} : { etag: null, lastModified: null }
    for (const { url, depth, discoveredFrom } of found) {
      const row = stored.get(url)
      if (!row || depth >= row.depth) continue
      const this_ = and(eq(addresses.sourceId, source.id), eq(addresses.url, url))
      await tx
        .update(addresses)
        .set({ depth, discoveredFrom, ...unseen })
        .where(this_)
    }
  }

  /** How many more addresses may be in. */
  async function roomFor(tx: Transaction, source: SourceRow, wanted: number): Promise<number> {
    const { urls } = await organizations.planOf(tx, source.organizationId)
    const ofPlan = urls === 0 ? wanted : urls - (await countUrls(tx, source.organizationId))
    const most = pageLimit(source)
    // All rows are more than those that count, and are counted faster.
    const rows = await tx.$count(addresses, eq(addresses.sourceId, source.id))
    if (rows + wanted <= most) return Math.max(0, Math.min(ofPlan, wanted))
    const ofSource = most - (await tx.$count(addresses, and(eq(addresses.sourceId, source.id), countsTowardLimit())))
    return Math.max(0, Math.min(ofPlan, ofSource))
  }

  async function admit(
    tx: Transaction,
    { source, runId, kind }: RunContext,
    admitted: DiscoveredAddress[],
    stored: Map<string, unknown>,
  ): Promise<void> {
    const { organizationId, collectionId, id: sourceId } = source
    const isRead = ({ isTarget }: DiscoveredAddress) => kind === 'full' || (kind === 'address' && isTarget === true)
    const rows = admitted
      .filter(({ url }) => !stored.has(url))
      .map((address) => ({
        organizationId,
        collectionId,
        sourceId,
        runId: isRead(address) ? runId : null,
        status: addressTransitions[isRead(address) ? 'listed' : 'noted'].to,
        url: address.url,
        depth: address.depth,
        discoveredFrom: address.discoveredFrom,
        sitemapModified: address.lastModified ?? null,
        language: address.language ?? null,
      }))
    if (rows.length > 0) await tx.insert(addresses).values(inOrder(rows)).onConflictDoNothing()
    const waiting = admitted.filter((address) => stored.has(address.url) && isRead(address)).map(({ url }) => url)
    if (waiting.length > 0) {
      const these = and(eq(addresses.sourceId, sourceId), inArray(addresses.url, waiting))
      await transitionAddresses(tx, these, 'due', {
        runId,
        reason: null,
        message: null,
        nextFetchAt: null,
        attempts: 0,
      })
    }
  }

  /**
   * Keeps as many as are shown, and answers how many more may be. Of the others those over the limit are counted, where
   * each is met once: in a sitemap.
   */
  async function showOutside(tx: Transaction, work: RunContext, outside: DiscoveredAddress[]): Promise<number | null> {
    if (outside.length === 0) return null
    const { source } = work
    const shown = await tx.$count(addresses, and(eq(addresses.sourceId, source.id), isExcluded()))
    const room = Math.max(0, crawlLimits.excludedAddresses - shown)
    const { organizationId, collectionId, id: sourceId } = source
    const rows = outside.slice(0, room).map((address) => {
      const reason = address.exclusion ?? 'excluded'
      const { to } = addressTransitions[reason === 'over-limit' ? 'over' : 'outside']
      const { url, depth, discoveredFrom } = address
      const place = { organizationId, collectionId, sourceId, url, depth, discoveredFrom }
      return { ...place, status: to, reason, message: reasonText(reason) }
    })
    if (rows.length > 0) await tx.insert(addresses).values(inOrder(rows)).onConflictDoNothing()
    const uncounted = outside.slice(room).filter((address) => address.exclusion === 'over-limit' && address.depth === 0)
    if (uncounted.length > 0) await addCounts(tx, work, { ignored: uncounted.length })
    return room - rows.length
  }

  return { list, roomFor }
}

/** It comes in as soon as there is room, or a way to it that is short enough. */
function waits(row: Stored | undefined): boolean {
  return row !== undefined && (row.status === 'limit' || row.reason === 'over-depth')
}

/** It was noted by a run that did not read it, and is read now in place of another. */
function isNamed({ isTarget: inPlace }: DiscoveredAddress, row: Stored | undefined): boolean {
  return inPlace === true && row?.status === 'new'
}
