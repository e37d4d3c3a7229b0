import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import type { ThreadFilter } from '../../../../contract/chat/thread-filter'
import { threadExport } from '../../../../contract/texts/chat/thread-export'
import type { Database } from '../../../../db/database'
import { messages, threads } from '../../../../db/schema/threads'
import type { Actor } from '../../../actor'
import { authorize } from '../../../policy'
import { recordEvent } from '../../audit/record-event'
import { deleteThreads } from './delete-threads'
import { matches } from './matching-threads'
import { type MessageRow, messageView } from './threads'

/** Threads that one call deletes at most. */
const maxDeleted = 10_000
const exportBatchSize = 20

/** Deletes and exports all threads of an organization that match a filter. */
export function createThreadSelections({ db }: { db: Database }) {
  /** Deletes the oldest 10,000 threads that match, with their messages. Returns how many, and how many are left. */
  async function remove(
    actor: Actor,
    organizationId: string,
    filter: ThreadFilter,
  ): Promise<{ deleted: number; remaining: number }> {
    authorize(actor, 'thread:delete', organizationId)
    const condition = matches(organizationId, filter)
    const deleted = await deleteThreads(db, condition, { max: maxDeleted })
    if (deleted > 0)
      await db.write((tx) =>
        recordEvent(tx, actor, {
          organizationId,
          action: 'threads.deleted',
          subject: { id: organizationId, name: '' },
          changes: [{ field: 'threads', to: String(deleted) }],
        }),
      )
    return { deleted, remaining: deleted < maxDeleted ? 0 : await db.read.$count(threads, condition) }
  }

  /** Returns the threads that match, the oldest first, each as one line of JSON with its messages. */
  function exportLines(actor: Actor, organizationId: string, filter: ThreadFilter): AsyncGenerator<string> {
    authorize(actor, 'thread:read', organizationId)
    return lines(organizationId, filter)
  }

  async function* lines(organizationId: string, filter: ThreadFilter): AsyncGenerator<string> {
    const { createdAt, id } = threads
    const condition = matches(organizationId, filter)
    for (let last: { createdAt: Date; id: string } | undefined; ; ) {
      const isAfter = last && or(gt(createdAt, last.createdAt), and(eq(createdAt, last.createdAt), gt(id, last.id)))
      const rows = await db.read
        .select()
        .from(threads)
        .where(and(condition, isAfter))
        .orderBy(asc(createdAt), asc(id))
        .limit(exportBatchSize)
      last = rows.at(-1)
      if (!last) return
      // Requests go on between two batches.
      await nextTurn()
      const ofThreads = await messagesOf(rows.map((row) => row.id))
      for (const thread of rows) {
        const views = (ofThreads.get(thread.id) ?? []).map(messageView)
        const { agentId: agent_id, title } = thread
        yield `${JSON.stringify(threadExport({ id: thread.id, agent_id, title, messages: views }))}\n`
      }
    }
  }

  async function messagesOf(threadIds: string[]): Promise<Map<string, MessageRow[]>> {
    const byThread = new Map<string, MessageRow[]>()
    const rows = await db.read
      .select()
      .from(messages)
      .where(inArray(messages.threadId, threadIds))
      .orderBy(asc(messages.createdAt), asc(messages.id))
    for (const row of rows) byThread.set(row.threadId, [...(byThread.get(row.threadId) ?? []), row])
    return byThread
  }

  return { remove, exportLines }
}
