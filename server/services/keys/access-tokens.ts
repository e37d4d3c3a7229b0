import { and, asc, eq } from 'drizzle-orm'
import type { AccessTokenInput } from '../../../contract/organizations/access-token'
import { lowerRole, type OrganizationRole } from '../../../contract/values/enumerations'
import { accessTokenLimits } from '../../../contract/values/limits'
import { tokenPrefixes } from '../../../contract/values/token-prefixes'
import type { AccessTokenView, NewAccessToken } from '../../../contract/views/organizations/access-token'
import type { Database, Queries, Transaction } from '../../../db/database'
import { accessTokens } from '../../../db/schema/access-tokens'
import { members, organizations } from '../../../db/schema/organizations'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { notFound } from '../../policy'
import { hashToken, randomToken } from '../../tokens'
import { recordEvent } from '../audit/record-event'

const dayMs = 24 * 3_600_000

/** Personal access tokens, which act for a person under /v1. `identity` accepts them. */
export function createAccessTokens({ db }: { db: Database }) {
  return {
    /**
     * Creates a token of the person `userId` and returns its secret, which is not stored. Throws invalid_input for a role
     * above the person's and for an organization of others, and quota_exceeded.
     */
    async create(actor: Actor, userId: string, input: AccessTokenInput): Promise<NewAccessToken> {
      assertOwner(actor, userId)
      const { name, role, organization_id: organizationId, days } = input
      const token = tokenPrefixes.accessToken + randomToken()
      const id = await db.writeAlone(userId, async (tx) => {
        if ((await tx.$count(accessTokens, eq(accessTokens.userId, userId))) >= accessTokenLimits.maxPerPerson)
          throw new AppError(
            'quota_exceeded',
            `A person can have ${accessTokenLimits.maxPerPerson} access tokens. Revoke one that you no longer need.`,
          )
        const highest = await highestRole(tx, userId, organizationId)
        if (role !== null && lowerRole(role, highest) !== role) throw roleTooHigh(highest)
        const expiresAt = new Date(Date.now() + days * dayMs)
        const values = { userId, name, role, organizationId, tokenHash: hashToken(token), expiresAt }
        const [row] = await tx.insert(accessTokens).values(values).returning()
        if (row) await recordTokenEvent(tx, actor, 'token.created', row)
        return row?.id
      })
      const [view] = await viewsOf(db.read, and(eq(accessTokens.userId, userId), eq(accessTokens.id, id ?? '')))
      if (!view) throw new Error('The access token was not stored.')
      return { ...view, token }
    },

    /** Lists the tokens of a person, oldest first, those that expired within the last 30 days included. */
    async list(actor: Actor, userId: string): Promise<AccessTokenView[]> {
      assertOwner(actor, userId)
      return viewsOf(db.read, eq(accessTokens.userId, userId))
    },

    /** Ends a token; its next request is refused. Throws not_found, also for a token of others. */
    async revoke(actor: Actor, id: string): Promise<void> {
      if (actor.kind !== 'system' && actor.kind !== 'person') throw notFound()
      const isOwn = actor.kind === 'person' ? eq(accessTokens.userId, actor.userId) : undefined
      await db.write(async (tx) => {
        const [revoked] = await tx
          .delete(accessTokens)
          .where(and(eq(accessTokens.id, id), isOwn))
          .returning()
        if (!revoked) throw notFound()
        await recordTokenEvent(tx, actor, 'token.revoked', revoked)
      })
    },
  }
}

/** Records an event in each organization that the token reaches. */
export async function recordTokenEvent(
  tx: Transaction,
  actor: Actor,
  action: 'token.created' | 'token.revoked',
  { id, name, userId, organizationId }: typeof accessTokens.$inferSelect,
): Promise<void> {
  const isHere = organizationId === null ? undefined : eq(members.organizationId, organizationId)
  const reached = await tx
    .select({ organizationId: members.organizationId })
    .from(members)
    .where(and(eq(members.userId, userId), isHere))
  for (const member of reached) await recordEvent(tx, actor, { ...member, action, subject: { id, name } })
}

function assertOwner(actor: Actor, userId: string): void {
  if (actor.kind !== 'system' && !(actor.kind === 'person' && actor.userId === userId)) throw notFound()
}

/** The person's highest role in the organization, or in any if null. Someone without organizations has no limit yet. */
async function highestRole(queries: Queries, userId: string, organizationId: string | null): Promise<OrganizationRole> {
  const isHere = organizationId === null ? undefined : eq(members.organizationId, organizationId)
  const rows = await queries
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.userId, userId), isHere))
  const roles = rows.map(({ role }) => role)
  if (organizationId !== null && roles.length === 0) {
    const message = 'Choose an organization that the person belongs to.'
    throw new AppError('invalid_input', message, { details: { fields: { organization_id: [message] } } })
  }
  return (['admin', 'member', 'viewer'] as const).find((role) => roles.includes(role)) ?? 'admin'
}

function roleTooHigh(highest: OrganizationRole): AppError {
  const message = `The role of a token can be at most the person's own: ${highest}.`
  return new AppError('invalid_input', message, { details: { fields: { role: [message] } } })
}

async function viewsOf(queries: Queries, condition: ReturnType<typeof and>): Promise<AccessTokenView[]> {
  const { id, name, role, createdAt, expiresAt, lastUsedAt, organizationId } = accessTokens
  const rows = await queries
    .select({ id, name, role, createdAt, expiresAt, lastUsedAt, organizationId, organizationName: organizations.name })
    .from(accessTokens)
    .leftJoin(organizations, eq(organizations.id, organizationId))
    .where(condition)
    .orderBy(asc(createdAt), asc(id))
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    role: row.role,
    organization: row.organizationId === null ? null : { id: row.organizationId, name: row.organizationName ?? '' },
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    is_expired: row.expiresAt.getTime() <= Date.now(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  }))
}
