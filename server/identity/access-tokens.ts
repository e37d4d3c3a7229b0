import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Logger } from 'pino'
import { lowerRole, type OrganizationRole } from '../../contract/values/enumerations'
import type { Database } from '../../db/database'
import { accessTokens } from '../../db/schema/access-tokens'
import { users } from '../../db/schema/users'
import { AppError } from '../errors'
import { hashToken } from '../tokens'
import { type Person, type PersonReader, personColumns } from './person'

const minuteMs = 60_000
const dayMs = 24 * 3_600_000
/** How long an expired token stays in its person's list. */
const expiredRetentionMs = 30 * dayMs

interface Limits {
  role: OrganizationRole | null
  organizationId: string | null
}

/** Accepts personal access tokens. The service `access-tokens` creates and revokes them. */
export function createAccessTokenLookup({ db, personOf, log }: { db: Database; personOf: PersonReader; log: Logger }) {
  return {
    /**
     * Returns the person whose token it is, with the rights that both of them have. Calls `admit` with the token's id once
     * the token is known to be valid. Throws unauthenticated, and what `admit` throws.
     */
    async personOf(token: string, admit: (id: string) => Promise<void>): Promise<Person> {
      const [row] = await db.read
        .select({ token: accessTokens, user: personColumns })
        .from(accessTokens)
        .innerJoin(users, eq(users.id, accessTokens.userId))
        .where(eq(accessTokens.tokenHash, hashToken(token)))
      if (!row)
        throw unauthenticated('This access token does not exist or was revoked. Create a new one on the account page.')
      if (row.token.expiresAt.getTime() <= Date.now())
        throw unauthenticated('This access token has expired. Create a new one on the account page.')
      await admit(row.token.id)
      await markUsed(row.token.id, row.token.lastUsedAt)
      return { ...limited(await personOf(row.user), row.token), tokenId: row.token.id }
    },

    /** Deletes tokens that expired a while ago. */
    async sweep(): Promise<void> {
      const before = new Date(Date.now() - expiredRetentionMs)
      await db.writeOne((tx) => tx.delete(accessTokens).where(lt(accessTokens.expiresAt, before)))
    },
  }

  /** A failed write, as on a full disk, must not refuse the request. */
  async function markUsed(id: string, lastUsedAt: Date | null): Promise<void> {
    const now = new Date()
    const before = new Date(now.getTime() - minuteMs)
    if (lastUsedAt !== null && lastUsedAt > before) return
    const isOld = or(isNull(accessTokens.lastUsedAt), lt(accessTokens.lastUsedAt, before))
    try {
      await db.writeOne((tx) =>
        tx
          .update(accessTokens)
          .set({ lastUsedAt: now })
          .where(and(eq(accessTokens.id, id), isOld)),
      )
    } catch (error) {
      log.warn({ err: error }, 'The use of an access token could not be recorded.')
    }
  }
}

/** The memberships that the token reaches, each with the lower of the two roles. */
function limited(person: Person, { role, organizationId }: Limits): Person {
  if ((role ?? 'admin') === 'admin' && organizationId === null) return person
  const reached = person.memberships.filter(
    (membership) => organizationId === null || membership.organizationId === organizationId,
  )
  const memberships = reached.map((item) => ({ ...item, role: lowerRole(item.role, role ?? 'admin') }))
  return { ...person, staff: false, memberships, isLimited: true }
}

function unauthenticated(message: string): AppError {
  return new AppError('unauthenticated', message)
}
