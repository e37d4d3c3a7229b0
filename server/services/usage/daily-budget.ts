import { and, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import { keychains } from '../../../db/schema/keychains'

/**
 * Takes one answer from what an agent may give today (UTC) to callers with a key, in one statement. Returns false, and
 * takes nothing, if the limit is reached. An agent without a keychain has no limit.
 */
export async function takeDailyMessage(tx: Transaction, agentId: string, time: Date): Promise<boolean> {
  const { dailyMessages, countedDay, countedMessages } = keychains
  const day = dayOf(time)
  const taken = await tx
    .update(keychains)
    .set({
      countedMessages: sql`case when ${countedDay} = ${day} then ${countedMessages} + 1 else 1 end`,
      countedDay: day,
    })
    .where(
      and(
        eq(keychains.agentId, agentId),
        or(isNull(dailyMessages), ne(countedDay, day), lt(countedMessages, dailyMessages)),
      ),
    )
    .returning({ agentId: keychains.agentId })
  return taken.length > 0 || !(await hasKeychain(tx, agentId))
}

/**
 * How many answers an agent may still give on the day of `at` to callers with a key: Infinity without a limit, negative if
 * the limit was lowered.
 */
export function leftOnDay(
  { dailyMessages, countedDay, countedMessages }: typeof keychains.$inferSelect,
  time: Date,
): number {
  if (dailyMessages === null) return Number.POSITIVE_INFINITY
  return dailyMessages - (countedDay === dayOf(time) ? countedMessages : 0)
}

/** Gives back an answer that `takeDailyMessage` took at `at`, because nothing was answered. */
export async function refundDailyMessage(tx: Transaction, agentId: string, time: Date): Promise<void> {
  const { countedMessages } = keychains
  await tx
    .update(keychains)
    .set({ countedMessages: sql`${countedMessages} - 1` })
    .where(and(isCountedAt(agentId, time), gt(countedMessages, 0)))
}

/** Counts an answer again that was given back, even over the limit, because it was given after all. */
export async function addDailyMessage(tx: Transaction, agentId: string, time: Date): Promise<void> {
  await tx
    .update(keychains)
    .set({ countedMessages: sql`${keychains.countedMessages} + 1` })
    .where(isCountedAt(agentId, time))
}

/** Whether the day of `at` is the one that is counted. */
function isCountedAt(agentId: string, time: Date) {
  return and(eq(keychains.agentId, agentId), eq(keychains.countedDay, dayOf(time)))
}

/** The day (UTC) of a time, such as 2026-01-31. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

async function hasKeychain(tx: Transaction, agentId: string): Promise<boolean> {
  return (await tx.$count(keychains, eq(keychains.agentId, agentId))) > 0
}
