import { and, count, eq, inArray, isNotNull, type SQL } from 'drizzle-orm'
import type { Database, Queries } from '../../../db/database'
import { messages, threads } from '../../../db/schema/threads'
import { leaseMs } from '../jobs/jobs'

interface Deps {
  db: Database
  log: { warn(details: object, message: string): void }
}

/** When the lease of a question expires that is renewed at `now`. */
export function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + leaseMs)
}

/** Renews the leases of the questions that this process is answering, so that no other process fails them. */
export function createQuestionLeases({ db, log }: Deps) {
  const held = new Set<string>()
  let timer: NodeJS.Timeout | null = null

  function hold(questionId: string): void {
    held.add(questionId)
    timer ??= setInterval(() => void renew(), leaseMs / 3).unref()
  }

  function release(questionId: string): void {
    held.delete(questionId)
    if (held.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  async function renew(): Promise<void> {
    const ours = and(inArray(messages.id, [...held]), isNotNull(messages.leasedUntil))
    try {
      await db.writeOne((tx) =>
        tx
          .update(messages)
          .set({ leasedUntil: leaseFrom(new Date()) })
          .where(ours),
      )
    } catch (error) {
      log.warn({ err: error }, 'The leases of questions could not be renewed.')
    }
  }

  return { hold, release }
}

/** Counts an organization's questions that are being answered. Those that get no answer are given back to the plan. */
export function pendingQuestions(queries: Queries, organizationId: string): Promise<number> {
  return countLeased(queries, eq(threads.organizationId, organizationId))
}

/** Counts the questions that callers with a key have asked an agent and that are being answered. */
export function pendingKeyQuestions(queries: Queries, agentId: string): Promise<number> {
  return countLeased(queries, and(eq(threads.agentId, agentId), isNotNull(threads.visitorTokenHash)))
}

async function countLeased(queries: Queries, condition: SQL | undefined): Promise<number> {
  const [row] = await queries
    .select({ leased: count() })
    .from(messages)
    .innerJoin(threads, eq(threads.id, messages.threadId))
    .where(and(isNotNull(messages.leasedUntil), condition))
  return row?.leased ?? 0
}
