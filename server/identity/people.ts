import { and, eq, isNull, ne } from 'drizzle-orm'
import { unlimitedPlan } from '../../contract/organizations/plan'
import { normalizeEmail } from '../../contract/values/email'
import { userTypes } from '../../contract/values/enumerations'
import type { Database, Transaction } from '../../db/database'
import { members, organizations } from '../../db/schema/organizations'
import { embeddedIssuer, users } from '../../db/schema/users'
import type { Actor } from '../actor'
import type { Config } from '../config/config'
import { AppError } from '../errors'
import { recordEvent } from '../services/audit/record-event'
import { endSessionsAndTokens } from './end-access'
import { acceptInvitation } from './links/invitations'
import { findLink, isSetUp, type Link, spendLink } from './links/links'

/** The claims of a provider about the person who signed in. */
export interface Profile {
  /** 'embedded', or the URL of the external issuer. */
  issuer: string
  subject: string
  email: string
  emailVerified: boolean
  name: string | null
  surname: string | null
  /** Address of the person's picture at the provider. */
  picture: string | null
}

/** Someone who signed in. */
export interface Admitted {
  userId: string
  /** The organization that their invitation added them to; null without one. */
  joined: string | null
  /** Whether the link is an invitation of another person to an organization. */
  isForOther: boolean
}

export const verifyFirst = 'You need to verify your email before logging in.'
const setUpFirst = 'This site is not set up yet. Open the set-up link that the server printed when it started.'
const invitedOnly = 'Sign-up is by invitation. Ask an administrator of the site for an invitation link.'
const noNewAccounts = 'This site does not accept new accounts.'

/** Keeps the users of the product, whichever provider signs them in. */
export function createPeople({ db, config }: { db: Database; config: Config }) {
  /**
   * Returns a profile's user: found by issuer and subject, else by verified e-mail address, else created if a link or
   * SIGN_UP allows it. Accepts the link if it is an invitation to an organization. Throws forbidden with a message for
   * the person.
   */
  function admit(profile: Profile, linkToken: string | null): Promise<Admitted> {
    // Only the first person becomes the administrator.
    return db.writeAlone('people', async (tx) => {
      const link = linkToken ? await findLink(tx, linkToken) : null
      const usableLink = link?.purpose === 'setup' || link?.email === normalizeEmail(profile.email) ? link : null
      const userId = (await findKnown(tx, profile)) ?? (await addNew(tx, profile, usableLink))
      const invitation = usableLink?.invitation ?? null
      const joined = invitation !== null && (await acceptInvitation(tx, invitation, userId))
      const isForOther = usableLink === null && (link?.invitation ?? null) !== null
      return { userId, joined: joined ? invitation.organizationId : null, isForOther }
    })
  }

  async function addNew(tx: Transaction, profile: Profile, link: Link | null): Promise<string> {
    const first = !(await isSetUp(tx))
    assertMaySignUp(profile, link, first)
    return addUser(tx, profile, link, first)
  }

  function assertMaySignUp(profile: Profile, link: Link | null, first: boolean): void {
    if (first && link?.purpose !== 'setup') throw new AppError('forbidden', setUpFirst)
    // The embedded provider has checked this when it created the account.
    if (first || profile.issuer === embeddedIssuer || config.signUp === 'open') return
    if (config.signUp === 'closed') throw new AppError('forbidden', noNewAccounts)
    if (link?.purpose !== 'invitation') throw new AppError('forbidden', invitedOnly)
  }

  return { admit }
}

async function findKnown(tx: Transaction, profile: Profile): Promise<string | null> {
  const emailNormalized = normalizeEmail(profile.email)
  const [bySubject] = await tx
    .select()
    .from(users)
    .where(and(eq(users.issuer, profile.issuer), eq(users.subject, profile.subject)))
  if (bySubject) {
    await tx
      .update(users)
      .set({ ...nameOf(profile), ...(await currentEmail(tx, bySubject, profile)) })
      .where(eq(users.id, bySubject.id))
    return bySubject.id
  }
  const [byEmail] = await tx.select().from(users).where(eq(users.emailNormalized, emailNormalized))
  if (!byEmail) return null
  // A provider that does not verify addresses would otherwise let anybody take over an account.
  if (!profile.emailVerified) throw new AppError('forbidden', verifyFirst)
  // Another person may have created the user with an address that was not verified then.
  await endSessionsAndTokens(tx, eq(users.id, byEmail.id))
  await tx
    .update(users)
    .set({ ...nameOf(profile), issuer: profile.issuer, subject: profile.subject })
    .where(eq(users.id, byEmail.id))
  return byEmail.id
}

/**
 * Follows a changed e-mail address, unless another user has it. An address that is not verified may belong to someone
 * else, whom `findKnown` would later sign in as this user.
 */
async function currentEmail(
  tx: Transaction,
  { id, email, emailNormalized }: typeof users.$inferSelect,
  profile: Profile,
): Promise<{ email: string; emailNormalized: string }> {
  const kept = { email, emailNormalized }
  if (!profile.emailVerified) return kept
  const changed = { email: profile.email.trim(), emailNormalized: normalizeEmail(profile.email) }
  const [second] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.emailNormalized, changed.emailNormalized), ne(users.id, id)))
  return second ? kept : changed
}

async function addUser(tx: Transaction, profile: Profile, link: Link | null, first: boolean): Promise<string> {
  const { issuer, subject, email } = profile
  const type = first ? userTypes.staff : userTypes.normal
  const [added] = await tx
    .insert(users)
    .values({ email: email.trim(), emailNormalized: normalizeEmail(email), ...nameOf(profile), issuer, subject, type })
    .returning({ id: users.id })
  if (!added) throw new Error('The inserted user was not returned')
  if (link && !link.invitation) await spendLink(tx, link)
  if (first) await adoptOrganizations(tx, { id: added.id, email: email.trim() })
  return added.id
}

/** The command line can create organizations before the first account, which becomes their administrator. */
async function adoptOrganizations(
  tx: Transaction,
  { id: userId, email }: { id: string; email: string },
): Promise<void> {
  const orphans = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .leftJoin(members, eq(members.organizationId, organizations.id))
    .where(and(isNull(members.id), isNull(organizations.deletedAt)))
  for (const { id } of orphans) {
    await tx.insert(members).values({ organizationId: id, userId, role: 'admin' })
    await tx.update(organizations).set({ plan: unlimitedPlan, createdBy: userId }).where(eq(organizations.id, id))
    const person: Actor = { kind: 'person', userId, staff: true, memberships: [] }
    const event = {
      organizationId: id,
      subject: { id: userId, name: email },
      changes: [{ field: 'role', to: 'admin' }],
    }
    await recordEvent(tx, person, { ...event, action: 'member.joined' })
  }
}

/** Claims that the provider does not send leave the stored values as they are. */
function nameOf({ name, surname }: Profile): { name?: string; surname?: string } {
  return { ...(name && { name }), ...(surname && { surname }) }
}
