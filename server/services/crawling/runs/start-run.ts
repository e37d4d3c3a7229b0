import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { and, asc, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import { addresses, visits } from '../../../../db/schema/addresses'
import { createAdmission, pageLimit } from '../../../engine/crawl/urls/admission'
import { clearFragments } from '../../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { closeVisits, insertEndedVisit, isWaiting, openVisits } from '../../runs/visits'
import { isSinglePage } from '../../source-rows/source-settings'
import { countsTowardLimit, countUrlsOfSource } from '../../usage/urls'
import { exclusionReasons } from '../frontier/exclusions'
import type { Frontier } from '../frontier/frontier'
import { mergedInto, revisitMerged } from '../pages/duplicate-pages'

const batchSize = 100

/** An address that is not indexed and may be, if there is room. */
interface Candidate {
  id: string
  depth: number
  since: Date
}

interface Deps {
  indexes: Indexes
  frontier: Pick<Frontier, 'roomFor'>
}

export type StartRun = ReturnType<typeof createStartRun>

/** Starts the fetching of a full run, after discovery: opens visits of what earlier runs discovered. */
export function createStartRun({ indexes, frontier }: Deps) {
  async function startRun(run: RunContext): Promise<void> {
    const { excluded, failed } = await openKnown(run)
    await enforcePageLimit(run)
    // Open visits count toward the limit, so that those behind them do not get the same room.
    const overLimit = await openWithinLimit(run, excluded)
    const failedOverLimit = await openWithinLimit(run, failed)
    await excludeOverLimit(run, overLimit)
    // The last failure of the source's own URL is no news of this run.
    const { url } = run.source
    const isOwn = isSinglePage(run.source) || url === null ? undefined : eq(addresses.url, url)
    await excludeOverLimit(run, failedOverLimit, isOwn)
  }

  /**
   * Excludes the addresses that the rules exclude now, and opens visits of the indexed ones. Returns the others, to visit
   * as far as there is room: excluded ones in the order of a crawl, failed ones by the time of their last attempt.
   */
  async function openKnown(run: RunContext): Promise<{ excluded: string[]; failed: string[] }> {
    const admission = createAdmission(run.source)
    const excluded: Candidate[] = []
    const failed: Candidate[] = []
    for (let after = ''; ; ) {
      const rows = await selectUnvisited(run, sql`${addresses.id} > ${after}`)
      const last = rows.at(-1)
      if (!last) return { excluded: inCrawlOrder(excluded), failed: inCrawlOrder(failed) }
      after = last.id
      await yieldToEventLoop()
      const known: AddressRow[] = []
      for (const row of rows) {
        const { id, url, depth } = row
        const exclusion = admission.exclusionOf(row)
        const takesRoom = !admission.isLinksOnly(url)
        if (exclusion && row.reason !== exclusion) await exclude(run, row, exclusion)
        else if (!exclusion && takesRoom && wasExcluded(row)) excluded.push({ id, depth, since: row.createdAt })
        else if (!exclusion && takesRoom && hasFailed(row)) failed.push({ id, depth: 0, since: row.updatedAt })
        else if (!exclusion) known.push(row)
      }
      if (known.length > 0) await run.db.write((tx) => openVisits(tx, run.runId, known))
    }
  }

  /** Excludes, after the limit was lowered, the addresses that the run would fetch last, with their duplicates. */
  async function enforcePageLimit(run: RunContext): Promise<void> {
    const { source, runId, db } = run
    const limit = pageLimit(source)
    // Counting all rows is faster, and they are at least as many as those that count.
    if ((await db.read.$count(addresses, eq(addresses.sourceId, source.id))) <= limit) return
    let excess = (await countUrlsOfSource(db.read, source.id)) - limit
    while (excess > 0) {
      const rows = await db.read
        .select({ address: addresses })
        .from(visits)
        .innerJoin(addresses, eq(addresses.id, visits.addressId))
        .where(and(eq(visits.runId, runId), isWaiting(), countsTowardLimit()))
        .orderBy(desc(visits.depth), desc(visits.foundAt), desc(visits.addressId))
        .limit(Math.min(excess, batchSize))
      if (rows.length === 0) return
      for (const { address } of rows) {
        const duplicates = await db.read.select().from(addresses).where(mergedInto(address))
        for (const duplicate of duplicates) await exclude(run, duplicate, 'over-limit')
        await exclude(run, address, 'over-limit')
      }
      excess -= rows.length
      await yieldToEventLoop()
    }
  }

  /** Opens visits of addresses in order as far as there is room. Returns the others. */
  async function openWithinLimit(run: RunContext, candidates: string[]): Promise<string[]> {
    for (let start = 0; start < candidates.length; start += batchSize) {
      const ids = candidates.slice(start, start + batchSize)
      const room = await run.db.writeAlone(run.source.organizationId, async (tx) => {
        const room = await frontier.roomFor(tx, run.source, ids.length)
        const within = ids.slice(0, room)
        const rows = within.length === 0 ? [] : await tx.select().from(addresses).where(inArray(addresses.id, within))
        await openVisits(tx, run.runId, rows, { takesRoom: true })
        return room
      })
      if (room < ids.length) return candidates.slice(start + room)
      await yieldToEventLoop()
    }
    return []
  }

  async function excludeOverLimit(run: RunContext, ids: string[], where?: SQL): Promise<void> {
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = inArray(addresses.id, ids.slice(start, start + batchSize))
      const isNew = ne(sql`coalesce(${addresses.reason}, '')`, 'over-limit')
      for (const row of await selectUnvisited(run, batch, isNew, where)) await exclude(run, row, 'over-limit')
      await yieldToEventLoop()
    }
  }

  /** Removes an address from the index. */
  async function exclude(run: RunContext, row: AddressRow, reason: ReasonCode): Promise<void> {
    const { db, runId } = run
    const said = { reason, message: reasonText(reason) }
    await clearFragments(db, indexes, row)
    await db.write(async (tx) => {
      await replaceFragments(tx, indexes, row, [])
      // Without a run: each duplicate is judged by itself.
      await revisitMerged(tx, row, null)
      if (row.fragments > 0) await insertEndedVisit(tx, runId, row, { outcome: 'withdrawn', ...said })
      else await closeVisits(tx, [row.id])
      const status = reason === 'over-limit' ? 'limit' : 'idle'
      await tx
        .update(addresses)
        .set({ ...said, status, fragments: 0, textHash: null, etag: null, lastModified: null })
        .where(eq(addresses.id, row.id))
    })
  }

  return startRun
}

/** Addresses that the run has no visit of and nobody ignores, by id. */
async function selectUnvisited(
  { db, source, runId }: RunContext,
  ...where: (SQL | undefined)[]
): Promise<AddressRow[]> {
  const rows = await db.read
    .select({ address: addresses })
    .from(addresses)
    .leftJoin(visits, and(eq(visits.runId, runId), eq(visits.addressId, addresses.id)))
    .where(and(eq(addresses.sourceId, source.id), isNull(visits.runId), isNull(addresses.ignoredAt), ...where))
    .orderBy(asc(addresses.id))
    .limit(batchSize)
  return rows.map(({ address }) => address)
}

function wasExcluded({ status, reason }: AddressRow): boolean {
  return status === 'limit' || exclusionReasons.includes(reason ?? '')
}

/** Has no text. With text, it would already count toward the limit. */
function hasFailed({ status, fragments }: AddressRow): boolean {
  return status === 'fail' && fragments === 0
}

function inCrawlOrder(candidates: Candidate[]): string[] {
  const sorted = candidates.sort((first, second) => {
    const byTime = first.since.getTime() - second.since.getTime()
    return first.depth - second.depth || byTime || (first.id < second.id ? -1 : 1)
  })
  return sorted.map(({ id }) => id)
}
