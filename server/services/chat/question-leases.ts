import { and, inArray, isNotNull } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { messages } from '../../../db/schema/threads'
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
