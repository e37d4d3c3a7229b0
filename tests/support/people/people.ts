import type { OrganizationRole } from '../../../contract/values/enumerations'
import { members } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import type { Actor } from '../../../server/actor'
import type { App } from '../../../server/app'

let count = 0

/** A user in the database with these roles, as the actor that a request of theirs would have. */
export async function createPerson(
  { db }: Pick<App, 'db'>,
  roles: Record<string, OrganizationRole> = {},
  { staff = false }: { staff?: boolean } = {},
): Promise<Actor & { kind: 'person'; email: string }> {
  const email = `person-${++count}-${crypto.randomUUID()}@example.com`
  const memberships = Object.entries(roles).map(([organizationId, role]) => ({ organizationId, role }))
  const userId = await db.write(async (tx) => {
    const values = { email, emailNormalized: email, issuer: 'test', subject: email, type: staff ? 1 : 0 }
    const [user] = await tx.insert(users).values(values).returning({ id: users.id })
    if (!user) throw new Error('No user was stored.')
    for (const membership of memberships) await tx.insert(members).values({ ...membership, userId: user.id })
    return user.id
  })
  return { kind: 'person', userId, staff, memberships, email }
}
