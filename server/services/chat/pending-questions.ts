import { and, eq, isNotNull, type SQL } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { messages, threads } from '../../../db/schema/threads'

/** Counts the questions of an organization that are being answered. Those that get no answer are given back to the plan. */
export async function pendingQuestions(queries: Queries, organizationId: string): Promise<number> {
  return countPending(queries, eq(threads.organizationId, organizationId))
}

/** Counts the questions that callers with a key have asked an agent and that are being answered. */
export async function pendingKeyQuestions(queries: Queries, agentId: string): Promise<number> {
  return countPending(queries, and(eq(threads.agentId, agentId), isNotNull(threads.visitorTokenHash)))
}

async function countPending(queries: Queries, condition: SQL | undefined): Promise<number> {
  const rows = await queries
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(threads, eq(threads.id, messages.threadId))
    .where(and(isNotNull(messages.leasedUntil), condition))
  return rows.length
}
