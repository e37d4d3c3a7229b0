import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { publicStatusMessage } from '../../../../contract/texts/chat/message-status'
import { threadNotFound } from '../../../../contract/texts/chat/threads'
import type { MessageStatus } from '../../../../contract/values/enumerations'
import type { PublishedThreadView, ThreadView } from '../../../../contract/views/chat/thread'
import type { Database } from '../../../../db/database'
import { agents } from '../../../../db/schema/agents'
import { keychains } from '../../../../db/schema/keychains'
import { messages, threads } from '../../../../db/schema/threads'
import type { Actor } from '../../../actor'
import { AppError } from '../../../errors'
import { authorizeThread, notFound } from '../../../policy'
import { recordEvent } from '../../audit/record-event'
import type { Suggestions } from '../../suggestions/suggestions'
import { citedSources } from '../cited-sources'
import { type ThreadRef, threadEvent, threadMatches } from './threads'

type SharedThread = Pick<ThreadView, 'id' | 'published_at'>

interface Deps {
  db: Database
  suggestions: Pick<Suggestions, 'ofAgent'>
}

/** What readers of a shared thread need to ask a question of their own. */
export interface ThreadInvitation {
  publicKey: string
  suggestions: string[]
}

/** Threads that everybody with the address may read. */
export function createSharedThreads({ db, suggestions }: Deps) {
  /** Shares a thread. A thread that is shared already keeps its date. */
  async function share(actor: Actor, ref: ThreadRef): Promise<SharedThread> {
    authorizeThread(actor, 'thread:share', ref)
    const publishedAt = await db.writeAlone(ref.threadId, async (tx) => {
      const [thread] = await tx.select({ publishedAt: threads.publishedAt }).from(threads).where(threadMatches(ref))
      if (!thread) throw notFound()
      if (thread.publishedAt) return thread.publishedAt
      const since = new Date()
      await tx.update(threads).set({ publishedAt: since }).where(threadMatches(ref))
      await recordEvent(tx, actor, { ...threadEvent(ref), action: 'thread.shared' })
      return since
    })
    return { id: ref.threadId, published_at: publishedAt.toISOString() }
  }

  /** A thread that is not shared stays so. */
  async function unshare(actor: Actor, ref: ThreadRef): Promise<SharedThread> {
    authorizeThread(actor, 'thread:share', ref)
    await db.writeAlone(ref.threadId, async (tx) => {
      const [thread] = await tx.select({ publishedAt: threads.publishedAt }).from(threads).where(threadMatches(ref))
      if (!thread) throw notFound()
      if (!thread.publishedAt) return
      await tx.update(threads).set({ publishedAt: null }).where(threadMatches(ref))
      await recordEvent(tx, actor, { ...threadEvent(ref), action: 'thread.unshared' })
    })
    return { id: ref.threadId, published_at: null }
  }

  /** Returns a shared thread without its private fields, for anybody. Throws not_found. */
  async function published(threadId: string): Promise<PublishedThreadView> {
    const [row] = await db.read
      .select({ thread: threads, agentName: agents.name })
      .from(threads)
      .leftJoin(agents, eq(agents.id, threads.agentId))
      .where(and(eq(threads.id, threadId), isNotNull(threads.publishedAt)))
    if (!row?.thread.publishedAt) throw new AppError('not_found', threadNotFound)
    const rows = await db.read
      .select()
      .from(messages)
      .where(eq(messages.threadId, threadId))
      .orderBy(asc(messages.createdAt), asc(messages.id))
    return {
      id: row.thread.id,
      title: row.thread.title,
      agent: row.agentName === null ? null : { name: row.agentName },
      created_at: row.thread.createdAt.toISOString(),
      published_at: row.thread.publishedAt.toISOString(),
      messages: rows.map((message) => ({
        id: message.id,
        role: message.role,
        content: message.content,
        status: message.status as MessageStatus,
        status_message: publicStatusMessage(message.status as MessageStatus, message.statusMessage),
        created_at: message.createdAt.toISOString(),
        sources: citedSources(message),
      })),
    }
  }

  /**
   * Returns the public key with which readers of a shared thread may ask its agent, and what it suggests to them; null
   * without keys, and for an agent that answers no questions.
   */
  async function invitation(threadId: string, language: string | null): Promise<ThreadInvitation | null> {
    const [row] = await db.read
      .select({ agent: agents, publicKey: keychains.publicKey })
      .from(threads)
      .innerJoin(agents, eq(agents.id, threads.agentId))
      .innerJoin(keychains, eq(keychains.agentId, agents.id))
      .where(and(eq(threads.id, threadId), isNotNull(threads.publishedAt)))
    if (!row || row.agent.disabled || row.agent.archivedAt !== null || row.agent.collectionId === null) return null
    return { publicKey: row.publicKey, suggestions: await suggestions.ofAgent(row.agent, language) }
  }

  return { share, unshare, published, invitation }
}
