import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Database, Transaction } from '../../../db/database'
import { accounts, embeddedIssuer, passkeys as passkeyTable, users } from '../../../db/schema/users'
import type { Sealer } from '../../sealing'
import { stepOfCode } from './authenticator'
import { createPasskeys } from './passkeys'
import { hashRecoveryCode } from './recovery-codes'

type Account = typeof accounts.$inferSelect

interface Deps {
  db: Database
  sealer: Sealer
  publicUrl: string
}

/** What proves the person beside the password: an authenticator app, passkeys, and recovery codes in place of them. */
export function createSecondFactor({ db, sealer, publicUrl }: Deps) {
  const passkeys = createPasskeys({ db, publicUrl })

  return {
    passkeys,

    /** Which second factors the account has. */
    async of(account: Account): Promise<{ authenticator: boolean; passkeys: boolean }> {
      const count = await db.read.$count(passkeyTable, eq(passkeyTable.accountId, account.id))
      return { authenticator: account.totpSecret !== null, passkeys: count > 0 }
    },

    /** Accepts each code of the app and each recovery code once. Null for a wrong code, otherwise what it is. */
    async acceptCode(account: Account, code: string): Promise<'otp' | 'recovery' | null> {
      const digits = code.replaceAll(/\s/g, '')
      if (/^\d{6}$/.test(digits)) return (await acceptTotp(account, digits)) ? 'otp' : null
      return (await acceptRecoveryCode(account.id, code)) ? 'recovery' : null
    },

    sealSecret: (accountId: string, secret: string) => sealer.seal(secret, sealedAt(accountId)),
  }

  async function acceptTotp({ id, totpSecret }: Account, code: string): Promise<boolean> {
    const step = totpSecret === null ? null : stepOfCode(sealer.open(totpSecret, sealedAt(id)), code)
    if (step === null) return false
    const isNew = and(eq(accounts.id, id), or(isNull(accounts.totpStep), lt(accounts.totpStep, step)))
    const accepted = await db.writeOne((tx) =>
      tx.update(accounts).set({ totpStep: step }).where(isNew).returning({ id: accounts.id }),
    )
    return accepted.length > 0
  }

  function acceptRecoveryCode(accountId: string, code: string): Promise<boolean> {
    const hash = hashRecoveryCode(code)
    return db.writeAlone(`account ${accountId}`, async (tx) => {
      const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId))
      const left = account?.recoveryCodes ?? []
      if (!left.includes(hash)) return false
      const recoveryCodes = left.filter((unused) => unused !== hash)
      await tx.update(accounts).set({ recoveryCodes }).where(eq(accounts.id, accountId))
      return true
    })
  }
}
export type SecondFactor = ReturnType<typeof createSecondFactor>

/**
 * Records on the user whether the account has a second factor, and returns whether it is the first one. Without one, its
 * recovery codes are deleted.
 */
export async function noteSecondFactor(tx: Transaction, accountId: string): Promise<{ isFirst: boolean }> {
  const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId))
  const count = await tx.$count(passkeyTable, eq(passkeyTable.accountId, accountId))
  const isPerson = and(eq(users.issuer, embeddedIssuer), eq(users.subject, accountId))
  if (account?.totpSecret || count > 0) {
    const noted = await tx
      .update(users)
      .set({ secondFactorSince: new Date() })
      .where(and(isPerson, isNull(users.secondFactorSince)))
      .returning({ id: users.id })
    return { isFirst: noted.length > 0 }
  }
  await tx.update(users).set({ secondFactorSince: null }).where(isPerson)
  await tx.update(accounts).set({ recoveryCodes: null }).where(eq(accounts.id, accountId))
  return { isFirst: false }
}

/** Removes all second factors of an account. */
export async function removeSecondFactors(tx: Transaction, accountId: string): Promise<void> {
  await tx.delete(passkeyTable).where(eq(passkeyTable.accountId, accountId))
  await tx.update(accounts).set({ totpSecret: null, totpStep: null }).where(eq(accounts.id, accountId))
  await noteSecondFactor(tx, accountId)
}

function sealedAt(accountId: string): string {
  return `${accountId}:accounts.totp_secret`
}
