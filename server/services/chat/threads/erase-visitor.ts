import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { VisitorKey } from '../../../../contract/chat/visitor'
import type { Database } from '../../../../db/database'
import { threads } from '../../../../db/schema/threads'
import type { Actor } from '../../../actor'
import { AppError } from '../../../errors'
import { authorize } from '../../../policy'
import { recordEvent } from '../../audit/record-event'
import { deleteThreads } from './delete-threads'

/** Erases what is stored of a visitor, as a person may demand by law. */
export function createEraseVisitor({ db }: { db: Database }) {
  /**
   * Deletes every thread of a visitor in an organization, with its messages, and returns how many. A thread stands for
   * its visitor: the threads with the same external user, e-mail address or session are deleted, too. The audit log says
   * how many, and not whose. Throws not_found if there is none.
   */
  return async (actor: Actor, organizationId: string, key: VisitorKey, value: string): Promise<number> => {
    authorize(actor, 'thread:delete', organizationId)
    const erased = await deleteThreads(db, await threadsOf(organizationId, key, value))
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

  async function threadsOf(organizationId: string, key: VisitorKey, value: string): Promise<SQL | undefined> {
    const ofOrganization = eq(threads.organizationId, organizationId)
    switch (key) {
      case 'user':
        return and(ofOrganization, eq(threads.externalUserId, value))
      case 'email':
        return and(ofOrganization, hasEmail(value))
      case 'session':
        return and(ofOrganization, eq(threads.externalSessionId, value))
      case 'thread':
        return and(ofOrganization, or(eq(threads.id, value), await isSameVisitor(organizationId, value)))
    }
  }

  async function isSameVisitor(organizationId: string, threadId: string): Promise<SQL | undefined> {
    const named = and(eq(threads.id, threadId), eq(threads.organizationId, organizationId))
    const [thread] = await db.read.select().from(threads).where(named)
    if (!thread) return undefined
    const { externalUserId: user, externalUserEmail: email, externalSessionId: session } = thread
    return or(
      user === null ? undefined : eq(threads.externalUserId, user),
      email === null ? undefined : hasEmail(email),
      session === null ? undefined : eq(threads.externalSessionId, session),
    )
  }
}

function hasEmail(email: string): SQL {
  return sql`lower(${threads.externalUserEmail}) = ${email.trim().toLowerCase()}`
}
