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

/** Users of the product; `identity` signs them in. */
export function createAccounts({ db }: { db: Database }) {
  return {
    /** Returns the acting person with their organizations. Throws not_found for other actors. */
    async currentUser(actor: Actor): Promise<CurrentUserView> {
      if (actor.kind !== 'person') throw notFound()
      const [user] = await db.read.select().from(users).where(eq(users.id, actor.userId))
      if (!user) throw notFound()
      return view(user, await connectionsOf(user.id))
    },

    /** Lists all users, oldest first. Throws forbidden except for platform administrators and the system. */
    async list(actor: Actor): Promise<CurrentUserView[]> {
      requireStaff(actor)
      const rows = await db.read.select().from(users).orderBy(asc(users.createdAt), asc(users.id))
      return Promise.all(rows.map(async (row) => view(row, await connectionsOf(row.id))))
    },

    /** Makes a user a platform administrator. Throws not_found if no account has the e-mail address. */
    async promote(actor: Actor, email: string): Promise<CurrentUserView> {
      requireStaff(actor)
      const [user] = await db.writeOne((tx) =>
        tx
          .update(users)
          .set({ type: userTypes.staff })
          .where(eq(users.emailNormalized, normalizeEmail(email)))
          .returning(),
      )
      if (!user) throw new AppError('not_found', `No account has the e-mail address ${email}.`)
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

function requireStaff(actor: Actor): void {
  if (actor.kind === 'system' || (actor.kind === 'person' && actor.staff)) return
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
