import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { and, asc, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import type { Database } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { createAdmission, pageLimit } from '../../../engine/crawl/urls/admission'
import { clearFragments } from '../../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { countExcluded } from '../../runs/run-stats'
import { transitionAddresses } from '../../runs/transitions'
import { countsTowardLimit } from '../../usage/urls'
import { exclusionReasons, fromEarlierRuns } from '../frontier/exclusions'
import type { Frontier } from '../frontier/frontier'
import { mergedInto, requeueMerged } from '../pages/duplicate-pages'

const batchSize = 100

/** An address that is not indexed and may be, if there is room. */
interface Candidate {
  id: string
  depth: number
  since: Date
}

interface Deps {
  db: Database
  indexes: Indexes
  frontier: Pick<Frontier, 'roomFor'>
}

export type StartRun = ReturnType<typeof createStartRun>

/** Starts the fetching of a full run, after discovery: requeues what earlier runs discovered. */
export function createStartRun({ db, indexes, frontier }: Deps) {
  async function startRun(run: RunContext): Promise<void> {
    const { excluded, failed } = await requeueKnown(run)
    await enforcePageLimit(run)
    // Without their reason they count toward the limit, so that those behind them do not get the same room.
    const overLimit = await enqueueWithinLimit(run, excluded, { reason: null, message: null })
    const failedOverLimit = await enqueueWithinLimit(run, failed, {})
    await excludeOverLimit(run, overLimit)
    // The last failure of the source's own URL is no news of this run.
    const { type, url } = run.source
    const isSingle = type === 'file' || type === 'url' || url === null
    await excludeOverLimit(run, failedOverLimit, isSingle ? undefined : eq(addresses.url, url))
  }

  /**
   * Excludes the addresses that the rules exclude now, and requeues the indexed ones. Returns the others, to enqueue as
   * far as there is room: excluded ones in the order of a crawl, failed ones by the time of their last attempt.
   */
  async function requeueKnown(run: RunContext): Promise<{ excluded: string[]; failed: string[] }> {
    const { source, runId } = run
    const admission = createAdmission(source)
    const excluded: Candidate[] = []
    const failed: Candidate[] = []
    for (let after = ''; ; ) {
      const rows = await db.read
        .select()
        .from(addresses)
        .where(and(eq(addresses.sourceId, source.id), sql`${addresses.id} > ${after}`, fromEarlierRuns(runId)))
        .orderBy(asc(addresses.id))
        .limit(batchSize)
      const last = rows.at(-1)
      if (!last) return { excluded: inCrawlOrder(excluded), failed: inCrawlOrder(failed) }
      after = last.id
      await yieldToEventLoop()
      const requeued: string[] = []
      for (const row of rows) {
        const { id, url, depth } = row
        const exclusion = admission.exclusionOf(row)
        const takesRoom = !admission.isLinksOnly(url)
        if (exclusion && row.reason !== exclusion) await exclude(run, row, exclusion)
        else if (!exclusion && takesRoom && wasExcluded(row)) excluded.push({ id, depth, since: row.createdAt })
        else if (!exclusion && takesRoom && hasFailed(row)) failed.push({ id, depth: 0, since: row.updatedAt })
        else if (!exclusion) requeued.push(id)
      }
      const where = inArray(addresses.id, requeued)
      const fresh = { runId, nextFetchAt: null, attempts: 0 }
      if (requeued.length > 0) await db.write((tx) => transitionAddresses(tx, where, 'requeued', fresh))
    }
  }

  /** After the limit was lowered: excludes the addresses that the run would fetch last, with their duplicates. */
  async function enforcePageLimit(run: RunContext): Promise<void> {
    const { source, runId } = run
    const limit = pageLimit(source)
    const ofSource = eq(addresses.sourceId, source.id)
    // Counting all rows is faster, and they are at least as many as those that count.
    if ((await db.read.$count(addresses, ofSource)) <= limit) return
    const pending = and(ofSource, eq(addresses.status, 'pending'), eq(addresses.runId, runId), countsTowardLimit())
    let excess = (await db.read.$count(addresses, and(ofSource, countsTowardLimit()))) - limit
    while (excess > 0) {
      const rows = await db.read
        .select()
        .from(addresses)
        .where(pending)
        .orderBy(desc(addresses.depth), desc(addresses.createdAt), desc(addresses.id))
        .limit(Math.min(excess, batchSize))
      if (rows.length === 0) return
      for (const row of rows) {
        const duplicates = await db.read.select().from(addresses).where(mergedInto(row))
        for (const duplicate of duplicates) await exclude(run, duplicate, 'over-limit')
        await exclude(run, row, 'over-limit')
      }
      excess -= rows.length
      await yieldToEventLoop()
    }
  }

  /** Enqueues addresses in order as far as there is room. Returns the others. */
  async function enqueueWithinLimit(
    { source, runId }: RunContext,
    candidates: string[],
    reasonColumns: { reason?: null; message?: null },
  ): Promise<string[]> {
    for (let start = 0; start < candidates.length; start += batchSize) {
      const ids = candidates.slice(start, start + batchSize)
      const room = await db.write(async (tx) => {
        const room = await frontier.roomFor(tx, source, ids.length)
        const where = and(inArray(addresses.id, ids.slice(0, room)), fromEarlierRuns(runId))
        const requeued = { runId, nextFetchAt: null, attempts: 0, ...reasonColumns }
        if (room > 0) await transitionAddresses(tx, where, 'requeued', requeued)
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
      const rows = await db.read
        .select()
        .from(addresses)
        .where(and(batch, isNew, fromEarlierRuns(run.runId), where))
      for (const row of rows) await exclude(run, row, 'over-limit')
      await yieldToEventLoop()
    }
  }

  /** Removes an address from the index. */
  async function exclude(run: RunContext, row: AddressRow, reason: ReasonCode): Promise<void> {
    await clearFragments(db, indexes, row)
    await db.write(async (tx) => {
      await replaceFragments(tx, indexes, row, [])
      // Without a run: each duplicate is judged by itself.
      await requeueMerged(tx, row, null)
      if (row.fragments > 0) await countExcluded(tx, run, reason, { wasIndexed: true })
      const event = reason === 'over-limit' ? 'over-limit' : 'excluded'
      await transitionAddresses(tx, eq(addresses.id, row.id), event, {
        ...{ reason, message: reasonText(reason), fragments: 0 },
        ...{ textHash: null, etag: null, lastModified: null },
      })
    })
  }

  return startRun
}

function wasExcluded({ status, reason }: AddressRow): boolean {
  return status === 'limit' || exclusionReasons.includes(reason ?? '')
}

/** Has no text. With text, it would already count toward the limit. */
function hasFailed({ status, fragments }: AddressRow): boolean {
  return status === 'fail' && fragments === 0
}

function inCrawlOrder(candidates: Candidate[]): string[] {
  const sorted = candidates.sort((one, other) => {
    const byTime = one.since.getTime() - other.since.getTime()
    return one.depth - other.depth || byTime || (one.id < other.id ? -1 : 1)
  })
  return sorted.map(({ id }) => id)
}
