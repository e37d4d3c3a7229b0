import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { and, count, eq, gte, isNotNull, lt } from 'drizzle-orm'
import type { QuestionDay } from '../../../contract/views/overview'
import type { Queries } from '../../../db/database'
import { messages, threads } from '../../../db/schema/threads'

const dayMs = 86_400_000
const days = 30

/**
 * Counts the answers of the last 30 days by the day (UTC) on which their conversation began. One query a day leaves the
 * event loop to others.
 */
export async function questionDays(queries: Queries, organizationId: string, now: Date): Promise<QuestionDay[]> {
  const today = Math.floor(now.getTime() / dayMs)
  const counts: QuestionDay[] = []
  for (let day = today - days + 1; day <= today; day++) {
    await yieldToEventLoop()
    const rows = await queries
      .select({ verdict: messages.verdict, many: count() })
      .from(threads)
      .innerJoin(messages, eq(messages.threadId, threads.id))
      .where(
        and(
          eq(threads.organizationId, organizationId),
          gte(threads.createdAt, new Date(day * dayMs)),
          lt(threads.createdAt, new Date((day + 1) * dayMs)),
          isNotNull(messages.verdict),
        ),
      )
      .groupBy(messages.verdict)
    const countOf = (isFound: boolean) =>
      rows.reduce((sum, { verdict, many }) => sum + ((verdict !== 'not-found') === isFound ? many : 0), 0)
    const name = new Date(day * dayMs).toISOString().slice(0, 10)
    counts.push({ day: name, answered: countOf(true), not_found: countOf(false) })
  }
  return counts
}
