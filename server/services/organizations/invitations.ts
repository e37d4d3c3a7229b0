import { and, asc, eq, gt } from 'drizzle-orm'
import type { InvitationInput } from '../../../contract/member'
import type { InvitationView } from '../../../contract/views/member'
import type { Database, Queries } from '../../../db/database'
import { invitations, members } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import { type Actor, personOf } from '../../actor'
import { AppError, isAppError } from '../../errors'
import { authorize, notFound } from '../../policy'
import type { Sealer } from '../../sealing'
import { hashToken, randomToken } from '../../tokens'

type InvitationRow = typeof invitations.$inferSelect

interface Deps {
  db: Database
  sealer: Sealer
  publicUrl: string
}

const lifetimeMs = 7 * 24 * 3_600_000
/** Of one organization. */
const maxPending = 100

/** Links that make one person a member of an organization; `identity` accepts them. */
export function createInvitations({ db, sealer, publicUrl }: Deps) {
  return {
    /** Lists the invitations that can still be accepted, oldest first, with their links. */
    async list(actor: Actor, organizationId: string): Promise<InvitationView[]> {
      authorize(actor, 'member:read', organizationId)
      const rows = await db.read
        .select()
        .from(invitations)
        .where(isPending(organizationId))
        .orderBy(asc(invitations.createdAt), asc(invitations.id))
      return rows.map(view)
    },

    /**
     * Creates an invitation for 7 days, which replaces the organization's previous one for the same e-mail address.
     * Throws conflict for a member, and quota_exceeded if too many invitations are pending.
     */
    async create(actor: Actor, organizationId: string, { email, role }: InvitationInput): Promise<InvitationView> {
      authorize(actor, 'member:edit', organizationId)
      const token = randomToken()
      const tokenHash = hashToken(token)
      const values = {
        organizationId,
        email,
        role,
        tokenHash,
        token: sealer.seal(token, sealedAt(tokenHash)),
        createdBy: personOf(actor),
        expiresAt: new Date(Date.now() + lifetimeMs),
      }
      const row = await db.write(async (tx) => {
        await assertNoMember(tx, organizationId, email)
        const ofOrganization = eq(invitations.organizationId, organizationId)
        await tx.delete(invitations).where(and(ofOrganization, eq(invitations.email, email)))
        if ((await tx.$count(invitations, isPending(organizationId))) >= maxPending) throw tooMany()
        const [created] = await tx.insert(invitations).values(values).returning()
        return created
      })
      if (!row) throw new Error('The invitation was not stored.')
      return view(row)
    },

    /** Deletes an invitation, so that its link no longer works. Throws not_found. */
    async revoke(actor: Actor, { organizationId, invitationId }: InvitationRef): Promise<void> {
      authorize(actor, 'member:edit', organizationId)
      const isRevoked = and(eq(invitations.organizationId, organizationId), eq(invitations.id, invitationId))
      const [revoked] = await db.writeOne((tx) =>
        tx.delete(invitations).where(isRevoked).returning({ id: invitations.id }),
      )
      if (!revoked) throw notFound()
    },
  }

  function view(row: InvitationRow): InvitationView {
    return {
      id: row.id,
      email: row.email,
      role: row.role,
      link: linkOf(row),
      created_by: row.createdBy,
      created_at: row.createdAt.toISOString(),
      expires_at: row.expiresAt.toISOString(),
    }
  }

  /** Null if the key that sealed the token is lost. */
  function linkOf({ token, tokenHash }: InvitationRow): string | null {
    try {
      return `${publicUrl}/invitation?token=${sealer.open(token, sealedAt(tokenHash))}`
    } catch (error) {
      if (isAppError(error)) return null
      throw error
    }
  }
}

interface InvitationRef {
  organizationId: string
  invitationId: string
}

async function assertNoMember(queries: Queries, organizationId: string, email: string): Promise<void> {
  const [member] = await queries
    .select({ id: members.id })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.organizationId, organizationId), eq(users.emailNormalized, email)))
  if (!member) return
  const message = `${email} is a member of this organization already.`
  throw new AppError('conflict', message, { details: { fields: { email: [message] } } })
}

function isPending(organizationId: string) {
  return and(eq(invitations.organizationId, organizationId), gt(invitations.expiresAt, new Date()))
}

function tooMany(): AppError {
  return new AppError(
    'quota_exceeded',
    `An organization can have ${maxPending} pending invitations. Revoke one to invite someone else.`,
  )
}

function sealedAt(tokenHash: string): string {
  return `${tokenHash}:invitations.token`
}
