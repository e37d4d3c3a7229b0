import { and, asc, eq, gt } from 'drizzle-orm'
import type { InvitationInput } from '../../../contract/organizations/member'
import type { MailStatus } from '../../../contract/values/enumerations'
import type { Paged, Paging } from '../../../contract/values/paging'
import type { InvitationView } from '../../../contract/views/organizations/member'
import type { Database, Queries } from '../../../db/database'
import { invitations, members, organizations } from '../../../db/schema/organizations'
import { users } from '../../../db/schema/users'
import { type Actor, personOf } from '../../actor'
import { AppError, isAppError } from '../../errors'
import { authorize, notFound } from '../../policy'
import type { Sealer } from '../../sealing'
import { hashToken, randomToken } from '../../tokens'
import { recordEvent } from '../audit/record-event'
import { enqueue } from '../jobs/jobs'
import { invitationLetter } from '../mail/letters'
import type { MailService } from '../mail/mail'
import { pageOf, rowsBefore } from '../paging'
import { findOrganization } from './organizations'
import { revokeInvitations } from './revoke-invitations'

type InvitationRow = typeof invitations.$inferSelect

interface Deps {
  db: Database
  sealer: Sealer
  publicUrl: string
  mail: Pick<MailService, 'isConfigured' | 'admitInvitation' | 'send'>
}

const lifetimeMs = 7 * 24 * 3_600_000
/** Maximum pending invitations of one organization. */
const maxPending = 100

/** Links that make one person a member of an organization; `identity` accepts them. */
export function createInvitations({ db, sealer, publicUrl, mail }: Deps) {
  return {
    /** Lists the invitations that can still be accepted, oldest first, with their links. */
    async list(actor: Actor, organizationId: string, paging: Paging): Promise<Paged<InvitationView>> {
      authorize(actor, 'member:read', organizationId)
      const rows = await db.read
        .select()
        .from(invitations)
        .where(isPending(organizationId))
        .orderBy(asc(invitations.createdAt), asc(invitations.id))
        .limit(paging.limit)
        .offset(rowsBefore(paging))
      return pageOf(rows.map(view), await db.read.$count(invitations, isPending(organizationId)), paging)
    },

    /**
     * Creates an invitation for 7 days, which replaces the organization's previous one for the same e-mail address. Enqueues
     * its mail if a mail server is configured; over the limits of mails, its status is 'failed' at once.
     * Throws not_found for a deleted organization, conflict for a member, and quota_exceeded if too many invitations are pending.
     */
    async create(actor: Actor, organizationId: string, { email, role }: InvitationInput): Promise<InvitationView> {
      authorize(actor, 'member:edit', organizationId)
      const token = randomToken()
      const tokenHash = hashToken(token)
      const isMailed = await mail.admitInvitation(actor, email)
      const values = {
        organizationId,
        email,
        role,
        tokenHash,
        token: sealer.seal(token, sealedAt(tokenHash)),
        mailStatus: isMailed ? ('queued' as const) : mail.isConfigured ? ('failed' as const) : null,
        createdBy: personOf(actor),
        expiresAt: new Date(Date.now() + lifetimeMs),
      }
      const row = await db.writeAlone(organizationId, async (tx) => {
        await findOrganization(tx, organizationId)
        await assertNoMember(tx, organizationId, email)
        const ofOrganization = eq(invitations.organizationId, organizationId)
        await revokeInvitations(tx, actor, and(ofOrganization, eq(invitations.email, email)))
        if ((await tx.$count(invitations, isPending(organizationId))) >= maxPending) throw tooMany()
        const [created] = await tx.insert(invitations).values(values).returning()
        if (!created) throw new Error('The invitation was not stored.')
        const subject = { id: created.id, name: email }
        const changes = [{ field: 'role', to: role }]
        await recordEvent(tx, actor, { organizationId, action: 'invitation.created', subject, changes })
        if (isMailed)
          await enqueue(tx, { kind: 'mail-invitation', payload: { invitationId: created.id }, organizationId })
        return created
      })
      return view(row)
    },

    /** Deletes an invitation, so that its link no longer works. Throws not_found. */
    async revoke(actor: Actor, { organizationId, invitationId }: InvitationRef): Promise<void> {
      authorize(actor, 'member:edit', organizationId)
      const isRevoked = and(eq(invitations.organizationId, organizationId), eq(invitations.id, invitationId))
      await db.write(async (tx) => {
        if ((await revokeInvitations(tx, actor, isRevoked)) === 0) throw notFound()
      })
    },

    /** Mails the link of an invitation, unless it was accepted or revoked meanwhile. Throws if the mail was not sent. */
    async mail(invitationId: string): Promise<void> {
      const [found] = await db.read
        .select({ invitation: invitations, organizationName: organizations.name })
        .from(invitations)
        .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
        .where(and(eq(invitations.id, invitationId), gt(invitations.expiresAt, new Date())))
      if (!found) return
      const { invitation, organizationName } = found
      const { email, role } = invitation
      const link = linkOf(invitation)
      if (link === null) return setMailStatus(invitationId, 'failed')
      try {
        await mail.send(email, invitationLetter({ site: publicUrl, organizationName, role, email, link }))
      } catch (error) {
        // A later attempt may still succeed; until then the link is there to copy.
        await setMailStatus(invitationId, 'failed')
        throw error
      }
      await setMailStatus(invitationId, 'sent')
    },
  }

  async function setMailStatus(invitationId: string, mailStatus: MailStatus): Promise<void> {
    await db.writeOne((tx) => tx.update(invitations).set({ mailStatus }).where(eq(invitations.id, invitationId)))
  }

  function view(row: InvitationRow): InvitationView {
    return {
      id: row.id,
      email: row.email,
      role: row.role,
      link: linkOf(row),
      mail_status: row.mailStatus,
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
  const message = `${email} is already a member of this organization.`
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
