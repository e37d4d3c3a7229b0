import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import { fullNameOf } from '../../../contract/texts/full-name'
import type { OrganizationRole } from '../../../contract/values/enumerations'
import type { Database, Queries, Transaction } from '../../../db/database'
import { invitations, members, organizations } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import type { Actor } from '../../actor'
import { recordEvent } from '../../services/audit/record-event'

/** A pending invitation to an organization. */
export interface Invitation {
  id: string
  /** Normalized. */
  email: string
  organizationId: string
  organizationName: string
  role: OrganizationRole
  /** Name or e-mail address; null if the account is gone. */
  invitedBy: string | null
}

/** Null if the invitation is unknown, accepted, revoked or expired, or its organization is deleted. */
export async function findInvitation(queries: Queries, tokenHash: string): Promise<Invitation | null> {
  const { id, email, organizationId, role } = invitations
  const [found] = await queries
    .select({
      invitation: { id, email, organizationId, organizationName: organizations.name, role },
      inviter: { name: users.name, surname: users.surname, email: users.email },
    })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .leftJoin(users, eq(users.id, invitations.createdBy))
    .where(
      and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, new Date()), isNull(organizations.deletedAt)),
    )
  if (!found) return null
  const { inviter, invitation } = found
  return { ...invitation, invitedBy: inviter && (fullNameOf(inviter) || inviter.email) }
}

/**
 * Adds the user to the organization and deletes the invitation. Someone who is a member already keeps their role. False
 * if the invitation was accepted or revoked meanwhile.
 */
export async function acceptInvitation(
  tx: Transaction,
  { id, email, organizationId, role }: Invitation,
  userId: string,
): Promise<boolean> {
  const accepted = await tx.delete(invitations).where(eq(invitations.id, id)).returning({ id: invitations.id })
  if (accepted.length === 0) return false
  const added = await tx
    .insert(members)
    .values({ organizationId, userId, role })
    .onConflictDoNothing()
    .returning({ id: members.id })
  if (added.length > 0) {
    const person: Actor = { kind: 'person', userId, staff: false, memberships: [] }
    const subject = { id: userId, name: email }
    const changes = [{ field: 'role', to: role }]
    await recordEvent(tx, person, { organizationId, action: 'member.joined', subject, changes })
  }
  return true
}

export async function sweepInvitations(db: Database): Promise<void> {
  await db.writeOne((tx) => tx.delete(invitations).where(lt(invitations.expiresAt, new Date())))
}
