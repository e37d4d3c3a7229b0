import { and, eq, sql } from 'drizzle-orm'
import type { Queries, Transaction } from '../../../db/database'
import { usage } from '../../../db/schema/usage'

/** Addresses crawled in the month of `now` (UTC). */
export async function crawlsOfMonth(queries: Queries, organizationId: string, now = new Date()): Promise<number> {
  const [row] = await queries.select({ crawls: usage.crawls }).from(usage).where(thisMonth(organizationId, now))
  return row?.crawls ?? 0
}

/** Remaining crawls of the month. A limit of 0 means unlimited. */
export async function crawlsLeft(
  queries: Queries,
  organizationId: string,
  limit: number,
  now = new Date(),
): Promise<number> {
  if (limit === 0) return Number.POSITIVE_INFINITY
  return Math.max(0, limit - (await crawlsOfMonth(queries, organizationId, now)))
}

export async function countCrawls(
  tx: Transaction,
  organizationId: string,
  many: number,
  now = new Date(),
): Promise<void> {
  const values = { organizationId, year: now.getUTCFullYear(), month: now.getUTCMonth() + 1, crawls: many }
  // Part of the statement's text, because SQLite reads bound numbers as fractions.
  const more = sql`${usage.crawls} + ${sql.raw(String(Math.trunc(many)))}`
  await tx
    .insert(usage)
    .values(values)
    .onConflictDoUpdate({ target: [usage.organizationId, usage.year, usage.month], set: { crawls: more } })
}

/** Takes back crawls that were counted but did not happen. */
export async function refundCrawls(
  tx: Transaction,
  organizationId: string,
  many: number,
  now = new Date(),
): Promise<void> {
  const by = sql.raw(String(Math.trunc(many)))
  const fewer = sql`case when ${usage.crawls} > ${by} then ${usage.crawls} - ${by} else 0 end`
  await tx.update(usage).set({ crawls: fewer }).where(thisMonth(organizationId, now))
}

function thisMonth(organizationId: string, now: Date) {
  return and(
    eq(usage.organizationId, organizationId),
    eq(usage.year, now.getUTCFullYear()),
    eq(usage.month, now.getUTCMonth() + 1),
  )
}
