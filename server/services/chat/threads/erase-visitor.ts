import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../../db/database'
import { threads } from '../../../../db/schema/threads'
import type { Actor } from '../../../actor'
import { AppError } from '../../../errors'
import { authorize } from '../../../policy'
import { recordEvent } from '../../audit/record-event'

/** By what a visitor is found: one of the ids that the website sent, or one conversation. */
export type VisitorKey = 'user' | 'email' | 'session' | 'thread'

const batchSize = 100

/** Erases what is stored of a visitor, as a person may demand by law. */
export function createEraseVisitor({ db }: { db: Database }) {
  /**
   * Deletes every thread of a visitor in an organization, with its messages, and returns how many. The audit log says how
   * many, and not whose. Throws not_found if there is none.
   */
  return async (actor: Actor, organizationId: string, key: VisitorKey, value: string): Promise<number> => {
    authorize(actor, 'thread:delete', organizationId)
    const condition = and(eq(threads.organizationId, organizationId), isOf(key, value))
    let erased = 0
    for (;;) {
      const found = await db.read.select({ id: threads.id }).from(threads).where(condition).limit(batchSize)
      if (found.length === 0) break
      const ids = found.map(({ id }) => id)
      await db.write((tx) => tx.delete(threads).where(inArray(threads.id, ids)))
      erased += ids.length
    }
    if (erased === 0) throw new AppError('not_found', 'No conversation of this visitor was found.')
    await db.write((tx) =>
      recordEvent(tx, actor, {
        organizationId,
        action: 'visitor.erased',
        subject: { id: key, name: '' },
        changes: [{ field: 'threads', to: String(erased) }],
      }),
    )
    return erased
  }
}

function isOf(key: VisitorKey, value: string): SQL | undefined {
  switch (key) {
    case 'user':
      return eq(threads.externalUserId, value)
    case 'email':
      return sql`lower(${threads.externalUserEmail}) = ${value.trim().toLowerCase()}`
    case 'session':
      return eq(threads.externalSessionId, value)
    case 'thread':
      return eq(threads.id, value)
  }
}
