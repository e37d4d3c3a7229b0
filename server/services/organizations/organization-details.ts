import { asc, eq } from 'drizzle-orm'
import type { OrganizationDetails } from '../../../contract/views/organizations/organization'
import type { Database, Queries } from '../../../db/database'
import { members } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import type { Actor } from '../../actor'
import { can } from '../../policy'
import { usageRecordsOf } from '../usage/usage-records'
import type { UseCounters } from '../usage/use-counters'
import type { Organizations } from './organizations'

const maxConnections = 100

interface Deps {
  db: Database
  organizations: Organizations
  useCounters: Pick<UseCounters, 'write'>
}

/** Organizations with what only their administrators see. */
export function createOrganizationDetails({ db, organizations, useCounters }: Deps) {
  return {
    /** Returns the organization, for its administrators with its creator, people and usage by month. Throws not_found. */
    async get(actor: Actor, id: string): Promise<OrganizationDetails> {
      const organization = await organizations.get(actor, id)
      if (!can(actor, 'organization:details', id)) return organization
      await useCounters.write()
      return {
        ...organization,
        created_by_user: await creatorOf(db.read, organization.created_by),
        user_connections: await connectionsOf(db.read, id),
        usage_records: await usageRecordsOf(db.read, id),
      }
    },
  }
}

/** Returns who created something; null for the product itself, and for a deleted person. */
export async function creatorOf(
  queries: Queries,
  userId: string | null,
): Promise<NonNullable<OrganizationDetails['created_by_user']> | null> {
  if (userId === null) return null
  const { id, email, subject } = users
  const [user] = await queries.select({ email, id, auth0_id: subject }).from(users).where(eq(users.id, userId))
  return user ?? null
}

/** Lists the members who joined first. */
export async function connectionsOf(
  queries: Queries,
  id: string,
): Promise<NonNullable<OrganizationDetails['user_connections']>> {
  const rows = await queries
    .select({ user_id: members.userId, email: users.email, role: members.role, createdAt: members.createdAt })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.organizationId, id))
    .orderBy(asc(members.createdAt), asc(members.id))
    .limit(maxConnections)
  return rows.map(({ email, createdAt, ...row }) => ({
    ...row,
    user: { email },
    created_at: createdAt.toISOString(),
  }))
}
