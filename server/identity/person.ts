import { asc, eq } from 'drizzle-orm'
import { userTypes } from '../../contract/values/enumerations'
import type { Database } from '../../db/database'
import { members, organizations } from '../../db/schema/organizations'
import { embeddedIssuer, users } from '../../db/schema/users'
import type { Actor } from '../actor'

export type Person = Extract<Actor, { kind: 'person' }>
type User = Pick<typeof users.$inferSelect, 'id' | 'type' | 'issuer' | 'secondFactorSince'>

/** The columns of `users` that `createPersonReader` needs. */
export const personColumns = {
  id: users.id,
  type: users.type,
  issuer: users.issuer,
  secondFactorSince: users.secondFactorSince,
}

export type PersonReader = (user: User) => Promise<Person>

/**
 * Reads what a person may do now. Without a second factor, where one is required, they have no rights; see
 * `lacksSecondFactor`. External providers have their own rules for second factors.
 */
export function createPersonReader(db: Database, staffNeedsSecondFactor: boolean): PersonReader {
  return async ({ id, type, issuer, secondFactorSince }) => {
    const rows = await db.read
      .select({
        organizationId: members.organizationId,
        role: members.role,
        requiresSecondFactor: organizations.requiresSecondFactor,
      })
      .from(members)
      .innerJoin(organizations, eq(organizations.id, members.organizationId))
      .where(eq(members.userId, id))
      .orderBy(asc(members.createdAt), asc(members.id))
    const isStaff = type === userTypes.staff
    const isExempt = issuer !== embeddedIssuer || secondFactorSince !== null
    const barred = isExempt ? [] : rows.filter((row) => row.requiresSecondFactor).map((row) => row.organizationId)
    const memberships = rows.filter((row) => !barred.includes(row.organizationId))
    const isBarredStaff = isStaff && staffNeedsSecondFactor && !isExempt
    return {
      kind: 'person',
      userId: id,
      staff: isStaff && !isBarredStaff,
      memberships: memberships.map(({ organizationId, role }) => ({ organizationId, role })),
      ...((isBarredStaff || barred.length > 0) && {
        lacksSecondFactor: { staff: isBarredStaff, organizationIds: barred },
      }),
    }
  }
}
