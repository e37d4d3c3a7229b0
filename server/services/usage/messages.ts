import { and, count, eq, gte, or } from 'drizzle-orm'
import { messageStatuses } from '../../../contract/enumerations'
import type { Queries } from '../../../db/database'
import { messages, threads } from '../../../db/schema/threads'

/** A message that is unanswered for longer was lost with its process. */
const maxAnswerMs = 5 * 60_000

/** Messages of the month (UTC) that are answered or being answered; failed ones do not count. */
export async function countMessages(queries: Queries, organizationId: string, now = new Date()): Promise<number> {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const answered = eq(messages.status, messageStatuses.delivered)
  const underWay = and(
    eq(messages.status, messageStatuses.sent),
    gte(messages.createdAt, new Date(now.getTime() - maxAnswerMs)),
  )
  const [row] = await queries
    .select({ many: count() })
    .from(messages)
    .innerJoin(threads, eq(threads.id, messages.threadId))
    .where(
      and(
        eq(threads.organizationId, organizationId),
        eq(messages.role, 'user'),
        gte(messages.createdAt, month),
        or(answered, underWay),
      ),
    )
  return row?.many ?? 0
}
