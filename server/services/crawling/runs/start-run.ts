import { setImmediate as breathe } from 'node:timers/promises'
import { and, asc, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import type { Database, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { createPathPatterns } from '../../../engine/crawl/urls/url-patterns'
import { clearFragments } from '../../fragments/delete-fragments'
import { type Indexes, replaceFragments } from '../../fragments/fragments'
import { countsTowardLimit } from '../../organizations/organizations'
import type { SourceRow } from '../../sources/source-settings'
import { exclusionOf, exclusionReasons, fromEarlierRuns, pageLimit } from '../frontier/admission'
import { mergedInto, requeueMerged } from '../pages/duplicate-pages'
import { transitionAddresses } from '../transitions'
import type { AddressRow, RunContext } from './run-context'
import { countExcluded } from './run-stats'

const rowsAtOnce = 100

interface Entering {
  id: string
  depth: number
  since: Date
}

interface Deps {
  db: Database
  indexes: Indexes
  /** How many more addresses may be in. */
  roomFor(tx: Transaction, source: SourceRow, wanted: number): Promise<number>
}

/** How a whole run takes up what is known from runs before. */
export function createRunStart({ db, indexes, roomFor }: Deps) {
  /** Discovery is done: what is known from runs before is read again, too, unless it is left out by now. */
  async function startFetching(work: RunContext): Promise<void> {
    const { out, failed } = await judgeAnew(work)
    await keepToMaximum(work)
    // With the reason that they had they would not count, and those behind them would have the same room again.
    const over = await letIn(work, out, { reason: null, message: null })
    // What its site refused is known by that, and asked again only where there is room.
    const unasked = await letIn(work, failed, {})
    await leaveOutOver(work, over)
    // Where it is the source's own address, that failure is old, and says nothing of this run.
    const { type, url } = work.source
    const isOne = type === 'file' || type === 'url' || url === null
    await leaveOutOver(work, unasked, isOne ? undefined : eq(addresses.url, url))
  }

  /**
   * Leaves out what the options leave out, and lists what is in. Returns the others, which may have the room that is left
   * then: what was out in the order in which it is read, what failed by how long ago it was looked at, so that each has
   * its turn.
   */
  async function judgeAnew(work: RunContext): Promise<{ out: string[]; failed: string[] }> {
    const { source, runId } = work
    const patterns = createPathPatterns(source)
    const out: Entering[] = []
    const failed: Entering[] = []
    for (let after = ''; ; ) {
      const rows = await db.read
        .select()
        .from(addresses)
        .where(and(eq(addresses.sourceId, source.id), sql`${addresses.id} > ${after}`, fromEarlierRuns(runId)))
        .orderBy(asc(addresses.id))
        .limit(rowsAtOnce)
      const last = rows.at(-1)
      if (!last) return { out: inLine(out), failed: inLine(failed) }
      after = last.id
      await breathe()
      const due: string[] = []
      for (const row of rows) {
        const { id, url, depth } = row
        const outside = exclusionOf(work, patterns, row)
        // A front page that the patterns leave out is read for its links alone, and takes no room.
        const takesRoom = source.type === 'file' || patterns.admits(url)
        if (outside && row.reason !== outside) await leaveOut(work, row, outside)
        else if (!outside && takesRoom && isOut(row)) out.push({ id, depth, since: row.createdAt })
        else if (!outside && takesRoom && hasFailed(row)) failed.push({ id, depth: 0, since: row.updatedAt })
        else if (!outside) due.push(id)
      }
      const which = inArray(addresses.id, due)
      const afresh = { runId, nextFetchAt: null, attempts: 0 }
      if (due.length > 0) await db.write((tx) => transitionAddresses(tx, which, 'due', afresh))
    }
  }

  /** Where the source's maximum was lowered, what is read last goes, and with it what points to it. */
  async function keepToMaximum(work: RunContext): Promise<void> {
    const { source, runId } = work
    const most = pageLimit(source)
    const ofSource = eq(addresses.sourceId, source.id)
    // All rows are more than those that count, and are counted faster.
    if ((await db.read.$count(addresses, ofSource)) <= most) return
    const waiting = and(ofSource, eq(addresses.status, 'pending'), eq(addresses.runId, runId), countsTowardLimit())
    for (let over = (await db.read.$count(addresses, and(ofSource, countsTowardLimit()))) - most; over > 0; ) {
      const rows = await db.read
        .select()
        .from(addresses)
        .where(waiting)
        .orderBy(desc(addresses.depth), desc(addresses.createdAt), desc(addresses.id))
        .limit(Math.min(over, rowsAtOnce))
      if (rows.length === 0) return
      for (const row of rows) {
        const twins = await db.read.select().from(addresses).where(mergedInto(row))
        for (const twin of twins) await leaveOut(work, twin, 'over-limit')
        await leaveOut(work, row, 'over-limit')
      }
      over -= rows.length
      await breathe()
    }
  }

  /** Puts addresses that were not in until now on the run's list. Returns those for which there is no room. */
  async function letIn(
    { source, runId }: RunContext,
    entering: string[],
    forgotten: { reason?: null; message?: null },
  ): Promise<string[]> {
    for (let start = 0; start < entering.length; start += rowsAtOnce) {
      const ids = entering.slice(start, start + rowsAtOnce)
      const room = await db.write(async (tx) => {
        const room = await roomFor(tx, source, ids.length)
        const which = and(inArray(addresses.id, ids.slice(0, room)), fromEarlierRuns(runId))
        const afresh = { runId, nextFetchAt: null, attempts: 0, ...forgotten }
        if (room > 0) await transitionAddresses(tx, which, 'due', afresh)
        return room
      })
      if (room < ids.length) return entering.slice(start + room)
      await breathe()
    }
    return []
  }

  async function leaveOutOver(work: RunContext, over: string[], which?: SQL): Promise<void> {
    for (let start = 0; start < over.length; start += rowsAtOnce) {
      const some = inArray(addresses.id, over.slice(start, start + rowsAtOnce))
      const isNew = ne(sql`coalesce(${addresses.reason}, '')`, 'over-limit')
      const rows = await db.read
        .select()
        .from(addresses)
        .where(and(some, isNew, fromEarlierRuns(work.runId), which))
      for (const row of rows) await leaveOut(work, row, 'over-limit')
      await breathe()
    }
  }

  /** It is not in from now on, and what it had goes. */
  async function leaveOut(work: RunContext, row: AddressRow, reason: ReasonCode): Promise<void> {
    await clearFragments(db, indexes, row)
    await db.write(async (tx) => {
      await replaceFragments(tx, indexes, row, [])
      // Each of them is judged by itself, whether this run reads it.
      await requeueMerged(tx, row, null)
      if (row.fragments > 0) await countExcluded(tx, work, reason, { wasIndexed: true })
      const forgotten = { fragments: 0, textHash: null, etag: null, lastModified: null }
      const why = { reason, message: reasonText(reason) }
      await transitionAddresses(tx, eq(addresses.id, row.id), reason === 'over-limit' ? 'over-limit' : 'left-out', {
        ...forgotten,
        ...why,
      })
    })
  }

  return { startFetching }
}

function isOut({ status, reason }: AddressRow): boolean {
  return status === 'limit' || exclusionReasons.includes(reason ?? '')
}

/** It has no text that takes room already. */
function hasFailed({ status, fragments }: AddressRow): boolean {
  return status === 'fail' && fragments === 0
}

/** The nearest to the start first, and of these the first since then: as a run takes its addresses. */
function inLine(entering: Entering[]): string[] {
  const sorted = entering.sort((one, other) => {
    const byTime = one.since.getTime() - other.since.getTime()
    return one.depth - other.depth || byTime || (one.id < other.id ? -1 : 1)
  })
  return sorted.map(({ id }) => id)
}
