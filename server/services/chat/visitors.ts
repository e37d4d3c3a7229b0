import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { threads } from '../../../db/schema/threads'
import type { Actor } from '../../actor'
import { notFound } from '../../policy'
import { hashToken } from '../../tokens'

/** Visitors, who began a thread with a key of its agent and got a token for it. */
export function createVisitors({ db }: { db: Database }) {
  /**
   * Returns the visitor of a thread for a call with a key, and any other actor unchanged. Throws not_found, as for a
   * missing thread, without the token of that thread.
   */
  async function admit(actor: Actor, threadId: string, visitorToken: string | null): Promise<Actor> {
    if (actor.kind !== 'key') return actor
    const [thread] = await db.read
      .select({ agentId: threads.agentId, tokenHash: threads.visitorTokenHash })
      .from(threads)
      .where(eq(threads.id, threadId))
    if (!thread || !visitorToken || thread.agentId !== actor.agentId) throw notFound()
    if (thread.tokenHash !== hashToken(visitorToken)) throw notFound()
    return { ...actor, kind: 'visitor', threadId }
  }

  return { admit }
}
