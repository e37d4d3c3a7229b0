import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { and, eq, gt, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { AddressStatus } from '../../../../contract/enumerations'
import { reasonText } from '../../../../contract/reasons'
import type { Database, Queries, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import type { Indexes } from '../../fragments/fragments'
import type { RunContext } from '../../runs/run-context'
import { type SourceEvent, transitionAddresses } from '../../runs/transitions'
import { rollbackDocument } from '../documents/document-parts'

const batchSize = 500

/** How the run ends; null where it does not end any more. */
type FindEvent = (queries: Queries) => Promise<SourceEvent | null>

/** Stops the addresses of a run that ends early, in batches that keep each transaction short. */
export function createStopAddresses({ db, indexes }: { db: Database; indexes: Indexes }) {
  /** Rolls back documents that were stored in part. */
  async function rollbackDocuments({ source }: RunContext, findEvent: FindEvent): Promise<void> {
    const started = and(eq(addresses.sourceId, source.id), isNotNull(addresses.committedThroughKey))
    for (const address of await db.read.select().from(addresses).where(started)) {
      if (!(await findEvent(db.read))) return
      await rollbackDocument({ db, indexes }, address)
    }
  }

  return async (run: RunContext, findEvent: FindEvent): Promise<void> => {
    await rollbackDocuments(run, findEvent)
    const ofSource = eq(addresses.sourceId, run.source.id)
    const open = and(ofSource, inArray(addresses.status, ['pending', 'crawling']))
    for (;;) {
      const rows = await db.read.select({ id: addresses.id }).from(addresses).where(open).limit(batchSize)
      if (rows.length === 0) return
      const ids = rows.map(({ id }) => id)
      const event = await db.write(async (tx) => {
        const event = await findEvent(tx)
        if (event) await restoreOpenAddresses(tx, inArray(addresses.id, ids), event)
        return event
      })
      if (!event) return
      await yieldToEventLoop()
    }
  }
}

/** Restores the state that pending and claimed addresses had before the run. */
export async function restoreOpenAddresses(tx: Transaction, where: SQL, event: SourceEvent): Promise<void> {
  const { reasonBefore: reason, messageBefore: message, httpStatusBefore: httpStatus } = addresses
  // Without a run: it did not visit them.
  const unvisited = { runId: null, nextFetchAt: null }
  const restored = { ...unvisited, reason: sql`${reason}`, message: sql`${message}`, httpStatus: sql`${httpStatus}` }
  const had = (status: AddressStatus) => and(where, eq(sql`coalesce(${addresses.statusBefore}, '')`, status))
  await transitionAddresses(tx, had('idle'), 'stopped', restored)
  await transitionAddresses(tx, had('fail'), 'stopped-failed', restored)
  if (event !== 'crawl-limit') await transitionAddresses(tx, had('limit'), 'stopped-over-limit', restored)
  // Of a retried address that a person had ignored, nothing is saved. Without a text it counts as never visited.
  const isSettled = or(gt(addresses.fragments, 0), isNotNull(addresses.reason))
  await transitionAddresses(tx, and(where, isNotNull(addresses.crawledAt), isSettled), 'stopped', unvisited)
  if (event === 'crawl-limit') {
    const limited = { reason: 'crawl-limit', message: reasonText('crawl-limit'), ...unvisited }
    await transitionAddresses(tx, and(where, eq(addresses.status, 'pending')), 'over-limit', limited)
  }
  await transitionAddresses(tx, where, 'stopped-unread', { ...unvisited, reason: null, message: null })
}
