import { setImmediate as breathe } from 'node:timers/promises'
import { and, asc, count, eq, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../contract/reasons'
import type { Database, Queries, Transaction } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { createPatterns } from '../engine/crawl/patterns'
import { isSameSite, refusalOfShape } from '../engine/crawl/urls'
import { crawlLimits } from '../engine/limits'
import { countCrawls, crawlsLeft, giveBackCrawls } from './crawl-usage'
import { type Indexes, replaceFragments } from './fragments'
import { countUrls, isInside, type Organizations } from './organizations'
import { addCounts } from './run-counts'
import type { RunRow } from './runs'
import type { SourceRow } from './source-settings'
import { addressTransitions, moveAddresses } from './states'
import { readTwins } from './twins'

export type ClaimedAddress = typeof addresses.$inferSelect

/** A run of a source, as its job sees it. */
export interface CrawlWork {
  runId: string
  kind: RunRow['kind']
  /** Whether its addresses are found, and it only has to read on. */
  discovered: boolean
  source: SourceRow
}

export interface FoundAddress {
  url: string
  depth: number
  foundOn: string
  /** What its sitemap says, as it stands there. */
  lastModified?: string | null
  /** A link that is known not to be followed is shown with its reason. */
  outside?: ReasonCode
}

/** Of addresses that are shown for their reason only. */
const outsideReasons = ['excluded', 'over-depth', 'too-deep', 'trap', 'other-host']
const rowsAtOnce = 100
const urlsAtOnce = 500

/** The list of a run: what it reads is what the table says, so a restart goes on where the last process ended. */
export function createFrontier({
  db,
  indexes,
  organizations,
}: {
  db: Database
  indexes: Indexes
  organizations: Organizations
}) {
  /**
   * Puts addresses on the list of this run: new ones within the source's patterns and the limits of the plan, the source
   * and a run. Those over a limit are counted as ignored; a thousand of those that are not in are kept, to be shown.
   */
  async function list(work: CrawlWork, found: FoundAddress[]): Promise<void> {
    const patterns = createPatterns(work.source)
    const fresh = await notListed(work, found)
    const judged = fresh.map((address) => ({
      ...address,
      outside: address.outside ?? refusalOf(work, patterns, address),
    }))
    for (let start = 0; start < judged.length; start += rowsAtOnce) {
      await db.write((tx) => listSome(tx, work, judged.slice(start, start + rowsAtOnce)))
    }
  }

  /** Most links of a page are known: they cost no transaction. */
  async function notListed({ source }: CrawlWork, found: FoundAddress[]): Promise<FoundAddress[]> {
    const news: FoundAddress[] = []
    for (let start = 0; start < found.length; start += urlsAtOnce) {
      const some = found.slice(start, start + urlsAtOnce)
      const stored = await known(db.read, source, some)
      for (const address of some) {
        const row = stored.get(address.url)
        const isModified = row && address.lastModified && row.sitemapModified !== address.lastModified
        if (!row || row.status === 'limit' || isModified) news.push(address)
      }
    }
    return news
  }

  async function known(queries: Queries, source: SourceRow, found: FoundAddress[]) {
    const urls = found.map((address) => address.url)
    const rows = await queries
      .select({ url: addresses.url, status: addresses.status, sitemapModified: addresses.sitemapModified })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), inArray(addresses.url, urls)))
    return new Map(rows.map((row) => [row.url, row]))
  }

  async function listSome(tx: Transaction, work: CrawlWork, found: FoundAddress[]): Promise<void> {
    const { source } = work
    const stored = await known(tx, source, found)
    const unique = [...new Map(found.map((address) => [address.url, address])).values()]
    await noteModified(tx, source, unique, stored)

    const fresh = unique.filter(({ url }) => !stored.has(url))
    const waiting = unique.filter(({ url, outside }) => stored.get(url)?.status === 'limit' && !outside)
    const inside = [...waiting, ...fresh.filter(({ outside }) => !outside)]
    if (inside.length === 0 && fresh.length === 0) return
    const room = inside.length === 0 ? 0 : await roomFor(tx, source, inside.length)
    const admitted = inside.slice(0, room)
    const over = inside.slice(room)
    await admit(tx, work, admitted, stored)
    const freshOver = over.filter(({ url }) => !stored.has(url))
    await showOutside(tx, work, [
      ...fresh.filter(({ outside }) => outside),
      ...freshOver.map((address) => ({ ...address, outside: 'over-limit' as const })),
    ])
  }

  async function noteModified(
    tx: Transaction,
    source: SourceRow,
    found: FoundAddress[],
    stored: Map<string, { sitemapModified: string | null }>,
  ): Promise<void> {
    for (const { url, lastModified } of found) {
      const row = stored.get(url)
      if (!row || !lastModified || row.sitemapModified === lastModified) continue
      const this_ = and(eq(addresses.sourceId, source.id), eq(addresses.url, url))
      await tx.update(addresses).set({ sitemapModified: lastModified }).where(this_)
    }
  }

  /** How many more addresses may be in. */
  async function roomFor(tx: Transaction, source: SourceRow, wanted: number): Promise<number> {
    const { urls } = await organizations.planOf(tx, source.organizationId)
    const ofPlan = urls === 0 ? wanted : urls - (await countUrls(tx, source.organizationId))
    const most = Math.min(source.maxPages ?? crawlLimits.pagesPerRun, crawlLimits.pagesPerRun)
    // All rows are more than those that count, and are counted faster.
    const rows = await tx.$count(addresses, eq(addresses.sourceId, source.id))
    if (rows + wanted <= most) return Math.max(0, Math.min(ofPlan, wanted))
    const mayBeIn = and(eq(addresses.sourceId, source.id), isInside(), ne(addresses.status, 'fail'))
    const ofSource = most - (await tx.$count(addresses, mayBeIn))
    return Math.max(0, Math.min(ofPlan, ofSource))
  }

  async function admit(
    tx: Transaction,
    { source, runId, kind }: CrawlWork,
    admitted: FoundAddress[],
    stored: Map<string, unknown>,
  ): Promise<void> {
    const { organizationId, collectionId, id: sourceId } = source
    const cause = kind === 'discover' ? 'noted' : 'listed'
    const rows = admitted
      .filter(({ url }) => !stored.has(url))
      .map(({ url, depth, foundOn, lastModified }) => ({
        organizationId,
        collectionId,
        sourceId,
        runId,
        status: addressTransitions[cause].to,
        url,
        depth,
        foundOn,
        sitemapModified: lastModified ?? null,
      }))
    if (rows.length > 0) await tx.insert(addresses).values(rows).onConflictDoNothing()
    const waiting = admitted.filter(({ url }) => stored.has(url)).map(({ url }) => url)
    if (waiting.length > 0 && kind !== 'discover') {
      const these = and(eq(addresses.sourceId, sourceId), inArray(addresses.url, waiting))
      await moveAddresses(tx, these, 'due', { runId, reason: null, message: null, nextFetchAt: null, failures: 0 })
    }
  }

  /** Keeps as many as are shown. Of the others those over the limit are counted, where each is met once: in a sitemap. */
  async function showOutside(tx: Transaction, work: CrawlWork, outside: FoundAddress[]): Promise<void> {
    if (outside.length === 0) return
    const { source } = work
    const shown = await tx.$count(addresses, and(eq(addresses.sourceId, source.id), isOutside()))
    const room = Math.max(0, crawlLimits.shownOutside - shown)
    const { organizationId, collectionId, id: sourceId } = source
    const rows = outside.slice(0, room).map((address) => {
      const reason = address.outside ?? 'excluded'
      const { to } = addressTransitions[reason === 'over-limit' ? 'over' : 'outside']
      const { url, depth, foundOn } = address
      const place = { organizationId, collectionId, sourceId, url, depth, foundOn }
      return { ...place, status: to, reason, message: reasonText(reason) }
    })
    if (rows.length > 0) await tx.insert(addresses).values(rows).onConflictDoNothing()
    const uncounted = outside.slice(room).filter((address) => address.outside === 'over-limit' && address.depth === 0)
    if (uncounted.length > 0) await addCounts(tx, work, { ignored: uncounted.length })
  }

  /** Discovery is done: what is known from runs before is read again, too, unless it is left out by now. */
  async function startFetching(work: CrawlWork): Promise<void> {
    const { source, runId } = work
    const patterns = createPatterns(source)
    for (let after = ''; ; ) {
      const rows = await db.read
        .select()
        .from(addresses)
        .where(and(eq(addresses.sourceId, source.id), sql`${addresses.id} > ${after}`, beforeThis(runId)))
        .orderBy(asc(addresses.id))
        .limit(rowsAtOnce)
      const last = rows.at(-1)
      if (!last) return
      after = last.id
      await breathe()
      const judged = rows.map((row) => ({ row, outside: refusalOf(work, patterns, row) }))
      const admitted = await dueOf(
        work,
        judged.filter(({ outside }) => !outside).map(({ row }) => row),
      )
      for (const { row, outside } of judged) {
        const reason = outside ?? (admitted.has(row.id) ? null : ('over-limit' as const))
        if (reason && row.reason !== reason) await leaveOut(work, row, reason)
      }
    }
  }

  /** Puts known addresses on the run's list; those that were not in until now only as far as there is room. */
  async function dueOf({ source, runId }: CrawlWork, rows: ClaimedAddress[]): Promise<Set<string>> {
    return db.write(async (tx) => {
      const entering = rows.filter(({ status, reason }) => status === 'limit' || outsideReasons.includes(reason ?? ''))
      const room = entering.length === 0 ? 0 : await roomFor(tx, source, entering.length)
      const kept = new Set(entering.slice(room).map(({ id }) => id))
      const due = rows.map(({ id }) => id).filter((id) => !kept.has(id))
      const afresh = { runId, nextFetchAt: null, failures: 0 }
      if (due.length > 0) await moveAddresses(tx, inArray(addresses.id, due), 'due', afresh)
      return new Set(due)
    })
  }

  /** It is not in from now on, and what it had goes. */
  async function leaveOut(work: CrawlWork, row: ClaimedAddress, reason: ReasonCode): Promise<void> {
    await db.write(async (tx) => {
      await replaceFragments(tx, indexes, row, [])
      await readTwins(tx, row, work.runId)
      await addCounts(tx, work, { withdrawn: row.fragments > 0 ? 1 : 0 })
      const forgotten = { fragments: 0, textHash: null, etag: null, lastModified: null }
      const why = { reason, message: reasonText(reason) }
      await moveAddresses(tx, eq(addresses.id, row.id), reason === 'over-limit' ? 'over-limit' : 'left-out', {
        ...forgotten,
        ...why,
      })
    })
  }

  /** After a crash: what was under way is to be read again, and counts as one crawl. */
  async function release({ source }: CrawlWork): Promise<void> {
    await db.write(async (tx) => {
      const underWay = and(eq(addresses.sourceId, source.id), eq(addresses.status, 'crawling'))
      const many = await tx.$count(addresses, underWay)
      if (many === 0) return
      await moveAddresses(tx, eq(addresses.sourceId, source.id), 'released')
      await giveBackCrawls(tx, source.organizationId, many)
    })
  }

  /**
   * Takes the next addresses of the run, in the order in which they were found, and counts them as crawls of the month.
   * 'used-up' when the plan allows no more this month.
   */
  async function claim({ source, runId }: CrawlWork, many: number): Promise<ClaimedAddress[] | 'used-up'> {
    const now = new Date()
    return db.write(async (tx) => {
      const { crawls } = await organizations.planOf(tx, source.organizationId)
      const most = Math.min(many, await crawlsLeft(tx, source.organizationId, crawls, now))
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
        .limit(Math.max(1, most))
      const { from, to } = addressTransitions.claimed
      if (most === 0) return (await next).length > 0 ? 'used-up' : []
      const rows = await tx
        .update(addresses)
        .set({ status: to })
        .where(and(inArray(addresses.id, next), inArray(addresses.status, [...from])))
        .returning()
      if (rows.length > 0) await countCrawls(tx, source.organizationId, rows.length, now)
      return rows
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

  /** Whether addresses of this run wait, and are due by now or later. */
  async function isWaiting({ source, runId }: CrawlWork, queries: Queries = db.read): Promise<boolean> {
    const waiting = and(eq(addresses.sourceId, source.id), eq(addresses.status, 'pending'), eq(addresses.runId, runId))
    return (await queries.select({ id: addresses.id }).from(addresses).where(waiting).limit(1)).length > 0
  }

  /** How many addresses are not in, by reason. */
  async function refusals({ source }: CrawlWork): Promise<Record<string, number>> {
    const rows = await db.read
      .select({ reason: addresses.reason, many: count() })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), isNotNull(addresses.reason), eq(addresses.fragments, 0)))
      .groupBy(addresses.reason)
    return Object.fromEntries(rows.map(({ reason, many }) => [reason ?? '', many]))
  }

  /** Addresses that are out over the limit of addresses. */
  function countOver(sourceId: string): Promise<number> {
    const over = and(
      eq(addresses.sourceId, sourceId),
      eq(addresses.status, 'limit'),
      eq(addresses.reason, 'over-limit'),
    )
    return db.read.$count(addresses, over)
  }

  return { list, startFetching, release, claim, nextDue, isWaiting, roomFor, refusals, countOver }
}

export type Frontier = ReturnType<typeof createFrontier>

/** Known from runs before, and left out by nobody. */
function beforeThis(runId: string): SQL | undefined {
  return and(or(isNull(addresses.runId), ne(addresses.runId, runId)), isNull(addresses.ignoredAt))
}

/** Shown for its reason only. */
function isOutside(): SQL | undefined {
  return or(eq(addresses.status, 'limit'), inArray(addresses.reason, outsideReasons))
}

/** Why the source's options leave an address out; the front page of a domain is read for its links in any case. */
function refusalOf(
  { source }: CrawlWork,
  patterns: { admits(address: string): boolean },
  { url, depth }: { url: string; depth: number },
): ReasonCode | undefined {
  const isElsewhere = source.type !== 'url' && source.url !== null && !isSameSite(url, source.url)
  if (isElsewhere) return 'other-host'
  const shape = refusalOfShape(url)
  if (shape) return shape
  if (source.maxDepth !== null && depth > source.maxDepth) return 'over-depth'
  const isFront = source.type === 'domain' && url === source.url
  return isFront || patterns.admits(url) ? undefined : 'excluded'
}
