import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import type { ThreadFilter } from '../../../../contract/chat/thread-filter'
import { type MessageStatus, messageStatuses } from '../../../../contract/values/enumerations'
import type { Paged, Paging } from '../../../../contract/values/paging'
import type { FragmentView } from '../../../../contract/views/chat/fragment'
import type { ListedThreadView, MessageView, ThreadView } from '../../../../contract/views/chat/thread'
import type { Database, Queries } from '../../../../db/database'
import { agents } from '../../../../db/schema/agents'
import { messages, threads } from '../../../../db/schema/threads'
import type { Actor } from '../../../actor'
import { isAppError } from '../../../errors'
import { authorize, authorizeThread, can, notFound } from '../../../policy'
import { recordEvent } from '../../audit/record-event'
import { organizationOf } from '../../organizations/organizations'
import { pageOf, rowsBefore } from '../../paging'
import { matches, threadFeedback, threadVerdict } from './matching-threads'

const { delivered, read } = messageStatuses

export type ThreadRow = typeof threads.$inferSelect
export type MessageRow = typeof messages.$inferSelect

/** A thread, with the organization that it has to be in. */
export interface ThreadRef {
  organizationId: string
  threadId: string
}

export function createThreads({ db }: { db: Database }) {
  /** Lists the organization's threads that match the filter, newest first. */
  async function list(
    actor: Actor,
    organizationId: string,
    { page, limit, ...filter }: Paging & ThreadFilter,
  ): Promise<Paged<ListedThreadView>> {
    authorize(actor, 'thread:read', organizationId)
    const paging = { page, limit }
    const condition = matches(organizationId, filter)
    const rows = await db.read
      .select({ thread: threads, agentName: agents.name, verdict: threadVerdict, feedback: threadFeedback })
      .from(threads)
      .leftJoin(agents, eq(agents.id, threads.agentId))
      .where(condition)
      .orderBy(desc(threads.createdAt), desc(threads.id))
      .limit(paging.limit)
      .offset(rowsBefore(paging))
    const total = await db.read.$count(threads, condition)
    const organization = await organizationOf(db.read, organizationId)
    const docs = rows.map(({ thread, agentName, verdict, feedback }) => ({
      ...threadView(actor, thread, { agentName, organization }),
      verdict,
      feedback,
    }))
    return pageOf(docs, total, paging)
  }

  /** Returns a thread with its messages, oldest first. */
  async function get(actor: Actor, ref: ThreadRef): Promise<ThreadView & { messages: MessageView[] }> {
    authorize(actor, 'thread:read', ref.organizationId)
    const thread = await findThread(db.read, ref)
    const [agent] = thread.agentId
      ? await db.read.select({ name: agents.name }).from(agents).where(eq(agents.id, thread.agentId))
      : []
    const rows = await db.read
      .select()
      .from(messages)
      .where(eq(messages.threadId, thread.id))
      .orderBy(asc(messages.createdAt), asc(messages.id))
    const organization = await organizationOf(db.read, ref.organizationId)
    const view = threadView(actor, thread, { agentName: agent?.name ?? null, organization })
    return { ...view, messages: rows.map(messageView) }
  }

  /** Returns what `get` does, for a person who reads it: delivered answers become read. */
  async function open(actor: Actor, ref: ThreadRef): Promise<ThreadView & { messages: MessageView[] }> {
    const thread = await get(actor, ref)
    const unread = thread.messages.filter(({ role, status }) => role === 'agent' && status === delivered)
    if (unread.length === 0) return thread
    const ids = unread.map(({ id }) => id)
    try {
      await db.writeOne((tx) => tx.update(messages).set({ status: read }).where(inArray(messages.id, ids)))
    } catch (error) {
      // Reading goes on while the disk is full.
      if (!isAppError(error)) throw error
      return thread
    }
    return {
      ...thread,
      messages: thread.messages.map((message) => (unread.includes(message) ? { ...message, status: read } : message)),
    }
  }

  /** Deletes a thread with its messages. */
  async function remove(actor: Actor, ref: ThreadRef): Promise<void> {
    authorizeThread(actor, 'thread:delete', ref)
    await db.write(async (tx) => {
      const [removed] = await tx.delete(threads).where(threadMatches(ref)).returning({ id: threads.id })
      if (!removed) throw notFound()
      await recordEvent(tx, actor, { ...threadEvent(ref), action: 'thread.deleted' })
    })
  }

  /** Returns the fragments of an answer as they were then, in the order of their numbers. */
  async function messageFragments(actor: Actor, ref: ThreadRef, messageId: string): Promise<FragmentView[]> {
    authorize(actor, 'thread:read', ref.organizationId)
    await findThread(db.read, ref)
    const [row] = await db.read
      .select({ fragments: messages.fragments })
      .from(messages)
      .where(and(eq(messages.id, messageId), eq(messages.threadId, ref.threadId)))
    if (!row) throw notFound()
    return row.fragments
  }

  return { list, get, open, remove, messageFragments }
}

export type Threads = ReturnType<typeof createThreads>

/** Throws not_found. */
export async function findThread(queries: Queries, ref: ThreadRef): Promise<ThreadRow> {
  const [row] = await queries.select().from(threads).where(threadMatches(ref))
  if (!row) throw notFound()
  return row
}

export function messageView(row: MessageRow): MessageView {
  return {
    id: row.id,
    thread_id: row.threadId,
    role: row.role,
    provider: row.provider,
    model: row.model,
    content: row.content,
    status: row.status as MessageStatus,
    status_message: row.statusMessage,
    created_at: row.createdAt.toISOString(),
    tokens_input: row.tokensInput,
    tokens_output: row.tokensOutput,
    time_processing: row.timeProcessing,
    time_search: row.timeSearch,
    time_first_text: row.timeFirstText,
    query: row.searchQuery,
    translated_query: row.translatedQuery,
    verdict: row.verdict,
    cited: row.cited,
    fragments: row.fragments,
    candidates: row.candidates,
    feedback: row.feedback,
    feedback_comment: row.feedbackComment,
  }
}

/** The title of a thread is the text of a question, which the log must not hold. */
export function threadEvent({ organizationId, threadId }: ThreadRef) {
  return { organizationId, subject: { id: threadId, name: '' } }
}

/** The condition on the thread that a ref names. */
export function threadMatches({ organizationId, threadId }: ThreadRef) {
  return and(eq(threads.id, threadId), eq(threads.organizationId, organizationId))
}

export function threadView(
  actor: Actor,
  row: ThreadRow,
  { agentName, organization }: { agentName: string | null; organization: { name: string } },
): ThreadView {
  return {
    id: row.id,
    title: row.title,
    agent_id: row.agentId,
    agent: agentName === null ? null : { name: agentName },
    organization_id: row.organizationId,
    organization,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    provider: row.provider,
    provider_thread_id: row.providerThreadId,
    published_at: row.publishedAt?.toISOString() ?? null,
    meta_origin: row.metaOrigin,
    meta_ip: row.metaIp,
    meta_user_agent: row.metaUserAgent,
    external_user_id: row.externalUserId,
    external_user_email: row.externalUserEmail,
    external_session_id: row.externalSessionId,
    abilities: {
      delete: can(actor, 'thread:delete', row.organizationId),
      share: can(actor, 'thread:share', row.organizationId),
    },
  }
}
