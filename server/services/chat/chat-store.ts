import { and, desc, eq, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import type { ChatInput } from '../../../contract/chat/thread'
import { messageStatuses } from '../../../contract/values/enumerations'
import type { MessageView } from '../../../contract/views/chat/thread'
import type { Database, Queries, Transaction } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { messages, threads } from '../../../db/schema/threads'
import { type Actor, personOf } from '../../actor'
import type { Turn } from '../../engine/answering/prompt'
import type { AppError } from '../../errors'
import { notFound } from '../../policy'
import { hashToken, randomToken } from '../../tokens'
import { storedIp, type VisitorIp } from '../../visitor-ip'
import type { AgentRow } from '../agents/agent-views'
import { findKeychain } from '../keychains/keychains'
import { markKeyAccepted, markKeyRefused } from '../keys/agent-keys'
import { findOrganization, type Organizations } from '../organizations/organizations'
import { addDailyMessage, leftOnDay, refundDailyMessage, takeDailyMessage } from '../usage/daily-budget'
import {
  dailyMessagesUsedUp,
  messageQuotaExceeded,
  messagesPending,
  planLimitReached,
  visitorShareUsedUp,
} from '../usage/plan-limits'
import { addUse, leftInMonth, refund, reserve, usedInMonth } from '../usage/quota'
import { isVisitor, refundVisitorShare, takeVisitorShare } from '../usage/visitor-share'
import type { AnswerDraft } from './answer-draft'
import { type Outcome, unanswered } from './outcome'
import { leaseFrom, pendingKeyQuestions, pendingQuestions } from './question-leases'
import { threadTitle } from './threads/thread-title'
import { findThread, type MessageRow, messageView, type ThreadRef } from './threads/threads'

/** The origin of a message. A new thread stores it, except for the language. */
export interface ChatMeta {
  origin: string | null
  ip: string | null
  userAgent: string | null
  /** What the host page says of its visitor. */
  externalUserId?: string | null
  externalUserEmail?: string | null
  externalSessionId?: string | null
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
  /** Whether it counts toward the agent's limit of a day. */
  isCountedDaily: boolean
  /** Whether it counts toward the visitors' share of the organization's messages. */
  isByVisitor: boolean
  /** Token of the visitor who began the thread with a key, for later calls about it; null for others. */
  visitorToken: string | null
  /** Oldest first, without the question, and without messages that have no text. */
  history: Turn[]
}

/** Older messages never fit a model's context. */
const maxHistory = 200

/** Threads that a new one replaces at most, where a plan was lowered. */
const maxReplaced = 20

export interface ChatStoreDeps {
  db: Database
  organizations: Pick<Organizations, 'planOf'>
  visitorIp: VisitorIp
}

/** Stores an exchange: one write before the answer, one after it. */
export function createChatStore({ db, organizations, visitorIp }: ChatStoreDeps) {
  /** Throws the errors of `saveQuestion` that need no write, so that a message that is rejected is sent nowhere. */
  async function assertAdmissible(actor: Actor, agent: AgentRow, { threadId }: ChatInput): Promise<void> {
    const { organizationId } = agent
    if (!mayContinue(actor, threadId ?? null)) throw notFound()
    if (threadId) await findThreadOf(agent.id, { organizationId, threadId })
    const { messages: limit } = await organizations.planOf(db.read, organizationId)
    if ((await leftInMonth(db.read, organizationId, 'messages', limit)) === 0)
      throw await monthReached(db.read, actor, organizationId, limit)
  }

  /**
   * Stores the question, in a new thread without a `threadId`. Throws not_found for another agent's thread, and for a
   * visitor's other than the visitor's own.
   */
  async function saveQuestion(actor: Actor, agent: AgentRow, input: ChatInput, meta: ChatMeta): Promise<Exchange> {
    const { organizationId } = agent
    const threadId = input.threadId ?? null
    const isCountedDaily = actor.kind === 'key' || actor.kind === 'visitor'
    const isByVisitor = isVisitor(actor)
    const visitorToken = actor.kind === 'key' ? randomToken() : null
    const earlier = threadId === null ? [] : await messagesOf({ organizationId, threadId }, agent.id)
    const askedAt = timeAfter(earlier[0]?.createdAt)
    const question = {
      id: crypto.randomUUID(),
      role: 'user' as const,
      content: input.prompt,
      status: messageStatuses.sent,
      leasedUntil: leaseFrom(new Date()),
      createdAt: askedAt,
    }

    // Threads are counted against the plan.
    const stored = await db.writeAlone(threadId === null ? organizationId : [], async (tx) => {
      const plan = await organizations.planOf(tx, organizationId)
      if (!(await reserve(tx, organizationId, 'messages', plan.messages, askedAt)))
        throw await monthReached(tx, actor, organizationId, plan.messages)
      if (isByVisitor && !(await takeVisitorShare(tx, organizationId, 'messages', plan.messages, askedAt)))
        throw visitorShareUsedUp()
      if (isCountedDaily && !(await takeDailyMessage(tx, agent.id, askedAt)))
        throw await dayReached(tx, agent.id, askedAt)
      const id = threadId ?? (await addThread())
      // It may have been deleted since it was read.
      if (threadId !== null) await findThread(tx, { organizationId, threadId })
      await tx.insert(messages).values({ ...question, threadId: id })
      return id

      async function addThread(): Promise<string> {
        if (!(await hasRoomForThread(tx, organizationId, plan.threads)))
          throw planLimitReached({ actor, organizationId }, plan.threads, 'thread')
        const [row] = await tx
          .insert(threads)
          .values({
            organizationId,
            agentId: agent.id,
            title: threadTitle(input.prompt),
            createdBy: personOf(actor),
            visitorTokenHash: visitorToken === null ? null : hashToken(visitorToken),
            provider: agent.provider,
            metaOrigin: meta.origin,
            metaIp: storedIp(meta.ip, visitorIp),
            metaUserAgent: meta.userAgent,
            externalUserId: meta.externalUserId ?? null,
            externalUserEmail: meta.externalUserEmail ?? null,
            externalSessionId: meta.externalSessionId ?? null,
            createdAt: askedAt,
          })
          .returning({ id: threads.id })
        if (!row) throw new Error('The thread was not stored.')
        return row.id
      }
    })
    const history = threadId === null ? (input.history ?? []) : earlier.flatMap(turnOf).toReversed()
    const ids = { threadId: stored, questionId: question.id, answerId: crypto.randomUUID() }
    return { agent, ...ids, askedAt, isCountedDaily, isByVisitor, visitorToken, history }
  }

  /**
   * Stores how an exchange ended, and returns the message of the agent; null if there is none. Stores nothing if the thread
   * was deleted in the meantime.
   */
  async function saveAnswer(
    exchange: Exchange,
    draft: AnswerDraft,
    outcome: Outcome,
    apiKey: string | null,
  ): Promise<MessageView | null> {
    const { agent, threadId, questionId, askedAt } = exchange
    const { responseId } = draft.state
    const row = outcome.answer && answerRow(exchange, draft, outcome.answer)
    await db.write(async (tx) => {
      const { isStored, wasGivenBack } = await closeQuestion(tx, questionId, outcome.question)
      if (isStored && row) await tx.insert(messages).values(row)
      // A question without an answer does not count against the plan.
      const isCounted = draft.state.text !== ''
      if (isCounted && wasGivenBack) {
        await addUse(tx, agent.organizationId, 'messages', 1, askedAt)
        if (exchange.isCountedDaily) await addDailyMessage(tx, agent.id, askedAt)
      }
      if (!isCounted && !wasGivenBack) {
        await refund(tx, agent.organizationId, 'messages', 1, askedAt)
        if (exchange.isCountedDaily) await refundDailyMessage(tx, agent.id, askedAt)
        if (exchange.isByVisitor) await refundVisitorShare(tx, agent.organizationId, 'messages', askedAt)
      }
      if (responseId !== null) {
        await tx.update(threads).set({ providerThreadId: responseId }).where(eq(threads.id, threadId))
      }
      await noteModelOutcome(tx, agent, apiKey, outcome.model)
    })
    return row && messageView(row)
  }

  /**
   * Marks questions as failed whose process has died, and gives them back to the plan and the limit of a day. If one is answered after all, because
   * its process was only slow, `saveAnswer` overwrites the mark and counts it again.
   */
  async function failOrphaned(now = new Date()): Promise<void> {
    const orphaned = lt(messages.leasedUntil, now)
    if ((await db.read.$count(messages, orphaned)) === 0) return
    await db.write(async (tx) => {
      const rows = await tx
        .update(messages)
        .set({ ...unanswered, leasedUntil: null })
        .where(orphaned)
        .returning({ threadId: messages.threadId, askedAt: messages.createdAt })
      for (const { threadId, askedAt } of rows) {
        const [thread] = await tx
          .select({
            organizationId: threads.organizationId,
            agentId: threads.agentId,
            visitorTokenHash: threads.visitorTokenHash,
          })
          .from(threads)
          .where(eq(threads.id, threadId))
        if (!thread) continue
        await refund(tx, thread.organizationId, 'messages', 1, askedAt)
        // Only threads that were begun with a key count toward the limit of a day.
        const { agentId, visitorTokenHash } = thread
        if (agentId !== null && visitorTokenHash !== null) await refundDailyMessage(tx, agentId, askedAt)
      }
    })
  }

  /**
   * Returns whether the plan has room for a thread. If it is full, deletes the oldest threads of visitors where the
   * organization wants that; after a change to a smaller plan, some with each new thread.
   */
  async function hasRoomForThread(tx: Transaction, organizationId: string, limit: number): Promise<boolean> {
    const used = await tx.$count(threads, eq(threads.organizationId, organizationId))
    if (limit === 0 || used < limit) return true
    if (!(await findOrganization(tx, organizationId)).replacesOldThreads) return false
    const isAnswered = sql`not exists (select 1 from ${messages} where ${messages.threadId} = ${threads.id} and ${messages.leasedUntil} is not null)`
    const oldest = await tx
      .select({ id: threads.id })
      .from(threads)
      .where(and(eq(threads.organizationId, organizationId), isNotNull(threads.visitorTokenHash), isAnswered))
      .orderBy(threads.createdAt, threads.id)
      .limit(Math.min(used - limit + 1, maxReplaced))
    const ids = oldest.map(({ id }) => id)
    if (ids.length > 0) await tx.delete(threads).where(inArray(threads.id, ids))
    return ids.length > 0
  }

  async function findThreadOf(agentId: string, ref: ThreadRef) {
    const thread = await findThread(db.read, ref)
    if (thread.agentId !== agentId) throw notFound()
    return thread
  }

  /** Newest first. */
  async function messagesOf(ref: ThreadRef, agentId: string) {
    const thread = await findThreadOf(agentId, ref)
    return db.read
      .select({ role: messages.role, content: messages.content, createdAt: messages.createdAt })
      .from(messages)
      .where(eq(messages.threadId, thread.id))
      .orderBy(desc(messages.createdAt), desc(messages.id))
      .limit(maxHistory)
  }

  return { assertAdmissible, saveQuestion, saveAnswer, failOrphaned }
}

/** The error of an organization without messages in this month. Some may be given back while answers are pending. */
async function monthReached(queries: Queries, actor: Actor, organizationId: string, limit: number): Promise<AppError> {
  const used = await usedInMonth(queries, organizationId, 'messages')
  const pending = await pendingQuestions(queries, organizationId)
  return used - pending < limit ? messagesPending() : messageQuotaExceeded({ actor, organizationId })
}

/** The error of an agent without answers on the day of `at`. Some may be given back while answers are pending. */
async function dayReached(queries: Queries, agentId: string, time: Date): Promise<AppError> {
  const keychain = await findKeychain(queries, agentId)
  if (keychain === null) return dailyMessagesUsedUp()
  const pending = await pendingKeyQuestions(queries, agentId)
  return leftOnDay(keychain, time) + pending > 0 ? messagesPending() : dailyMessagesUsedUp()
}

/** A key begins threads; the visitor who has the token of one continues it. */
function mayContinue(actor: Actor, threadId: string | null): boolean {
  if (actor.kind === 'key') return threadId === null
  return actor.kind !== 'visitor' || actor.threadId === threadId
}

function turnOf({ role, content }: Pick<MessageRow, 'role' | 'content'>): Turn[] {
  if (role === 'error' || content === '') return []
  return [{ role: role === 'user' ? 'user' : 'assistant', content }]
}

function answerRow(
  { threadId, answerId, askedAt }: Exchange,
  { state, elapsedMs }: AnswerDraft,
  answer: NonNullable<Outcome['answer']>,
): MessageRow {
  const { query, translatedQuery, text, searchMs, firstTextMs, asked, cited, ...kept } = state
  return {
    id: answerId,
    threadId,
    ...answer,
    provider: asked?.provider ?? null,
    model: asked?.model ?? null,
    content: text,
    fragments: kept.fragments,
    candidates: kept.candidates,
    cited: [...cited],
    verdict: kept.verdict,
    searchQuery: query,
    translatedQuery,
    tokensInput: kept.tokensInput,
    tokensOutput: kept.tokensOutput,
    timeProcessing: elapsedMs(),
    timeSearch: searchMs,
    timeFirstText: firstTextMs,
    feedback: null,
    feedbackComment: null,
    leasedUntil: null,
    createdAt: timeAfter(askedAt),
  }
}

/** Stores how a question ended. `wasGivenBack`: `failOrphaned` has failed it meanwhile. */
async function closeQuestion(
  tx: Transaction,
  id: string,
  outcome: Outcome['question'],
): Promise<{ isStored: boolean; wasGivenBack: boolean }> {
  const close = async (condition: SQL | undefined) =>
    tx
      .update(messages)
      .set({ ...outcome, leasedUntil: null })
      .where(and(eq(messages.id, id), condition))
      .returning({ id: messages.id })
  if ((await close(isNotNull(messages.leasedUntil))).length > 0) return { isStored: true, wasGivenBack: false }
  const wasGivenBack = (await close(undefined)).length > 0
  return { isStored: wasGivenBack, wasGivenBack }
}

/** Counts failures in a row, from which the agent's status follows, and marks a key that was refused. */
async function noteModelOutcome(
  tx: Transaction,
  agent: AgentRow,
  apiKey: string | null,
  outcome: Outcome['model'],
): Promise<void> {
  const ofAgent = eq(agents.id, agent.id)
  if (outcome === 'failed') {
    await tx
      .update(agents)
      .set({ failedAnswers: sql`${agents.failedAnswers} + 1` })
      .where(ofAgent)
  } else if (outcome === 'refused-key') {
    await markKeyRefused(tx, agent.id, apiKey)
  } else if (outcome === 'answered') {
    if (agent.failedAnswers > 0 || agent.testFailure !== null)
      await tx.update(agents).set({ failedAnswers: 0, testFailure: null }).where(ofAgent)
    if (agent.refusedKeyHash !== null) await markKeyAccepted(tx, agent.organizationId, apiKey)
  }
}

/** Returns the current time, at least a millisecond after the previous message, because messages are ordered by time. */
function timeAfter(earlier: Date | undefined): Date {
  return new Date(Math.max(Date.now(), (earlier?.getTime() ?? 0) + 1))
}
