import { and, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { ThreadFilter } from '../../../../contract/chat/thread-filter'
import type { Rating, Verdict } from '../../../../contract/values/enumerations'
import { messages, threads } from '../../../../db/schema/threads'
import { contains } from '../../../../db/sql'

/** The verdict of a thread is that of its last answer with one; likewise its feedback. */
export const threadVerdict = lastOf<Verdict>(sql`${messages.verdict}`)
export const threadFeedback = lastOf<Rating>(sql`${messages.feedback}`)

/** The condition on the threads of an organization that match a filter. */
export function matches(organizationId: string, filter: ThreadFilter): SQL | undefined {
  const { agentId, createdBy, verdict, feedback, question, externalUserId, createdSince, createdUntil } = filter
  return and(
    eq(threads.organizationId, organizationId),
    agentId ? eq(threads.agentId, agentId) : undefined,
    createdBy ? eq(threads.createdBy, createdBy) : undefined,
    externalUserId ? eq(threads.externalUserId, externalUserId) : undefined,
    createdSince ? gte(threads.createdAt, createdSince) : undefined,
    createdUntil ? lte(threads.createdAt, createdUntil) : undefined,
    verdict ? sql`${threadVerdict} = ${verdict}` : undefined,
    feedback ? sql`${threadFeedback} = ${feedback}` : undefined,
    question ? asks(question) : undefined,
  )
}

/** The last value of a column of a thread's messages, null without one. */
function lastOf<Value>(column: SQL): SQL<Value | null> {
  return sql<Value | null>`(select ${column} from ${messages} where ${messages.threadId} = ${threads.id} and ${column} is not null order by ${messages.createdAt} desc, ${messages.id} desc limit 1)`
}

/** Whether one of a thread's questions has the text. */
function asks(text: string): SQL {
  return sql`exists (select 1 from ${messages} where ${messages.threadId} = ${threads.id} and ${messages.role} = 'user' and ${contains(messages.content, text)})`
}
