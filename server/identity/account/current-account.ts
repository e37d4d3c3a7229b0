import { and, eq, gt } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { accounts, embeddedIssuer, sessions, users } from '../../../db/schema/users'
import { AppError } from '../../errors'
import { notFound } from '../../policy'
import { hashToken } from '../../tokens'
import type { Account } from '../embedded/account-store'
import type { Attempts } from '../embedded/attempts'
import type { Passwords } from '../embedded/passwords/passwords'

export interface Deps {
  db: Database
  passwords: Passwords
  attempts: Attempts
  sessionToken: (request: Pick<Request, 'headers'>) => string | null
}

/** The session and the account behind a request of a page. */
export function createCurrentAccount({ db, passwords, attempts, sessionToken }: Deps) {
  /** Throws unauthenticated without a session. */
  async function session(request: Request) {
    const id = hashToken(sessionToken(request) ?? '')
    const [row] = await db.read
      .select({
        id: sessions.id,
        userId: sessions.userId,
        providerSession: sessions.providerSession,
        user: { id: users.id, issuer: users.issuer, subject: users.subject },
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.id, id), gt(sessions.expiresAt, new Date())))
    if (!row) throw new AppError('unauthenticated', 'Your session has ended. Log in again.')
    return row
  }

  /** The person's account at the embedded provider. Throws conflict if an external one keeps it. */
  async function account(request: Request): Promise<Account> {
    const { user } = await session(request)
    if (user.issuer !== embeddedIssuer)
      throw new AppError(
        'conflict',
        'The sign-in service manages your name, e-mail address and password. Change them there.',
      )
    const [found] = await db.read.select().from(accounts).where(eq(accounts.id, user.subject))
    if (!found) throw notFound()
    return found
  }

  return {
    session,
    account,

    /** Counts an attempt. Throws rate_limited, and invalid_input for a wrong password. */
    async assertPassword({ email, passwordHash }: Account, clientIp: string, password: string): Promise<void> {
      const waitSeconds = await attempts.take(clientIp, email)
      if (waitSeconds !== null) throw tooManyAttempts(waitSeconds)
      if (!(await passwords.matches(password, passwordHash))) throw wrongPassword()
      await attempts.succeeded(clientIp, email)
    },
  }
}
export type CurrentAccount = ReturnType<typeof createCurrentAccount>

export function wrongPassword(): AppError {
  const message = 'Wrong password'
  return new AppError('invalid_input', message, { details: { fields: { current_password: [message] } } })
}

export function tooManyAttempts(retryAfterSeconds: number): AppError {
  const wait = retryAfterSeconds === 1 ? 'a second' : `${retryAfterSeconds} seconds`
  return new AppError('rate_limited', `Too many attempts. Try again in ${wait}.`, { details: { retryAfterSeconds } })
}
