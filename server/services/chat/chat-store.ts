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
import { AppError } from '../../errors'
import { notFound } from '../../policy'
import type { AgentRow } from '../agents/agents'
import { serversAlive } from '../jobs/jobs'
import { assertBelow, type Organizations } from '../organizations/organizations'
import { countMessages } from '../usage/messages'
import { findThread, type MessageRow, messageView } from './threads'

/** Where a message comes from; kept with a new thread, but for the language. */
export interface ChatMeta {
  origin: string | null
  ip: string | null
  userAgent: string | null
  /** The visitor's: fragments in it are preferred among equals. */
  language?: string | null
}

/** One question on its way to an answer. */
export interface Exchange {
  agent: AgentRow
  threadId: string
  questionId: string
  /** The id that the answer will have. */
  answerId: string
  askedAt: Date
  /** Oldest first, without the question. */
  history: AnswerInput['history']
}

/** How it ended. */
export interface Outcome {
  text: string
  fragments: FragmentView[]
  /** What a person reads where the answer is missing or not whole. */
  problem: string | null
  /** False where the answer failed or was stopped. */
  whole: boolean
  tokensInput: number | null
  tokensOutput: number | null
  /** Milliseconds. */
  tookMs: number | null
  /** The provider said no to the agent's own key. */
  keyRefused: boolean
}

const notAnswered = { status: messageStatuses.error, statusMessage: 'Not answered' }

/** More than any model is sent; older ones would not fit its budget. */
const longestHistory = 200

/** What chat stores: one write before the answer, one after it. */
export function createConversations({
  db,
  organizations,
}: {
  db: Database
  organizations: Pick<Organizations, 'planOf'>
}) {
  /** Stores the question, in a new thread when none is named. A foreign thread is a missing one. */
  async function begin(actor: Actor, agent: AgentRow, input: ChatInput, meta: ChatMeta): Promise<Exchange> {
    const { organizationId } = agent
    const threadId = input.threadId ?? null
    const earlier = threadId === null ? [] : await messagesOf(organizationId, agent.id, threadId)
    const askedAt = after(earlier[0]?.createdAt)
    const question = {
      id: crypto.randomUUID(),
      role: 'user' as const,
      content: input.prompt,
      status: messageStatuses.sent,
      createdAt: askedAt,
    }

    const stored = await db.write(async (tx) => {
      const plan = await organizations.planOf(tx, organizationId)
      if (plan.messages > 0 && (await countMessages(tx, organizationId)) >= plan.messages) throw noMoreMessages()
      const id = threadId ?? (await addThread())
      // It may have been deleted since it was read.
      if (threadId !== null) await findThread(tx, organizationId, threadId)
      await tx.insert(messages).values({ ...question, threadId: id })
      return id

      async function addThread(): Promise<string> {
        assertBelow(plan.threads, await tx.$count(threads, eq(threads.organizationId, organizationId)), 'threads')
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

  /** Stores the answer, or why there is none. A thread that was deleted meanwhile stays so. */
  async function end(
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
      status: outcome.whole ? messageStatuses.delivered : messageStatuses.error,
      statusMessage: outcome.problem,
      fragments: outcome.fragments,
      tokensInput: outcome.tokensInput,
      tokensOutput: outcome.tokensOutput,
      timeProcessing: outcome.tookMs,
      createdAt: after(askedAt),
    }
    // A message whose answer failed is not counted against the plan.
    const question = outcome.text === '' ? notAnswered : { status: messageStatuses.delivered }
    await db.write(async (tx) => {
      const [updated] = await tx
        .update(messages)
        .set(question)
        .where(eq(messages.id, questionId))
        .returning({ id: messages.id })
      if (updated) await tx.insert(messages).values(row)
      if (outcome.keyRefused && agent.providerKey !== null) {
        // Another key may have been saved since.
        const same = and(eq(agents.id, agent.id), eq(agents.providerKey, agent.providerKey))
        await tx.update(agents).set({ providerKeyRefused: true }).where(same)
      }
    })
    return messageView(row)
  }

  /**
   * Marks questions from before `startedAt` whose process ended before their answer. Leaves them alone while another
   * server runs, which may be at them. Should one be answered after all, `end` has the last word.
   */
  async function endLost(startedAt: Date): Promise<void> {
    if ((await serversAlive(db.read)) > 1) return
    const lost = and(
      eq(messages.role, 'user'),
      eq(messages.status, messageStatuses.sent),
      lt(messages.createdAt, startedAt),
    )
    await db.writeOne((tx) => tx.update(messages).set(notAnswered).where(lost))
  }

  /** Newest first. */
  async function messagesOf(organizationId: string, agentId: string, threadId: string) {
    const thread = await findThread(db.read, organizationId, threadId)
    if (thread.agentId !== agentId) throw notFound()
    return db.read
      .select({ role: messages.role, content: messages.content, createdAt: messages.createdAt })
      .from(messages)
      .where(eq(messages.threadId, threadId))
      .orderBy(desc(messages.createdAt), desc(messages.id))
      .limit(longestHistory)
  }

  return { begin, end, endLost }
}

/** Now, yet later than the message before it: time is what messages are ordered by. */
function after(earlier: Date | undefined): Date {
  return new Date(Math.max(Date.now(), (earlier?.getTime() ?? 0) + 1))
}

function noMoreMessages(): AppError {
  return new AppError('quota_exceeded', 'You can no longer send any more messages.', {
    details: { title: 'Chat API usage limit reached' },
  })
}
