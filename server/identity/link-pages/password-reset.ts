import { and, eq, or } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { accounts, embeddedIssuer, users } from '../../../db/schema/users'
import type { Account, AccountStore } from '../embedded/account-store'
import { forgetAccount } from '../embedded/adapter'
import type { Passwords } from '../embedded/passwords/passwords'
import { endSessionsAndTokens } from '../end-access'
import { type Link, type Links, spendLink } from '../links/links'

interface Deps {
  db: Database
  links: Links
  accounts: AccountStore
  passwords: Passwords
}

/** A valid reset link and its account. */
interface ResetRequest {
  link: Link
  account: Account
}

/** Sets a new password with a reset link. */
export function createPasswordReset({ db, links, accounts: store, passwords }: Deps) {
  return {
    /** Null if the link is not valid. */
    async find(token: string): Promise<ResetRequest | null> {
      const link = await links.find(token)
      const account = link?.purpose === 'reset' && link.email ? await store.findByEmail(link.email) : null
      return link && account && { link, account }
    },

    /**
     * Marks the link as used, stores the password, and ends all sessions, grants and access tokens of the account, in one
     * transaction. Also verifies the e-mail address, which received the link. False if the link was used meanwhile.
     */
    async reset({ link, account }: ResetRequest, password: string): Promise<boolean> {
      const passwordHash = await passwords.hash(password)
      return db.write(async (tx) => {
        if (!(await spendLink(tx, link))) return false
        await tx.update(accounts).set({ passwordHash, emailVerified: true }).where(eq(accounts.id, account.id))
        await forgetAccount(tx, account.id)
        await endSessionsAndTokens(tx, usersOf(account))
        return true
      })
    },
  }
}
export type PasswordReset = ReturnType<typeof createPasswordReset>

/** Includes a user with the same e-mail address from another provider, whom the account signs in as next time. */
function usersOf({ id, emailNormalized }: Account) {
  return or(and(eq(users.issuer, embeddedIssuer), eq(users.subject, id)), eq(users.emailNormalized, emailNormalized))
}
