import type { Logger } from 'pino'
import { normalizeEmail } from '../../../contract/values/email'
import type { Database } from '../../../db/database'
import type { Config } from '../../config/config'
import { AppError, GiveUp } from '../../errors'
import { networkOf } from '../../network'
import { countPendingJobs, enqueue } from '../../services/jobs/jobs'
import {
  accountExistsLetter,
  accountInvitationLetter,
  passwordResetLetter,
  verificationLetter,
} from '../../services/mail/letters'
import type { MailService } from '../../services/mail/mail'
import type { Letter } from '../../services/mail/render-mail'
import type { Links } from '../links/links'
import type { AccountStore } from './account-store'

/** Mails that visitors ask for with an e-mail address. */
const visitorMails = ['reset', 'sign-up', 'verification'] as const
type VisitorMail = (typeof visitorMails)[number]

interface Deps {
  db: Database
  config: Pick<Config, 'publicUrl' | 'signUp'>
  links: Links
  accounts: AccountStore
  mail: MailService
  log: Logger
}

/** Mails of visitors that may wait at once. */
const maxPending = 1_000

/**
 * Mails links to the e-mail addresses of accounts. Requests only enqueue a job, which looks for the account: the response
 * to a visitor and its time do not depend on whether the address has one.
 */
export function createMailedLinks({ db, config, links, accounts, mail, log }: Deps) {
  const site = config.publicUrl

  return {
    /** Whether a mail server is configured. */
    isConfigured: mail.isConfigured,

    /**
     * Enqueues an e-mail to an address that a visitor entered. Returns null, or the seconds to wait if the visitor's
     * network or the address exceeds its limit. Throws unavailable if too many e-mails are waiting.
     */
    async request(purpose: VisitorMail, ip: string, email: string): Promise<number | null> {
      const normalized = normalizeEmail(email)
      const wait = await mail.admitVisitor(networkOf(ip), normalized)
      if (wait !== null) return wait
      if ((await countPendingJobs(db.read, 'mail-link')) >= maxPending)
        throw new AppError('unavailable', 'Too many e-mails are waiting to be sent. Try again later.')
      const dedupeKey = `mail-link:${purpose}:${normalized}`
      await db.write((tx) => enqueue(tx, { kind: 'mail-link', payload: { purpose, email: normalized }, dedupeKey }))
      return null
    },

    /** Sends an e-mail that `request` enqueued, to a normalized address. Throws if a later attempt may succeed. */
    async send(purpose: string, email: string): Promise<void> {
      const found = await letterFor(purpose, email)
      if (!found) return
      try {
        await mail.send(found.to, found.letter)
      } catch (error) {
        if (!(error instanceof GiveUp)) throw error
        // Without a row for the operator, because strangers could leave any number of them.
        log.warn({ err: error, purpose }, 'An e-mail was rejected')
      }
    },

    /** Mails an invitation link. Returns null without a mail server, false if the mail could not be sent. */
    async sendInvitation(email: string, link: string): Promise<boolean | null> {
      if (!mail.isConfigured) return null
      try {
        await mail.send(email, accountInvitationLetter({ site, email, link }))
        return true
      } catch (error) {
        log.warn({ err: error }, 'An invitation could not be sent')
        return false
      }
    },
  }

  /**
   * Null if there is nothing to mail any more. Creates a new link, which replaces the one of an earlier attempt. Mails go to
   * the address that the account or the link is for, never to another spelling that a visitor entered.
   */
  async function letterFor(purpose: string, email: string): Promise<{ to: string; letter: Letter } | null> {
    const account = await accounts.findByEmail(email)
    if (account) {
      const to = account.email
      if (purpose === 'sign-up') return { to, letter: accountExistsLetter({ site, link: `${site}/login` }) }
      if (purpose === 'reset')
        return { to, letter: passwordResetLetter({ site, link: await links.create('reset', email) }) }
      return account.emailVerified ? null : { to, letter: await verification(email) }
    }
    return purpose === 'sign-up' && config.signUp === 'open' ? { to: email, letter: await verification(email) } : null
  }

  async function verification(email: string): Promise<Letter> {
    return verificationLetter({ site, link: await links.create('verification', email) })
  }
}
export type MailedLinks = ReturnType<typeof createMailedLinks>
