import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { AddressStatus } from '../../../contract/values/enumerations'
import type { Transaction } from '../../../db/database'
import { addresses, visits } from '../../../db/schema/addresses'

/** SQLite limits the variables of a statement. */
const insertBatchSize = 500

export type VisitRow = typeof visits.$inferSelect
export type Outcome = NonNullable<VisitRow['outcome']>

type VisitedAddress = Pick<typeof addresses.$inferSelect, 'id' | 'sourceId' | 'url' | 'depth' | 'createdAt'>

/** Visits without an outcome. */
export function isOpen(): SQL {
  return isNull(visits.outcome)
}

/** Open visits that nobody has claimed. */
export function isWaiting(): SQL | undefined {
  return and(isOpen(), isNull(visits.claimedAt))
}

/** Open visits that a process has claimed. */
export function isClaimed(): SQL | undefined {
  return and(isOpen(), isNotNull(visits.claimedAt))
}

/** The status that an address shows, from a join with its open visit. */
export function shownStatus(address: { status: AddressStatus }, visit: VisitRow | null): AddressStatus {
  if (visit === null) return address.status
  return visit.claimedAt === null ? 'pending' : 'crawling'
}

/** `shownStatus` in SQL, for a query that joins addresses with their open visits. */
export function shownStatusColumn(): SQL<AddressStatus> {
  const waiting = sql`case when ${visits.claimedAt} is null then 'pending' else 'crawling' end`
  return sql`case when ${visits.runId} is null then ${addresses.status} else ${waiting} end`
}

/** Joins an address with its open visit. */
export function hasOpenVisit(): SQL | undefined {
  return and(eq(visits.addressId, addresses.id), isOpen())
}

/**
 * Opens a visit of each address in the run, also of those that the run has visited. `takesRoom`: the addresses count
 * toward the limits because of that.
 */
export async function openVisits(
  tx: Transaction,
  runId: string,
  visited: VisitedAddress[],
  { takesRoom = false }: { takesRoom?: boolean } = {},
): Promise<void> {
  const rows = visited.map(({ id, sourceId, url, depth, createdAt }) => {
    return { runId, addressId: id, sourceId, url, depth, foundAt: createdAt, takesRoom }
  })
  for (let start = 0; start < rows.length; start += insertBatchSize) {
    await tx
      .insert(visits)
      .values(rows.slice(start, start + insertBatchSize))
      .onConflictDoUpdate({ target: [visits.runId, visits.addressId], set: { ...reopened, takesRoom } })
  }
}

/** Columns of an open visit that waits for its turn. */
export const waitingColumns = { dueAt: null, claimedAt: null, epoch: null, readDone: null, readTotal: null }
const noOutcome = { outcome: null, reason: null, message: null, httpStatus: null, bytes: null }
const reopened = { ...noOutcome, ...waitingColumns, attempts: 0 }

/** Stores a visit that ended without a claim, because the rules of the source or a limit exclude the address. */
export async function insertEndedVisit(
  tx: Transaction,
  runId: string,
  { id, sourceId, url, depth, createdAt }: VisitedAddress,
  ended: { outcome: Outcome; reason: string; message: string },
): Promise<void> {
  const row = { runId, addressId: id, sourceId, url, depth, foundAt: createdAt, ...ended }
  await tx
    .insert(visits)
    .values(row)
    .onConflictDoUpdate({ target: [visits.runId, visits.addressId], set: { ...reopened, ...ended } })
}

/** Deletes the open visits of these addresses: the addresses stay as they are. */
export async function closeVisits(tx: Transaction, addressIds: string[]): Promise<void> {
  await tx.delete(visits).where(and(inArray(visits.addressId, addressIds), isOpen()))
}
