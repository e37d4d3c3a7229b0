import { and, asc, count, eq, isNull, ne, type SQL } from 'drizzle-orm'
import type { MemberEdit } from '../../../contract/organizations/member'
import type { Paged, Paging } from '../../../contract/values/paging'
import type { AdministratorView, MemberView } from '../../../contract/views/organizations/member'
import type { Database, Queries, Transaction } from '../../../db/database'
import { invitations, members } from '../../../db/schema/organizations'
import { embeddedIssuer, sessions, users } from '../../../db/schema/users'
import { type Actor, personOf } from '../../actor'
import { AppError } from '../../errors'
import { assertUnlimited, authorize, notFound, roleIn } from '../../policy'
import { recordEvent } from '../audit/record-event'
import { pageOf, rowsBefore } from '../paging'
import { revokeInvitations } from './revoke-invitations'

const maxNamed = 5

/** One person's membership. */
interface MemberRef {
  organizationId: string
  userId: string
}

/** The people of an organization. It always keeps an administrator. */
export function createMembers({ db }: { db: Database }) {
  return {
    /** Lists the members, oldest first. */
    async list(actor: Actor, organizationId: string, paging: Paging): Promise<Paged<MemberView>> {
      authorize(actor, 'member:read', organizationId)
      const ofOrganization = eq(members.organizationId, organizationId)
      const rows = await selectMembers(db.read, ofOrganization).limit(paging.limit).offset(rowsBefore(paging))
      return pageOf(rows.map(view), await db.read.$count(members, ofOrganization), paging)
    },

    /** Lists the administrators who joined first, at most 5, for members who need one of them. */
    async administrators(actor: Actor, organizationId: string): Promise<AdministratorView[]> {
      authorize(actor, 'organization:read', organizationId)
      const { email, name, surname } = users
      return db.read
        .select({ email, name, surname })
        .from(members)
        .innerJoin(users, eq(users.id, members.userId))
        .where(and(eq(members.organizationId, organizationId), eq(members.role, 'admin')))
        .orderBy(asc(members.createdAt), asc(members.id))
        .limit(maxNamed)
    },

    /**
     * Changes a role. The pending invitations of someone who is no longer an administrator are revoked. Throws not_found,
     * and conflict if the organization would lose its last administrator.
     */
    async changeRole(actor: Actor, ref: MemberRef, { role }: MemberEdit): Promise<MemberView> {
      authorize(actor, 'member:edit', ref.organizationId)
      return db.writeAlone(ref.organizationId, async (tx) => {
        const member = await findMember(tx, ref)
        if (role !== 'admin') await assertOtherAdmin(tx, ref, member)
        await tx.update(members).set({ role }).where(isMember(ref))
        if (role !== 'admin') await revokeInvitations(tx, actor, isInvitationBy(ref))
        if (role !== member.role) {
          const changes = [{ field: 'role', from: member.role, to: role }]
          await recordEvent(tx, actor, { ...eventOf(ref, member), action: 'member.role-changed', changes })
        }
        return { ...member, role }
      })
    },

    /** How many members have no second factor, so that they lose access where one is required. */
    async withoutSecondFactor(actor: Actor, organizationId: string): Promise<number> {
      authorize(actor, 'organization:edit', organizationId)
      const isWithout = and(eq(users.issuer, embeddedIssuer), isNull(users.secondFactorSince))
      const rows = await db.read
        .select({ count: count() })
        .from(members)
        .innerJoin(users, eq(users.id, members.userId))
        .where(and(eq(members.organizationId, organizationId), isWithout))
      return rows[0]?.count ?? 0
    },

    /** Whether the organization would be left without an administrator, so that the actor cannot leave it. */
    async isLastAdministrator(actor: Actor, organizationId: string): Promise<boolean> {
      if (roleIn(actor, organizationId) !== 'admin') return false
      const isAdmin = and(eq(members.organizationId, organizationId), eq(members.role, 'admin'))
      return (await db.read.$count(members, isAdmin)) === 1
    },

    /** Removes a member, or lets the actor leave. Revokes their pending invitations. Throws like `changeRole`. */
    async remove(actor: Actor, ref: MemberRef): Promise<void> {
      const isOwn = ref.userId === personOf(actor)
      if (isOwn) assertUnlimited(actor)
      authorize(actor, isOwn ? 'organization:leave' : 'member:edit', ref.organizationId)
      await db.writeAlone(ref.organizationId, async (tx) => {
        const member = await findMember(tx, ref)
        await assertOtherAdmin(tx, ref, member)
        await tx.delete(members).where(isMember(ref))
        // Browsers of people who were removed keep the selection, to tell them.
        if (isOwn) await unselect(tx, ref)
        await revokeInvitations(tx, actor, isInvitationBy(ref))
        await recordEvent(tx, actor, { ...eventOf(ref, member), action: isOwn ? 'member.left' : 'member.removed' })
      })
    },
  }
}

/** Selects members, oldest first. */
function selectMembers(queries: Queries, condition: SQL | undefined) {
  const { email, name, surname } = users
  return queries
    .select({ user_id: members.userId, email, name, surname, role: members.role, createdAt: members.createdAt })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(condition)
    .orderBy(asc(members.createdAt), asc(members.id))
}

async function findMember(queries: Queries, ref: MemberRef): Promise<MemberView> {
  const [row] = await selectMembers(queries, isMember(ref))
  if (!row) throw notFound()
  return view(row)
}

function view({ createdAt, ...row }: Omit<MemberView, 'created_at'> & { createdAt: Date }): MemberView {
  return { ...row, created_at: createdAt.toISOString() }
}

/** Throws conflict if the member is the only administrator. */
async function assertOtherAdmin(
  tx: Queries,
  { organizationId, userId }: MemberRef,
  { role }: MemberView,
): Promise<void> {
  if (role !== 'admin') return
  const isAdmin = and(eq(members.organizationId, organizationId), eq(members.role, 'admin'))
  if ((await tx.$count(members, and(isAdmin, ne(members.userId, userId)))) > 0) return
  throw new AppError('conflict', 'An organization needs an administrator. Make another member an administrator first.')
}

async function unselect(tx: Transaction, { organizationId, userId }: MemberRef): Promise<void> {
  await tx
    .update(sessions)
    .set({ organizationId: null })
    .where(and(eq(sessions.userId, userId), eq(sessions.organizationId, organizationId)))
}

function eventOf({ organizationId, userId }: MemberRef, { email }: MemberView) {
  return { organizationId, subject: { id: userId, name: email } }
}

function isMember({ organizationId, userId }: MemberRef) {
  return and(eq(members.organizationId, organizationId), eq(members.userId, userId))
}

function isInvitationBy({ organizationId, userId }: MemberRef) {
  return and(eq(invitations.organizationId, organizationId), eq(invitations.createdBy, userId))
}
