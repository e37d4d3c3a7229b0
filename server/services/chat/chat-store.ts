import { and, desc, eq, lt } from 'drizzle-orm'
import { messageStatuses } from '../../../contract/enumerations'
import type { ChatInput } from '../../../contract/thread'
import type { FragmentView } from '../../../contract/views/fragment'
import type { MessageView } from '../../../contract/views/thread'
import type { Database } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { messages, threads } from '../../../db/schema/threads'
import { type Actor, personOf } from '../../actor'
import type { AnswerInput } from '../../engine/answering/answer'
import { notFound } from '../../policy'
import type { AgentRow } from '../agents/agent-views'
import { countLiveServers } from '../jobs/workers'
import type { Organizations } from '../organizations/organizations'
import { assertWithinPlan, messagesUsedUp } from '../usage/plan-limits'
import { giveBack, reserve } from '../usage/quota'
import { findThread, type MessageRow, messageView, type ThreadRef } from './threads'

/** The origin of a message. A new thread stores it, except for the language. */
export interface ChatMeta {
  origin: string | null
  ip: string | null
  userAgent: string | null
  /** The visitor's language, which ranks first among equal fragments. */
  language?: string | null
}

/** A stored question whose answer is pending. */
export interface Exchange {
  agent: AgentRow
  threadId: string
  questionId: string
  /** Id of the future answer. */
  answerId: string
  askedAt: Date
  /** Oldest first, without the question. */
  history: AnswerInput['history']
}

/** How an exchange ended. */
export interface Outcome {
  text: string
  fragments: FragmentView[]
  /** The sentence shown if the answer is missing or incomplete. */
  problem: string | null
  /** False if the answer failed or was stopped. */
  isComplete: boolean
  tokensInput: number | null
  tokensOutput: number | null
  /** Milliseconds. */
  tookMs: number | null
  /** The provider refused the agent's own key. */
  keyRefused: boolean
}

const unanswered = { status: messageStatuses.error, statusMessage: 'Not answered' }

/** Older messages never fit a model's context. */
const maxHistory = 200

/** Stores an exchange: one write before the answer, one after it. */
export function createChatStore({ db, organizations }: { db: Database; organizations: Pick<Organizations, 'planOf'> }) {
  /** Stores the question, in a new thread without a `threadId`. Throws not_found for another agent's thread. */
  async function saveQuestion(actor: Actor, agent: AgentRow, input: ChatInput, meta: ChatMeta): Promise<Exchange> {
    const { organizationId } = agent
    const threadId = input.threadId ?? null
    const earlier = threadId === null ? [] : await messagesOf({ organizationId, threadId }, agent.id)
    const askedAt = timeAfter(earlier[0]?.createdAt)
    const question = {
      id: crypto.randomUUID(),
      role: 'user' as const,
      content: input.prompt,
      status: messageStatuses.sent,
      createdAt: askedAt,
    }

    const stored = await db.write(async (tx) => {
      const plan = await organizations.planOf(tx, organizationId)
      if (!(await reserve(tx, organizationId, 'messages', plan.messages, askedAt))) throw messagesUsedUp()
      const id = threadId ?? (await addThread())
      // It may have been deleted since it was read.
      if (threadId !== null) await findThread(tx, { organizationId, threadId })
      await tx.insert(messages).values({ ...question, threadId: id })
      return id

      async function addThread(): Promise<string> {
        assertWithinPlan(plan.threads, await tx.$count(threads, eq(threads.organizationId, organizationId)), 'threads')
        const [row] = await tx
          .insert(threads)
          .values({
            organizationId,
            agentId: agent.id,
            createdBy: personOf(actor),
            provider: agent.provider,
            metaOrigin: meta.origin,
            metaIp: meta.ip,
            metaUserAgent: meta.userAgent,
            createdAt: askedAt,
          })
          .returning({ id: threads.id })
        if (!row) throw new Error('The thread was not stored.')
        return row.id
      }
    })
    const history = earlier.map(({ role, content }) => ({ role, content })).toReversed()
    return { agent, threadId: stored, questionId: question.id, answerId: crypto.randomUUID(), askedAt, history }
  }

  /** Stores the answer, or why there is none. Does nothing when the thread was deleted in the meantime. */
  async function saveAnswer(
    { agent, threadId, questionId, answerId, askedAt }: Exchange,
    outcome: Outcome,
  ): Promise<MessageView> {
    const row: MessageRow = {
      id: answerId,
      threadId,
      role: outcome.text === '' ? 'error' : 'agent',
      provider: agent.provider,
      model: agent.model,
      content: outcome.text,
      status: outcome.isComplete ? messageStatuses.delivered : messageStatuses.error,
      statusMessage: outcome.problem,
      fragments: outcome.fragments,
      tokensInput: outcome.tokensInput,
      tokensOutput: outcome.tokensOutput,
      timeProcessing: outcome.tookMs,
      createdAt: timeAfter(askedAt),
    }
    const question = outcome.text === '' ? unanswered : { status: messageStatuses.delivered }
    await db.write(async (tx) => {
      const [updated] = await tx
        .update(messages)
        .set(question)
        .where(eq(messages.id, questionId))
        .returning({ id: messages.id })
      if (updated) await tx.insert(messages).values(row)
      // A question without an answer does not count against the plan.
      if (outcome.text === '') await giveBack(tx, agent.organizationId, 'messages', 1, askedAt)
      if (outcome.keyRefused && agent.providerKey !== null) {
        // Another key may have been saved in the meantime.
        const same = and(eq(agents.id, agent.id), eq(agents.providerKey, agent.providerKey))
        await tx.update(agents).set({ providerKeyRefused: true }).where(same)
      }
    })
    return messageView(row)
  }

  /**
   * Marks questions from before `startedAt` whose process ended before their answer. Does nothing while another server
   * runs, which may be answering them. If one is answered after all, `saveAnswer` overwrites the mark.
   */
  async function failOrphaned(startedAt: Date): Promise<void> {
    if ((await countLiveServers(db.read)) > 1) return
    const orphaned = and(
      eq(messages.role, 'user'),
      eq(messages.status, messageStatuses.sent),
      lt(messages.createdAt, startedAt),
    )
    await db.write(async (tx) => {
      const rows = await tx
        .select({ organizationId: threads.organizationId, askedAt: messages.createdAt })
        .from(messages)
        .innerJoin(threads, eq(threads.id, messages.threadId))
        .where(orphaned)
      for (const { organizationId, askedAt } of rows) await giveBack(tx, organizationId, 'messages', 1, askedAt)
      await tx.update(messages).set(unanswered).where(orphaned)
    })
  }

  /** Newest first. */
  async function messagesOf(ref: ThreadRef, agentId: string) {
    const thread = await findThread(db.read, ref)
    if (thread.agentId !== agentId) throw notFound()
    return db.read
      .select({ role: messages.role, content: messages.content, createdAt: messages.createdAt })
      .from(messages)
      .where(eq(messages.threadId, thread.id))
      .orderBy(desc(messages.createdAt), desc(messages.id))
      .limit(maxHistory)
  }

  return { saveQuestion, saveAnswer, failOrphaned }
}

/** Returns the current time, at least a millisecond after the previous message, because messages are ordered by time. */
function timeAfter(earlier: Date | undefined): Date {
  return new Date(Math.max(Date.now(), (earlier?.getTime() ?? 0) + 1))
}
