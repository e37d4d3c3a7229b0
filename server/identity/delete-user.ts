import { aliasedTable, and, asc, eq, isNull, ne, notExists } from 'drizzle-orm'
import { normalizeEmail } from '../../contract/values/email'
import type { Database, Queries, Transaction } from '../../db/database'
import { invitations, members, organizations } from '../../db/schema/organizations'
import { accounts, links, users } from '../../db/schema/users'
import { system } from '../actor'
import { AppError } from '../errors'
import { recordEvent } from '../services/audit/record-event'
import { revokeInvitations } from '../services/organizations/revoke-invitations'
import { forgetAccount } from './embedded/adapter'

interface Organization {
  id: string
  name: string
}

/** Deletes people with their accounts, and tells which organizations would lose their last administrator. */
export function createUserDeletion({ db }: { db: Database }) {
  /** Lists the organizations that nobody else administers, oldest first. Throws not_found. */
  async function soleAdministrations(email: string): Promise<Organization[]> {
    return administeredOnlyBy(db.read, (await findUser(db.read, email)).id)
  }

  /**
   * Deletes a person with memberships, sessions, links, the account of the embedded provider and the invitations that they
   * made. What else they created in organizations stays. `successor` is the e-mail address of the person who becomes an administrator where the deleted
   * one is the only one; without it such an organization is a conflict. Throws not_found for either person.
   */
  async function remove(email: string, successor: string | null): Promise<void> {
    const administered = await administeredOnlyBy(db.read, (await findUser(db.read, email)).id)
    await db.writeAlone(
      administered.map(({ id }) => id),
      async (tx) => {
        const user = await findUser(tx, email)
        const orphaned = await administeredOnlyBy(tx, user.id)
        if (orphaned.length > 0) await handOver(tx, orphaned, user, successor)
        const { emailNormalized } = user
        const ofPerson = eq(accounts.emailNormalized, emailNormalized)
        const deleted = await tx.delete(accounts).where(ofPerson).returning({ id: accounts.id })
        for (const { id } of deleted) await forgetAccount(tx, id)
        await tx.delete(links).where(eq(links.email, emailNormalized))
        await revokeInvitations(tx, system, eq(invitations.createdBy, user.id))
        await recordDeletion(tx, user)
        await tx.delete(users).where(eq(users.id, user.id))
      },
    )
  }

  return { soleAdministrations, remove }
}

export type UserDeletion = ReturnType<typeof createUserDeletion>

async function handOver(
  tx: Transaction,
  orphaned: Organization[],
  user: { id: string; email: string },
  successor: string | null,
): Promise<void> {
  if (successor === null)
    throw new AppError('conflict', `${user.email} is the only administrator of: ${namesOf(orphaned)}.`)
  const { id: userId, email } = await findUser(tx, successor)
  if (userId === user.id) throw new AppError('invalid_input', 'Name another person as the administrator.')
  for (const { id: organizationId } of orphaned) {
    await tx
      .insert(members)
      .values({ organizationId, userId, role: 'admin' })
      .onConflictDoUpdate({ target: [members.organizationId, members.userId], set: { role: 'admin' } })
    const event = { organizationId, subject: { id: userId, name: email }, changes: [{ field: 'role', to: 'admin' }] }
    await recordEvent(tx, system, { ...event, action: 'member.role-changed' })
  }
}

/** Records the deletion, in each organization as a removal. */
async function recordDeletion(tx: Transaction, { id, email }: { id: string; email: string }): Promise<void> {
  const subject = { id, name: email }
  const left = await tx.select({ organizationId: members.organizationId }).from(members).where(eq(members.userId, id))
  for (const member of left) await recordEvent(tx, system, { ...member, action: 'member.removed', subject })
  await recordEvent(tx, system, { organizationId: null, action: 'user.deleted', subject })
}

async function administeredOnlyBy(queries: Queries, userId: string): Promise<Organization[]> {
  const others = aliasedTable(members, 'others')
  const isOther = and(
    eq(others.organizationId, members.organizationId),
    eq(others.role, 'admin'),
    ne(others.userId, userId),
  )
  return queries
    .select({ id: organizations.id, name: organizations.name })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(
      and(
        eq(members.userId, userId),
        eq(members.role, 'admin'),
        isNull(organizations.deletedAt),
        notExists(queries.select({ id: others.id }).from(others).where(isOther)),
      ),
    )
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
}

async function findUser(queries: Queries, email: string) {
  const [user] = await queries
    .select()
    .from(users)
    .where(eq(users.emailNormalized, normalizeEmail(email)))
  if (!user) throw new AppError('not_found', `No account has the e-mail address ${email}.`)
  return user
}

function namesOf(all: Organization[]): string {
  return all.map(({ name }) => name).join(', ')
}
