import { and, count, eq, gte, isNotNull, isNull } from 'drizzle-orm'
import type { GlanceView } from '../../../contract/views/health'
import type { Database } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { collections } from '../../../db/schema/collections'
import { messages, threads } from '../../../db/schema/threads'
import type { Actor } from '../../actor'
import { assertStaff } from '../../policy'

const dayMs = 86_400_000

export function createGlance({ db: { read } }: { db: Database }) {
  /** How much there is, and what was asked in the last day. Throws not_found for everybody but staff. */
  return async function glance(actor: Actor): Promise<GlanceView> {
    assertStaff(actor)
    const rows = await read
      .select({ verdict: messages.verdict, many: count() })
      .from(threads)
      .innerJoin(messages, eq(messages.threadId, threads.id))
      .where(and(gte(threads.createdAt, new Date(Date.now() - dayMs)), isNotNull(messages.verdict)))
      .groupBy(messages.verdict)
    const countOf = (isFound: boolean) =>
      rows.reduce((sum, { verdict, many }) => sum + ((verdict !== 'not-found') === isFound ? many : 0), 0)
    return {
      fragments: await read.$count(fragments),
      collections: await read.$count(collections, isNull(collections.deletedAt)),
      questions: { answered: countOf(true), not_found: countOf(false) },
    }
  }
}
