import { eq } from 'drizzle-orm'
import { normalizeEmail } from '../../../contract/values/email'
import type { Database, Transaction } from '../../../db/database'
import { isConstraintError } from '../../../db/errors'
import { accounts } from '../../../db/schema/users'
import type { Passwords } from './passwords/passwords'

export type Account = typeof accounts.$inferSelect

interface NewAccount {
  email: string
  password: string
  name: string
  surname: string
  /** Whether the person used a link that verifies the address. */
  emailVerified: boolean
}

/** Accounts of the embedded provider. */
export function createAccountStore({ db, passwords }: { db: Database; passwords: Passwords }) {
  return {
    async find(id: string): Promise<Account | null> {
      const [account] = await db.read.select().from(accounts).where(eq(accounts.id, id))
      return account ?? null
    },

    findByEmail,

    /** The account with this e-mail address and password, or null. Both take the same time. */
    async authenticate(email: string, password: string): Promise<Account | null> {
      const account = await findByEmail(email)
      return (await passwords.matches(password, account?.passwordHash ?? null)) ? account : null
    },

    /** Null if the e-mail address already has an account. */
    async create({ email, password, name, surname, emailVerified }: NewAccount): Promise<Account | null> {
      const passwordHash = await passwords.hash(password)
      const row = { email: email.trim(), emailNormalized: normalizeEmail(email), passwordHash, emailVerified }
      try {
        const [account] = await db.writeOne((tx) =>
          tx
            .insert(accounts)
            .values({ ...row, name: name || null, surname: surname || null })
            .returning(),
        )
        return account ?? null
      } catch (error) {
        if (isConstraintError(error, 'unique')) return null
        throw error
      }
    },

    /** Marks the e-mail address as verified. */
    async verify(tx: Transaction, id: string): Promise<void> {
      await tx.update(accounts).set({ emailVerified: true }).where(eq(accounts.id, id))
    },
  }

  async function findByEmail(email: string): Promise<Account | null> {
    const [account] = await db.read
      .select()
      .from(accounts)
      .where(eq(accounts.emailNormalized, normalizeEmail(email)))
    return account ?? null
  }
}
export type AccountStore = ReturnType<typeof createAccountStore>
