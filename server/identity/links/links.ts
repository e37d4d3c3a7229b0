import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../../../db/database'
import { links, users } from '../../../db/schema/users'
import { hashToken, randomToken } from '../../tokens'
import { findInvitation, type Invitation, sweepInvitations } from './invitations'

export type LinkPurpose = 'setup' | 'reset' | 'invitation' | 'verification'
export interface Link {
  id: string
  purpose: LinkPurpose
  /** The e-mail address that it is for; null for a set-up link. */
  email: string | null
  /**
   * Whether the link verifies its e-mail address: it was mailed to the address or created by the operator. An
   * administrator can read the links of the organization's invitations, so those prove nothing.
   */
  verifiesEmail: boolean
  /** What the link adds its recipient to; null for a link without an organization. */
  invitation: Invitation | null
}

const lifetimes: Record<LinkPurpose, number> = {
  setup: 24 * 3_600_000,
  reset: 24 * 3_600_000,
  invitation: 7 * 24 * 3_600_000,
  verification: 24 * 3_600_000,
}

/** Links that work once. Only hashes are stored. A new link replaces the previous one of its purpose and person. */
export function createLinks({ db, publicUrl }: { db: Database; publicUrl: string }) {
  return {
    /** `record` runs in the transaction that stores the link. */
    async create(
      purpose: LinkPurpose,
      email: string | null,
      record?: (tx: Transaction) => Promise<void>,
    ): Promise<string> {
      const token = randomToken()
      const expiresAt = new Date(Date.now() + lifetimes[purpose])
      await db.writeAlone(`${purpose} ${email ?? ''}`, async (tx) => {
        await tx
          .delete(links)
          .where(and(eq(links.purpose, purpose), email === null ? isNull(links.email) : eq(links.email, email)))
        await tx.insert(links).values({ id: hashToken(token), purpose, email, expiresAt })
        await record?.(tx)
      })
      return `${publicUrl}/${purpose}?token=${token}`
    },

    find: (token: string) => findLink(db.read, token),

    /** Whether there is a link for this purpose that works. */
    async hasUsable(purpose: LinkPurpose): Promise<boolean> {
      const usable = and(eq(links.purpose, purpose), isNull(links.usedAt), gt(links.expiresAt, new Date()))
      return (await db.read.$count(links, usable)) > 0
    },

    async sweep(): Promise<void> {
      await db.writeOne((tx) => tx.delete(links).where(lt(links.expiresAt, new Date())))
      await sweepInvitations(db)
    },
  }
}
export type Links = ReturnType<typeof createLinks>

/**
 * Null if the link is unknown, used or expired. A set-up link also expires with the first account. Invitations to
 * organizations have a table of their own.
 */
export async function findLink(queries: Queries, token: string): Promise<Link | null> {
  const usable = and(eq(links.id, hashToken(token)), isNull(links.usedAt), gt(links.expiresAt, new Date()))
  const [link] = await queries
    .select({ id: links.id, purpose: links.purpose, email: links.email })
    .from(links)
    .where(usable)
  if (link)
    return link.purpose === 'setup' && (await isSetUp(queries))
      ? null
      : { ...link, verifiesEmail: true, invitation: null }
  const invitation = await findInvitation(queries, hashToken(token))
  if (!invitation) return null
  return { id: invitation.id, purpose: 'invitation', email: invitation.email, verifiesEmail: false, invitation }
}

/** Marks the link as used. False if it was used before. */
export async function spendLink(tx: Transaction, link: Link): Promise<boolean> {
  const unused = and(eq(links.id, link.id), isNull(links.usedAt))
  const spent = await tx.update(links).set({ usedAt: new Date() }).where(unused).returning({ id: links.id })
  return spent.length > 0
}

/** Whether anybody has an account here. */
export async function isSetUp(queries: Queries): Promise<boolean> {
  const [user] = await queries.select({ id: users.id }).from(users).limit(1)
  return user !== undefined
}
