import { setImmediate as breathe } from 'node:timers/promises'
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../contract/reasons'
import type { Database, Transaction } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { createPatterns } from '../engine/crawl/patterns'
import type { ClaimedAddress, CrawlWork } from './crawl-work'
import { clearFragments } from './fragment-sweeps'
import { type Indexes, replaceFragments } from './fragments'
import { beforeThis, outsideReasons, refusalOf } from './frontier-rules'
import { addCounts } from './run-counts'
import type { SourceRow } from './source-settings'
import { moveAddresses } from './states'
import { readTwins } from './twins'

const rowsAtOnce = 100

type Entering = Pick<ClaimedAddress, 'id' | 'depth' | 'createdAt'>

interface Deps {
  db: Database
  indexes: Indexes
  /** How many more addresses may be in. */
  roomFor(tx: Transaction, source: SourceRow, wanted: number): Promise<number>
}

/** How a whole run takes up what is known from runs before. */
export function createRunStart({ db, indexes, roomFor }: Deps) {
  /** Discovery is done: what is known from runs before is read again, too, unless it is left out by now. */
  async function startFetching(work: CrawlWork): Promise<void> {
    const entering = await judgeAnew(work)
    await letIn(work, entering)
  }

  /**
   * Leaves out what the options leave out, and lists the rest. Returns the others in the order in which they are read:
   * they were not in until now, and may have the room that is left then.
   */
  async function judgeAnew(work: CrawlWork): Promise<string[]> {
    const { source, runId } = work
    const patterns = createPatterns(source)
    const entering: Entering[] = []
    for (let after = ''; ; ) {
      const rows = await db.read
        .select()
        .from(addresses)
        .where(and(eq(addresses.sourceId, source.id), sql`${addresses.id} > ${after}`, beforeThis(runId)))
        .orderBy(asc(addresses.id))
        .limit(rowsAtOnce)
      const last = rows.at(-1)
      if (!last) return entering.sort(inLine).map(({ id }) => id)
      after = last.id
      await breathe()
      const due: string[] = []
      for (const row of rows) {
        const { id, url, depth, createdAt } = row
        const outside = refusalOf(work, patterns, row)
        // A front page that the patterns leave out is read for its links alone, and takes no room.
        const takesRoom = source.type === 'file' || patterns.admits(url)
        if (outside && row.reason !== outside) await leaveOut(work, row, outside)
        else if (!outside && isOut(row) && takesRoom) entering.push({ id, depth, createdAt })
        else if (!outside) due.push(id)
      }
      const which = inArray(addresses.id, due)
      const afresh = { runId, nextFetchAt: null, failures: 0 }
      if (due.length > 0) await db.write((tx) => moveAddresses(tx, which, 'due', afresh))
    }
  }

  /** Puts addresses that were not in until now on the run's list, as far as there is room. */
  async function letIn(work: CrawlWork, entering: string[]): Promise<void> {
    const { source, runId } = work
    for (let start = 0; start < entering.length; start += rowsAtOnce) {
      const ids = entering.slice(start, start + rowsAtOnce)
      const room = await db.write(async (tx) => {
        const room = await roomFor(tx, source, ids.length)
        // With the reason that they had they would not count, and those behind them would have the same room again.
        const afresh = { runId, nextFetchAt: null, failures: 0, reason: null, message: null }
        if (room > 0) await moveAddresses(tx, inArray(addresses.id, ids.slice(0, room)), 'due', afresh)
        return room
      })
      const over = and(inArray(addresses.id, ids.slice(room)), ne(sql`coalesce(${addresses.reason}, '')`, 'over-limit'))
      const rows = room < ids.length ? await db.read.select().from(addresses).where(over) : []
      for (const row of rows) await leaveOut(work, row, 'over-limit')
      await breathe()
    }
  }

  /** It is not in from now on, and what it had goes. */
  async function leaveOut(work: CrawlWork, row: ClaimedAddress, reason: ReasonCode): Promise<void> {
    await clearFragments(db, indexes, row)
    await db.write(async (tx) => {
      await replaceFragments(tx, indexes, row, [])
      // Each of them is judged by itself, whether this run reads it.
      await readTwins(tx, row, null)
      await addCounts(tx, work, { withdrawn: row.fragments > 0 ? 1 : 0 })
      const forgotten = { fragments: 0, textHash: null, etag: null, lastModified: null }
      const why = { reason, message: reasonText(reason) }
      await moveAddresses(tx, eq(addresses.id, row.id), reason === 'over-limit' ? 'over-limit' : 'left-out', {
        ...forgotten,
        ...why,
      })
    })
  }

  return { startFetching }
}

/** It was left out until now, and takes room when it comes in. */
function isOut({ status, reason }: ClaimedAddress): boolean {
  return status === 'limit' || outsideReasons.includes(reason ?? '')
}

/** The order in which a run takes its addresses. */
function inLine(one: Entering, other: Entering): number {
  const byTime = one.createdAt.getTime() - other.createdAt.getTime()
  return one.depth - other.depth || byTime || (one.id < other.id ? -1 : 1)
}
