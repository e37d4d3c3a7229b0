import { and, desc, eq, isNull, notExists, type SQL } from 'drizzle-orm'
import { type AuditAction, auditLimits } from '../../../contract/values/audit'
import type { AuditEventView } from '../../../contract/views/organizations/audit'
import type { Database } from '../../../db/database'
import { auditEvents } from '../../../db/schema/audit'
import { organizations } from '../../../db/schema/organizations'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { authorize } from '../../policy'
import { type AuditEvent, recordEvent } from './record-event'

/** The log of who did what to which thing and when. Services write it with `recordEvent`. */
export function createAudit({ db }: { db: Database }) {
  return {
    /** Lists the newest events of an organization, newest first. */
    async list(actor: Actor, organizationId: string): Promise<AuditEventView[]> {
      authorize(actor, 'audit:read', organizationId)
      return newest(eq(auditEvents.organizationId, organizationId))
    },

    /**
     * Lists the newest events that belong to no organization, or to a deleted one, newest first. Throws forbidden for
     * everybody but the operator on the server.
     */
    async listInstallation(actor: Actor): Promise<AuditEventView[]> {
      if (actor.kind !== 'system') throw new AppError('forbidden', 'Only the operator on the server can do this.')
      const { id, deletedAt } = organizations
      const isOf = and(eq(id, auditEvents.organizationId), isNull(deletedAt))
      return newest(notExists(db.read.select({ id }).from(organizations).where(isOf)))
    },

    /**
     * Records that a platform administrator looks at a customer's content. The back office calls this before it shows the
     * content. Throws forbidden for everybody else.
     */
    async recordStaffRead(
      actor: Actor,
      { organizationId, subject }: Pick<AuditEvent, 'subject'> & { organizationId: string },
    ): Promise<void> {
      if (actor.kind !== 'person' || !actor.staff)
        throw new AppError('forbidden', 'Only platform administrators can do this.')
      await db.write((tx) => recordEvent(tx, actor, { organizationId, action: 'content.read', subject }))
    },
  }

  async function newest(condition: SQL): Promise<AuditEventView[]> {
    const rows = await db.read
      .select()
      .from(auditEvents)
      .where(condition)
      .orderBy(desc(auditEvents.id))
      .limit(auditLimits.listed)
    return rows.map(view)
  }
}

export type Audit = ReturnType<typeof createAudit>

function view(row: typeof auditEvents.$inferSelect): AuditEventView {
  return {
    id: String(row.id),
    action: row.action as AuditAction,
    actor: { kind: row.actorKind, user_id: row.actorId, email: row.actorEmail },
    subject: { id: row.subjectId, name: row.subjectName },
    changes: row.changes,
    created_at: row.createdAt.toISOString(),
  }
}
