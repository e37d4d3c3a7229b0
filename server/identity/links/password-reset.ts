import { and, eq, inArray, or } from 'drizzle-orm'
import type { Database, Transaction } from '../../../db/database'
import { accounts, sessions, users } from '../../../db/schema/users'
import type { Account, AccountStore } from '../embedded/account-store'
import { forgetAccount } from '../embedded/adapter'
import type { Passwords } from '../embedded/passwords'
import { embeddedIssuer } from '../people'
import { type Link, type Links, spendLink } from './links'

interface Deps {
  db: Database
  links: Links
  accounts: AccountStore
  passwords: Passwords
}

/** A reset link that can be used, and the account that it is for. */
interface ResetRequest {
  link: Link
  account: Account
}

/** Sets a new password with a reset link. */
export function createPasswordReset({ db, links, accounts: store, passwords }: Deps) {
  return {
    /** Null if the link cannot be used. */
    async find(token: string): Promise<ResetRequest | null> {
      const link = await links.find(token)
      const account = link?.purpose === 'reset' && link.email ? await store.findByEmail(link.email) : null
      return link && account && { link, account }
    },

    /**
     * Spends the link, stores the password and ends everything that the old password opened, in one transaction:
     * sessions here and at the provider, grants, and access tokens. The link proves that the address is the person's.
     * False if the link was used in the meantime.
     */
    async reset({ link, account }: ResetRequest, password: string): Promise<boolean> {
      const passwordHash = await passwords.hash(password)
      return db.write(async (tx) => {
        if (!(await spendLink(tx, link))) return false
        await tx.update(accounts).set({ passwordHash, emailVerified: true }).where(eq(accounts.id, account.id))
        await forgetAccount(tx, account.id)
        await endAllOf(tx, account)
        return true
      })
    },
  }
}
export type PasswordReset = ReturnType<typeof createPasswordReset>

/** Also covers a user who last signed in with another provider: the account's next sign-in takes that user over. */
async function endAllOf(tx: Transaction, { id, emailNormalized }: Account): Promise<void> {
  const person = or(
    and(eq(users.issuer, embeddedIssuer), eq(users.subject, id)),
    eq(users.emailNormalized, emailNormalized),
  )
  const ended = await tx.update(users).set({ tokensValidFrom: new Date() }).where(person).returning({ id: users.id })
  const userIds = ended.map((user) => user.id)
  await tx.delete(sessions).where(inArray(sessions.userId, userIds))
}
