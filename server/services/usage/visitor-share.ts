import { and, eq, gte, lte, ne, or, sql } from 'drizzle-orm'
import type { Queries, Transaction } from '../../../db/database'
import { organizations } from '../../../db/schema/organizations'
import { visitorUsage } from '../../../db/schema/usage'
import type { Actor } from '../../actor'
import { dayOf } from './daily-budget'

/** What visitors share: the monthly limits that a call with a public key counts toward. */
export type VisitorMeter = 'messages' | 'searches' | 'apiRequests'

/** Whether the caller has the public key of an agent, as every visitor of a page does, who may not know the plan. */
export function isVisitor(actor: Actor): boolean {
  return (actor.kind === 'key' || actor.kind === 'visitor') && actor.keyType === 'public'
}

/**
 * Takes `count` from what the organization's visitors may use of a monthly limit on the day (UTC) of `at`, so that they
 * cannot use up the month of its own programs and people. Returns false, and takes nothing, if less of their share is left.
 * A limit of 0 means unlimited.
 */
export async function takeVisitorShare(
  tx: Transaction,
  organizationId: string,
  meter: VisitorMeter,
  monthlyLimit: number,
  time: Date,
  count = 1,
): Promise<boolean> {
  if (monthlyLimit === 0) return true
  const share = await shareOf(tx, organizationId, monthlyLimit)
  const day = dayOf(time)
  const counter = visitorUsage[meter]
  const onNewDay = { messages: 0, searches: 0, apiRequests: 0, [meter]: count }
  const counted = await tx
    .insert(visitorUsage)
    .values({ organizationId, day, ...onNewDay })
    .onConflictDoUpdate({
      target: visitorUsage.organizationId,
      set: {
        messages: onDay(day, 'messages', meter, count),
        searches: onDay(day, 'searches', meter, count),
        apiRequests: onDay(day, 'apiRequests', meter, count),
        day,
      },
      setWhere: or(ne(visitorUsage.day, day), lte(counter, share - count)),
    })
    .returning({ organizationId: visitorUsage.organizationId })
  return counted.length > 0
}

/** Returns what is left of the visitors' share of a monthly limit, which is not 0, on the day (UTC) of `time`. */
export async function visitorShareLeft(
  queries: Queries,
  organizationId: string,
  meter: VisitorMeter,
  monthlyLimit: number,
  time: Date,
): Promise<number> {
  const [row] = await queries
    .select({ used: visitorUsage[meter] })
    .from(visitorUsage)
    .where(and(eq(visitorUsage.organizationId, organizationId), eq(visitorUsage.day, dayOf(time))))
  return (await shareOf(queries, organizationId, monthlyLimit)) - (row?.used ?? 0)
}

/** Gives back what `takeVisitorShare` took at `time`, because nothing was done for it. */
export async function refundVisitorShare(
  tx: Transaction,
  organizationId: string,
  meter: VisitorMeter,
  time: Date,
  count = 1,
): Promise<void> {
  const counter = visitorUsage[meter]
  await tx
    .update(visitorUsage)
    .set({ [meter]: sql`${counter} - ${sql.raw(String(count))}` })
    .where(and(eq(visitorUsage.organizationId, organizationId), eq(visitorUsage.day, dayOf(time)), gte(counter, count)))
}

/** What the visitors of an organization may use of a monthly limit on one day. */
async function shareOf(queries: Queries, organizationId: string, monthlyLimit: number): Promise<number> {
  return Math.max(1, Math.floor((monthlyLimit * (await sharePercentOf(queries, organizationId))) / 100))
}

async function sharePercentOf(queries: Queries, organizationId: string): Promise<number> {
  const [row] = await queries
    .select({ percent: organizations.visitorDailyShare })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row?.percent ?? 0
}

/** The new value of a counter: it starts again with the day, and grows if it is the one that is taken. */
function onDay(day: string, name: VisitorMeter, taken: VisitorMeter, count: number) {
  const added = name === taken ? count : 0
  const counter = visitorUsage[name]
  return sql`case when ${visitorUsage.day} = ${day} then ${counter} + ${sql.raw(String(added))} else ${sql.raw(String(added))} end`
}
