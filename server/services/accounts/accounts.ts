import { asc, eq } from 'drizzle-orm'
import { normalizeEmail } from '../../../contract/values/email'
import { userTypes } from '../../../contract/values/enumerations'
import type { CurrentUserView } from '../../../contract/views/organizations/user'
import type { Database, Queries } from '../../../db/database'
import { members, organizations } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { notFound } from '../../policy'
import { recordEvent } from '../audit/record-event'

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
      const type = actor.isLimited ? userTypes.normal : user.type
      return userView({ ...user, type }, reachedBy(actor, await connectionsOf(db.read, user.id)))
    },

    /** Returns a user by e-mail address. Throws not_found, and forbidden except for administrators and the system. */
    async find(actor: Actor, email: string): Promise<CurrentUserView> {
      requireStaff(actor)
      const [user] = await db.read
        .select()
        .from(users)
        .where(eq(users.emailNormalized, normalizeEmail(email)))
      if (!user) throw unknownEmail(email)
      return userView(user, await connectionsOf(db.read, user.id))
    },

    /** Lists all users, oldest first. Throws forbidden except for platform administrators and the system. */
    async list(actor: Actor): Promise<CurrentUserView[]> {
      requireStaff(actor)
      const rows = await db.read.select().from(users).orderBy(asc(users.createdAt), asc(users.id))
      return Promise.all(rows.map(async (row) => userView(row, await connectionsOf(db.read, row.id))))
    },

    /** Makes a user a platform administrator, at once. Throws not_found if no account has the e-mail address. */
    promote: (actor: Actor, email: string) => setType(actor, email, userTypes.staff),

    /** Makes a platform administrator a normal user, at once. Throws not_found if no account has the e-mail address. */
    demote: (actor: Actor, email: string) => setType(actor, email, userTypes.normal),
  }

  async function setType(actor: Actor, email: string, type: UserRow['type']): Promise<CurrentUserView> {
    requireStaff(actor)
    const action = type === userTypes.staff ? 'user.promoted' : 'user.demoted'
    const user = await db.write(async (tx) => {
      const [changed] = await tx
        .update(users)
        .set({ type })
        .where(eq(users.emailNormalized, normalizeEmail(email)))
        .returning()
      if (!changed) throw unknownEmail(email)
      await recordEvent(tx, actor, { organizationId: null, action, subject: { id: changed.id, name: changed.email } })
      return changed
    })
    return userView(user, await connectionsOf(db.read, user.id))
  }
}

/** Lists the organizations of a user, in the order in which they joined. */
export async function connectionsOf(queries: Queries, userId: string): Promise<Connections> {
  const rows = await queries
    .select({ id: organizations.id, role: members.role, name: organizations.name, createdAt: members.createdAt })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt), asc(members.id))
  return rows.map(({ id, role, name, createdAt }) => ({
    organization_id: id,
    role,
    organization: { name },
    created_at: createdAt.toISOString(),
  }))
}

function requireStaff(actor: Actor): void {
  if (actor.kind === 'system' || (actor.kind === 'person' && actor.staff)) return
  throw new AppError('forbidden', 'Only platform administrators can do this.')
}

function unknownEmail(email: string): AppError {
  return new AppError('not_found', `No account has the e-mail address ${email}.`)
}

/** The connections that a limited access token reaches, with the role that it has there. */
function reachedBy(actor: Actor & { kind: 'person' }, connections: Connections): Connections {
  if (!actor.isLimited) return connections
  return connections.flatMap((connection) => {
    const reached = actor.memberships.find(({ organizationId }) => organizationId === connection.organization_id)
    return reached ? [{ ...connection, role: reached.role }] : []
  })
}

export function userView(user: UserRow, connections: Connections): CurrentUserView {
  const { id, email, name, surname, pictureVersion, subject, type, createdAt } = user
  return {
    id,
    email,
    name,
    surname,
    picture: pictureVersion && `/picture/${id}?v=${pictureVersion}`,
    auth0_id: subject,
    type,
    org_connections: connections,
    created_at: createdAt.toISOString(),
  }
}
