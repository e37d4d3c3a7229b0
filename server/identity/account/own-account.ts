import { and, desc, eq, gt, inArray, ne } from 'drizzle-orm'
import type { PasswordChange, PersonName } from '../../../contract/organizations/account'
import type { SessionView, SignInView } from '../../../contract/views/organizations/session'
import type { Database, Transaction } from '../../../db/database'
import { accounts, embeddedIssuer, sessions as sessionTable, users } from '../../../db/schema/users'
import { AppError } from '../../errors'
import { notFound } from '../../policy'
import { endProviderSessions, forgetAccount } from '../embedded/adapter'
import { newPasswordProblem } from '../embedded/passwords/new-password'
import type { Passwords } from '../embedded/passwords/passwords'
import type { SignIns } from '../sign-ins'
import { type CurrentAccount, wrongPassword } from './current-account'
import type { EmailChanges } from './email-change'

interface Deps {
  db: Database
  passwords: Passwords
  current: CurrentAccount
  emailChange: EmailChanges
  signIns: Pick<SignIns, 'list'>
}

const maxListedSessions = 100

/** What people do with their own account: the sessions, and with the embedded provider the name and the password. */
export interface OwnAccount {
  /** Lists the person's sessions, at most 100: this one, then the latest use first. */
  sessions(request: Request): Promise<SessionView[]>
  /** Lists the person's last sign-ins, the newest first. */
  signIns(request: Request): Promise<SignInView[]>
  /** Ends a session; its next request is refused. Throws not_found, also for a session of others. */
  endSession(request: Request, id: string): Promise<void>
  /** Ends all sessions but this one. Returns how many. */
  endOtherSessions(request: Request): Promise<number>
  /** Throws conflict for a person whose name an external provider keeps. */
  rename(request: Request, name: PersonName): Promise<void>
  /**
   * Changes the password and ends all other sessions and sign-ins. Throws invalid_input for a wrong password, rate_limited
   * after several, and conflict for a person whose password an external provider keeps.
   */
  changePassword(request: Request, clientIp: string, change: PasswordChange): Promise<void>
  /** See `email-change.ts`. */
  requestEmail: EmailChanges['request']
  confirmEmail: EmailChanges['confirm']
}

/** Every method throws unauthenticated without a session. */
export function createOwnAccount({ db, passwords, current, emailChange, signIns }: Deps): OwnAccount {
  return {
    async sessions(request) {
      const session = await current.session(request)
      const rows = await db.read
        .select()
        .from(sessionTable)
        .where(and(eq(sessionTable.userId, session.userId), gt(sessionTable.expiresAt, new Date())))
        .orderBy(desc(eq(sessionTable.id, session.id)), desc(sessionTable.lastSeenAt), desc(sessionTable.createdAt))
        .limit(maxListedSessions)
      return rows.map(({ id, userAgent, ip, createdAt, lastSeenAt }) => ({
        id,
        user_agent: userAgent,
        ip,
        created_at: createdAt.toISOString(),
        last_seen_at: lastSeenAt.toISOString(),
        is_current: id === session.id,
      }))
    },

    async signIns(request) {
      const { userId } = await current.session(request)
      return signIns.list(userId)
    },

    async endSession(request, id) {
      const { userId } = await current.session(request)
      const ended = await db.write((tx) =>
        endSessions(tx, and(eq(sessionTable.id, id), eq(sessionTable.userId, userId))),
      )
      if (ended === 0) throw notFound()
    },

    async endOtherSessions(request) {
      const session = await current.session(request)
      return db.write((tx) => endSessions(tx, othersThan(session)))
    },

    async rename(request, { name, surname }) {
      const { id } = await current.account(request)
      const names = { name: name || null, surname: surname || null }
      await db.write(async (tx) => {
        await tx
          .update(users)
          .set(names)
          .where(and(eq(users.issuer, embeddedIssuer), eq(users.subject, id)))
        // A sign-in copies the names of the account to the user.
        await tx.update(accounts).set(names).where(eq(accounts.id, id))
      })
    },

    async changePassword(request, clientIp, change) {
      const session = await current.session(request)
      const account = await current.account(request)
      await current.assertPassword(account, clientIp, change.current_password)
      const problem = newPasswordProblem(change.new_password, account.email)
      if (problem) throw new AppError('invalid_input', problem, { details: { fields: { new_password: [problem] } } })
      const passwordHash = await passwords.hash(change.new_password)
      await db.write(async (tx) => {
        // Another request may have changed the password since it was compared.
        const isUnchanged = and(eq(accounts.id, account.id), eq(accounts.passwordHash, account.passwordHash))
        const [changed] = await tx.update(accounts).set({ passwordHash }).where(isUnchanged).returning()
        if (!changed) throw wrongPassword()
        await endOtherAccess(tx, session, account.id)
      })
    },

    requestEmail: emailChange.request,
    confirmEmail: emailChange.confirm,
  }
}

/** Ends the other sessions of a person, and what the embedded provider issued to them. */
export async function endOtherAccess(
  tx: Transaction,
  session: { id: string; userId: string; providerSession: string | null },
  accountId: string,
): Promise<void> {
  await tx.update(users).set({ tokensValidFrom: new Date() }).where(eq(users.id, session.userId))
  await tx.delete(sessionTable).where(othersThan(session))
  await forgetAccount(tx, accountId, session.providerSession)
}

function othersThan({ id, userId }: { id: string; userId: string }) {
  return and(eq(sessionTable.userId, userId), ne(sessionTable.id, id))
}

/** Ends sessions, also those of the embedded provider, which would sign the browser in again without a password. */
async function endSessions(tx: Transaction, which: ReturnType<typeof and>): Promise<number> {
  const ended = await tx
    .select({ id: sessionTable.id, providerSession: sessionTable.providerSession })
    .from(sessionTable)
    .where(which)
  await tx.delete(sessionTable).where(
    inArray(
      sessionTable.id,
      ended.map(({ id }) => id),
    ),
  )
  await endProviderSessions(
    tx,
    ended.flatMap(({ providerSession }) => providerSession ?? []),
  )
  return ended.length
}
