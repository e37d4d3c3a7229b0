import { and, eq, sql } from 'drizzle-orm'
import type { Queries, Transaction } from '../../../db/database'
import { usage } from '../../../db/schema/usage'

/** What is counted by month (UTC). Counters only grow by use: deleting a thread or a source does not lower them. */
export type MonthlyMeter = 'crawls' | 'messages' | 'searches' | 'apiRequests' | 'embeddingTokens'

/** Returns how much the organization has used of a meter in the month of `at`. */
export async function usedInMonth(
  queries: Queries,
  organizationId: string,
  meter: MonthlyMeter,
  time = new Date(),
): Promise<number> {
  const [row] = await queries.select({ used: usage[meter] }).from(usage).where(monthOf(organizationId, time))
  return row?.used ?? 0
}

/** Returns how much is left of a monthly limit. A limit of 0 means unlimited. */
export async function leftInMonth(
  queries: Queries,
  organizationId: string,
  meter: MonthlyMeter,
  limit: number,
  time = new Date(),
): Promise<number> {
  if (limit === 0) return Number.POSITIVE_INFINITY
  return Math.max(0, limit - (await usedInMonth(queries, organizationId, meter, time)))
}

/**
 * Takes `count` from a monthly limit, in one statement. Returns false, and takes nothing, if less is left. A limit of 0
 * means unlimited.
 */
export async function reserve(
  tx: Transaction,
  organizationId: string,
  meter: MonthlyMeter,
  limit: number,
  time = new Date(),
  count = 1,
): Promise<boolean> {
  const isWithin = limit === 0 ? undefined : sql`${usage[meter]} <= ${wholeNumber(limit - count)}`
  const counted = await tx
    .insert(usage)
    .values(inMonth(organizationId, meter, count, time))
    .onConflictDoUpdate({ ...addition(meter, count), ...(isWithin ? { setWhere: isWithin } : {}) })
    .returning({ used: usage[meter] })
  return counted.length > 0
}

/** Counts use without a limit. */
export async function addUse(
  tx: Transaction,
  organizationId: string,
  meter: MonthlyMeter,
  count: number,
  time = new Date(),
): Promise<void> {
  await tx
    .insert(usage)
    .values(inMonth(organizationId, meter, count, time))
    .onConflictDoUpdate(addition(meter, count))
}

/** Gives back what was counted at `at` but did not happen. */
export async function refund(
  tx: Transaction,
  organizationId: string,
  meter: MonthlyMeter,
  count: number,
  time = new Date(),
): Promise<void> {
  const by = wholeNumber(count)
  const fewer = sql`case when ${usage[meter]} > ${by} then ${usage[meter]} - ${by} else 0 end`
  await tx
    .update(usage)
    .set({ [meter]: fewer })
    .where(monthOf(organizationId, time))
}

function inMonth(organizationId: string, meter: MonthlyMeter, count: number, time: Date) {
  return { organizationId, year: time.getUTCFullYear(), month: time.getUTCMonth() + 1, [meter]: count }
}

function addition(meter: MonthlyMeter, count: number) {
  return {
    target: [usage.organizationId, usage.year, usage.month],
    set: { [meter]: sql`${usage[meter]} + ${wholeNumber(count)}` },
  }
}

/** Part of the statement's text, because SQLite reads bound numbers as fractions. */
function wholeNumber(count: number) {
  return sql.raw(String(Math.trunc(count)))
}

/** The row of an organization in the month (UTC) of `at`. */
export function monthOf(organizationId: string, time: Date) {
  return and(
    eq(usage.organizationId, organizationId),
    eq(usage.year, time.getUTCFullYear()),
    eq(usage.month, time.getUTCMonth() + 1),
  )
}
