import { and, desc, eq, inArray } from 'drizzle-orm'
import { fullNameOf } from '../../../contract/texts/full-name'
import type { Database } from '../../../db/database'
import { auditEvents } from '../../../db/schema/audit'
import { organizations } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import { type Actor, personOf } from '../../actor'

/** How a person lost an organization. */
export interface Removal {
  organization: string
  /** Name or e-mail address of who removed the person; null for the operator's command line. */
  by: string | null
  /** ISO 8601. */
  at: string
}

/** Tells people why an organization is gone from their list. */
export function createRemovals({ db }: { db: Database }) {
  return {
    /** Null for people who left by themselves, and after the organization was deleted. */
    async find(actor: Actor, organizationId: string): Promise<Removal | null> {
      const userId = personOf(actor)
      if (userId === null) return null
      const { organizationId: of, subjectId, action } = auditEvents
      const [event] = await db.read
        .select({
          action,
          organization: organizations.name,
          email: auditEvents.actorEmail,
          name: users.name,
          surname: users.surname,
          at: auditEvents.createdAt,
        })
        .from(auditEvents)
        .innerJoin(organizations, eq(organizations.id, of))
        .leftJoin(users, eq(users.id, auditEvents.actorId))
        .where(and(eq(of, organizationId), eq(subjectId, userId), inArray(action, ['member.removed', 'member.left'])))
        .orderBy(desc(auditEvents.id))
        .limit(1)
      if (event?.action !== 'member.removed') return null
      const { organization, name, surname, email, at } = event
      return { organization, by: fullNameOf({ name, surname }) || email, at: at.toISOString() }
    },
  }
}
