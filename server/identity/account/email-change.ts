import { and, eq, gt } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { EmailChange } from '../../../contract/organizations/account'
import { normalizeEmail } from '../../../contract/values/email'
import type { Database } from '../../../db/database'
import { isConstraintError } from '../../../db/errors'
import { accounts, embeddedIssuer, users } from '../../../db/schema/users'
import { AppError } from '../../errors'
import { networkOf } from '../../network'
import { emailChangedLetter, emailChangeLetter } from '../../services/mail/letters'
import type { MailService } from '../../services/mail/mail'
import { hashToken, randomToken } from '../../tokens'
import { type CurrentAccount, tooManyAttempts } from './current-account'

interface Deps {
  db: Database
  current: CurrentAccount
  mail: MailService
  publicUrl: string
  log: Logger
}

const linkLifetimeMs = 24 * 3_600_000

/** Changes the e-mail address of an account of the embedded provider, once the new address has confirmed it. */
export function createEmailChange({ db, current, mail, publicUrl, log }: Deps) {
  return {
    /**
     * Mails a link to the new address, whether or not it has an account. Throws invalid_input for a wrong password,
     * rate_limited, conflict without a mail server, and upstream_failed if the mail cannot be sent.
     */
    async request(request: Request, clientIp: string, { email, current_password }: EmailChange): Promise<void> {
      const account = await current.account(request)
      if (!mail.isConfigured)
        throw new AppError('conflict', 'This site sends no e-mail, so you cannot change the address.')
      await current.assertPassword(account, clientIp, current_password)
      const waitSeconds = await mail.admitVisitor(networkOf(clientIp), normalizeEmail(email))
      if (waitSeconds !== null) throw tooManyAttempts(waitSeconds)
      const token = randomToken()
      const pending = {
        pendingEmail: email,
        pendingEmailToken: hashToken(token),
        pendingEmailExpiresAt: new Date(Date.now() + linkLifetimeMs),
      }
      await db.writeOne((tx) => tx.update(accounts).set(pending).where(eq(accounts.id, account.id)))
      const link = `${publicUrl}/dashboard/account?confirm=${token}`
      try {
        await mail.send(email, emailChangeLetter({ site: publicUrl, link }))
      } catch (cause) {
        throw new AppError('upstream_failed', 'The e-mail could not be sent. Try again later.', { cause })
      }
    },

    /** Takes the address that a link confirms. Throws invalid_input for a link that is not valid, and conflict. */
    async confirm(request: Request, token: string): Promise<void> {
      const account = await current.account(request)
      const email = account.pendingEmail
      if (email === null) throw invalidLink()
      const address = { email, emailNormalized: normalizeEmail(email) }
      try {
        await db.write(async (tx) => {
          const isPending = and(
            eq(accounts.id, account.id),
            eq(accounts.pendingEmailToken, hashToken(token)),
            gt(accounts.pendingEmailExpiresAt, new Date()),
          )
          const [changed] = await tx
            .update(accounts)
            .set({
              ...address,
              emailVerified: true,
              pendingEmail: null,
              pendingEmailToken: null,
              pendingEmailExpiresAt: null,
            })
            .where(isPending)
            .returning({ id: accounts.id })
          if (!changed) throw invalidLink()
          const isPerson = and(eq(users.issuer, embeddedIssuer), eq(users.subject, account.id))
          await tx.update(users).set(address).where(isPerson)
        })
      } catch (error) {
        if (isConstraintError(error, 'unique'))
          throw new AppError('conflict', 'Another account has this e-mail address.', { cause: error })
        throw error
      }
      await notify(account.email, email)
    },
  }

  /** Tells the former address, whose owner may not have changed it. The change holds if the mail cannot be sent. */
  async function notify(former: string, email: string): Promise<void> {
    try {
      await mail.send(former, emailChangedLetter({ site: publicUrl, email }))
    } catch (error) {
      log.warn({ err: error }, 'An e-mail about a changed address could not be sent')
    }
  }
}
export type EmailChanges = ReturnType<typeof createEmailChange>

function invalidLink(): AppError {
  return new AppError('invalid_input', 'This link is no longer valid. Request a new one.')
}
