import { and, asc, eq, ne } from 'drizzle-orm'
import type { MemberEdit } from '../../../contract/member'
import type { MemberView } from '../../../contract/views/member'
import type { Database, Queries } from '../../../db/database'
import { members } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import { type Actor, personOf } from '../../actor'
import { AppError } from '../../errors'
import { authorize, notFound } from '../../policy'

/** One person's membership. */
interface MemberRef {
  organizationId: string
  userId: string
}

/** The people of an organization. It always keeps an administrator. */
export function createMembers({ db }: { db: Database }) {
  return {
    /** Lists the members, oldest first. */
    async list(actor: Actor, organizationId: string): Promise<MemberView[]> {
      authorize(actor, 'member:read', organizationId)
      return viewsOf(db.read, organizationId)
    },

    /** Throws not_found, and conflict if the organization would lose its last administrator. */
    async changeRole(actor: Actor, ref: MemberRef, { role }: MemberEdit): Promise<MemberView> {
      authorize(actor, 'member:edit', ref.organizationId)
      return db.write(async (tx) => {
        const [member] = await viewsOf(tx, ref.organizationId, ref.userId)
        if (!member) throw notFound()
        if (role !== 'admin') await assertOtherAdmin(tx, ref, member)
        await tx.update(members).set({ role }).where(isMember(ref))
        return { ...member, role }
      })
    },

    /** Removes a member, or lets the actor leave. Throws like `changeRole`. */
    async remove(actor: Actor, ref: MemberRef): Promise<void> {
      const isOwn = ref.userId === personOf(actor)
      authorize(actor, isOwn ? 'organization:leave' : 'member:edit', ref.organizationId)
      await db.write(async (tx) => {
        const [member] = await viewsOf(tx, ref.organizationId, ref.userId)
        if (!member) throw notFound()
        await assertOtherAdmin(tx, ref, member)
        await tx.delete(members).where(isMember(ref))
      })
    },
  }
}

async function viewsOf(queries: Queries, organizationId: string, userId?: string): Promise<MemberView[]> {
  const { email, name, surname } = users
  const rows = await queries
    .select({ user_id: members.userId, email, name, surname, role: members.role, createdAt: members.createdAt })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.organizationId, organizationId), userId === undefined ? undefined : eq(users.id, userId)))
    .orderBy(asc(members.createdAt), asc(members.id))
  return rows.map(({ createdAt, ...row }) => ({ ...row, created_at: createdAt.toISOString() }))
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

function isMember({ organizationId, userId }: MemberRef) {
  return and(eq(members.organizationId, organizationId), eq(members.userId, userId))
}
