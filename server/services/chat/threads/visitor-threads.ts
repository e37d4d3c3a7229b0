import { and, asc, eq } from 'drizzle-orm'
import type { FeedbackInput } from '../../../../contract/chat/thread'
import { publicStatusMessage } from '../../../../contract/texts/chat/message-status'
import type { MessageStatus } from '../../../../contract/values/enumerations'
import type { VisitorThreadView } from '../../../../contract/views/chat/thread'
import type { Database } from '../../../../db/database'
import { messages } from '../../../../db/schema/threads'
import type { Actor } from '../../../actor'
import { notFound } from '../../../policy'
import { citedSources } from '../cited-sources'
import { findThread, type ThreadRef } from './threads'

/** What visitors may do with their own threads, besides continuing, sharing and deleting them. */
export function createVisitorThreads({ db }: { db: Database }) {
  /** Returns the thread with its messages, oldest first. */
  async function get(actor: Actor, threadId: string): Promise<VisitorThreadView> {
    const thread = await findThread(db.read, ownThread(actor, threadId))
    const rows = await db.read
      .select()
      .from(messages)
      .where(eq(messages.threadId, threadId))
      .orderBy(asc(messages.createdAt), asc(messages.id))
    return {
      id: thread.id,
      title: thread.title,
      created_at: thread.createdAt.toISOString(),
      published_at: thread.publishedAt?.toISOString() ?? null,
      messages: rows.map((message) => ({
        id: message.id,
        role: message.role,
        content: message.content,
        status: message.status as MessageStatus,
        status_message: publicStatusMessage(message.status as MessageStatus, message.statusMessage),
        created_at: message.createdAt.toISOString(),
        verdict: message.verdict,
        cited: message.cited,
        sources: citedSources(message),
        feedback: message.feedback,
      })),
    }
  }

  /** Stores the visitor's opinion of an answer, in place of an earlier one. */
  async function giveFeedback(
    actor: Actor,
    threadId: string,
    messageId: string,
    { rating, comment }: FeedbackInput,
  ): Promise<void> {
    const thread = await findThread(db.read, ownThread(actor, threadId))
    const answer = and(eq(messages.id, messageId), eq(messages.threadId, thread.id), eq(messages.role, 'agent'))
    const [rated] = await db.writeOne((tx) =>
      tx
        .update(messages)
        .set({ feedback: rating, feedbackComment: comment })
        .where(answer)
        .returning({ id: messages.id }),
    )
    if (!rated) throw notFound()
  }

  return { get, giveFeedback }
}

/** Throws not_found for anybody but the visitor who began the thread. */
function ownThread(actor: Actor, threadId: string): ThreadRef {
  if (actor.kind !== 'visitor' || actor.threadId !== threadId) throw notFound()
  return { organizationId: actor.organizationId, threadId }
}
