import { asc, eq } from 'drizzle-orm'
import { normalizeEmail } from '../../../contract/email'
import { userTypes } from '../../../contract/enumerations'
import type { CurrentUserView } from '../../../contract/views/user'
import type { Database } from '../../../db/database'
import { members, organizations } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { notFound } from '../../policy'

type UserRow = typeof users.$inferSelect
type Connections = CurrentUserView['org_connections']

/** The people of the product. How they sign in is the identity's business. */
export function createAccounts({ db }: { db: Database }) {
  return {
    /** The person who asks, with the organizations they are part of. */
    async currentUser(actor: Actor): Promise<CurrentUserView> {
      if (actor.kind !== 'person') throw notFound()
      const [user] = await db.read.select().from(users).where(eq(users.id, actor.userId))
      if (!user) throw notFound()
      return view(user, await connectionsOf(user.id))
    },

    /** Everybody, the oldest account first. For platform administrators and the product itself. */
    async list(actor: Actor): Promise<CurrentUserView[]> {
      forPlatform(actor)
      const rows = await db.read.select().from(users).orderBy(asc(users.createdAt), asc(users.id))
      return Promise.all(rows.map(async (row) => view(row, await connectionsOf(row.id))))
    },

    /** Makes somebody a platform administrator. */
    async promote(actor: Actor, email: string): Promise<CurrentUserView> {
      forPlatform(actor)
      const [user] = await db.writeOne((tx) =>
        tx
          .update(users)
          .set({ type: userTypes.staff })
          .where(eq(users.emailNormalized, normalizeEmail(email)))
          .returning(),
      )
      if (!user) throw new AppError('not_found', `Nobody has an account with the e-mail address ${email}.`)
      return view(user, await connectionsOf(user.id))
    },
  }

  async function connectionsOf(userId: string): Promise<Connections> {
    const rows = await db.read
      .select({ id: organizations.id, role: members.role, name: organizations.name })
      .from(members)
      .innerJoin(organizations, eq(organizations.id, members.organizationId))
      .where(eq(members.userId, userId))
      .orderBy(asc(members.createdAt), asc(members.id))
    return rows.map(({ id, role, name }) => ({ organization_id: id, role, organization: { name } }))
  }
}

function forPlatform(actor: Actor): void {
  if (actor.kind === 'system' || actor.staff) return
  throw new AppError('forbidden', 'Only administrators of the platform may do this.')
}

function view(user: UserRow, connections: Connections): CurrentUserView {
  const { id, email, name, surname, picture, subject, type, createdAt } = user
  return {
    id,
    email,
    name,
    surname,
    picture,
    auth0_id: subject,
    type,
    org_connections: connections,
    created_at: createdAt.toISOString(),
  }
}
