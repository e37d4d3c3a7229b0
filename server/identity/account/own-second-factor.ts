import { and, eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import type {
  AuthenticatorCode,
  PasskeyInput,
  PasskeyOffer,
  PasswordProof,
} from '../../../contract/organizations/second-factor'
import { passkeyLimits } from '../../../contract/values/limits'
import type { AuthenticatorSetup, SecondFactorView } from '../../../contract/views/organizations/second-factor'
import type { Database, Transaction } from '../../../db/database'
import { accounts, embeddedIssuer, passkeys as passkeyTable } from '../../../db/schema/users'
import { AppError } from '../../errors'
import { notFound } from '../../policy'
import type { Sealer } from '../../sealing'
import { secondFactorLetter } from '../../services/mail/letters'
import type { MailService } from '../../services/mail/mail'
import type { Account } from '../embedded/account-store'
import { authenticatorSetup, newTotpSecret, stepOfCode } from '../second-factor/authenticator'
import { hashRecoveryCode, newRecoveryCodes } from '../second-factor/recovery-codes'
import { noteSecondFactor, type SecondFactor } from '../second-factor/second-factor'
import type { CurrentAccount } from './current-account'
import { endOtherAccess } from './own-account'

interface Deps {
  db: Database
  current: CurrentAccount
  secondFactor: SecondFactor
  sealer: Sealer
  mail: MailService
  publicUrl: string
  log: Pick<Logger, 'warn'>
}

/**
 * What people do with the second factors of their own account. Every method throws unauthenticated without a session, and
 * conflict for a person whom an external provider signs in. Those that take a password throw invalid_input for a wrong
 * one, and rate_limited after several.
 */
export interface OwnSecondFactor {
  /** Null for a person whom an external provider signs in. */
  view(request: Request): Promise<SecondFactorView | null>
  /** A new secret for an authenticator app. Nothing is stored until `setAuthenticator` gets a code of the app. */
  offerAuthenticator(request: Request, clientIp: string, proof: PasswordProof): Promise<Offer & AuthenticatorSetup>
  /** Returns recovery codes for the first second factor. Throws invalid_input for a wrong code. */
  setAuthenticator(request: Request, input: AuthenticatorCode): Promise<string[] | null>
  removeAuthenticator(request: Request, clientIp: string, proof: PasswordProof): Promise<void>
  /** The options, as JSON, with which the browser creates a passkey. Nothing is stored until `addPasskey` gets the passkey. */
  offerPasskey(request: Request, clientIp: string, offer: PasskeyOffer): Promise<Offer & { options: string }>
  /** Returns recovery codes for the first second factor. Throws invalid_input if the browser's answer is not valid. */
  addPasskey(request: Request, input: PasskeyInput): Promise<string[] | null>
  /** Throws not_found. */
  removePasskey(request: Request, clientIp: string, id: string, proof: PasswordProof): Promise<void>
  /** Returns new recovery codes, which replace the others. Throws conflict without a second factor. */
  createRecoveryCodes(request: Request, clientIp: string, proof: PasswordProof): Promise<string[]>
}

/** `setup` is what the server seals into the form, so that it stores nothing for a set-up that is not finished. */
interface Offer {
  setup: string
}

interface Setup {
  kind: 'authenticator' | 'passkey'
  /** Secret of the app, or challenge of the passkey. */
  value: string
  name: string
  expiresAt: number
}

const setupLifetimeMs = 15 * 60_000

export function createOwnSecondFactor(deps: Deps): OwnSecondFactor {
  const { db, current, secondFactor, sealer, mail, publicUrl, log } = deps
  const { passkeys } = secondFactor

  return {
    async view(request) {
      const { user } = await current.session(request)
      if (user.issuer !== embeddedIssuer) return null
      const account = await current.account(request)
      return {
        authenticator: account.totpSecret !== null,
        passkeys: (await passkeys.list(account.id)).map(({ id, name, createdAt, lastUsedAt }) => ({
          id,
          name,
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt?.toISOString() ?? null,
        })),
        recovery_codes: account.recoveryCodes?.length ?? 0,
        offers_passkeys: passkeys.isAvailable,
      }
    },

    async offerAuthenticator(request, clientIp, { current_password }) {
      const account = await current.account(request)
      await current.assertPassword(account, clientIp, current_password)
      const secret = newTotpSecret()
      const site = new URL(publicUrl).host
      return {
        setup: sealSetup(account, { kind: 'authenticator', value: secret, name: '' }),
        ...authenticatorSetup(secret, { email: account.email, site }),
      }
    },

    async setAuthenticator(request, { setup, code }) {
      const account = await current.account(request)
      const { value: secret } = openSetup(account, 'authenticator', setup)
      const step = stepOfCode(secret, code)
      if (step === null) {
        const message = 'Wrong code. Check the clock of the device with the app.'
        throw new AppError('invalid_input', message, { details: { fields: { code: [message] } } })
      }
      const totpSecret = secondFactor.sealSecret(account.id, secret)
      return add(request, account, 'An authenticator app was set up for your account', async (tx) => {
        await tx.update(accounts).set({ totpSecret, totpStep: step }).where(eq(accounts.id, account.id))
      })
    },

    removeAuthenticator: (request, clientIp, proof) =>
      remove(request, clientIp, proof, 'The authenticator app was removed from your account', async (tx, { id }) => {
        await tx.update(accounts).set({ totpSecret: null, totpStep: null }).where(eq(accounts.id, id))
      }),

    async offerPasskey(request, clientIp, { name, current_password }) {
      const account = await current.account(request)
      if (!passkeys.isAvailable)
        throw new AppError('conflict', 'Browsers offer passkeys only on https, and this site has another address.')
      await current.assertPassword(account, clientIp, current_password)
      const options = await passkeys.creationOptions(account)
      return {
        setup: sealSetup(account, { kind: 'passkey', value: options.challenge, name }),
        options: JSON.stringify(options),
      }
    },

    async addPasskey(request, { setup, credential }) {
      const account = await current.account(request)
      const { value: challenge, name } = openSetup(account, 'passkey', setup)
      const passkey = await passkeys.created(credential, challenge)
      if (!passkey) throw new AppError('invalid_input', 'The passkey of the browser is not valid. Start again.')
      return add(request, account, 'A passkey was added to your account', async (tx) => {
        const count = await tx.$count(passkeyTable, eq(passkeyTable.accountId, account.id))
        if (count >= passkeyLimits.maxPerPerson)
          throw new AppError('conflict', `You can have at most ${passkeyLimits.maxPerPerson} passkeys.`)
        await tx
          .insert(passkeyTable)
          .values({ ...passkey, accountId: account.id, name })
          .onConflictDoNothing()
      })
    },

    removePasskey: (request, clientIp, id, proof) =>
      remove(request, clientIp, proof, 'A passkey was removed from your account', async (tx, account) => {
        const isOwn = and(eq(passkeyTable.id, id), eq(passkeyTable.accountId, account.id))
        const removed = await tx.delete(passkeyTable).where(isOwn).returning({ id: passkeyTable.id })
        if (removed.length === 0) throw notFound()
      }),

    async createRecoveryCodes(request, clientIp, { current_password }) {
      const account = await current.account(request)
      await current.assertPassword(account, clientIp, current_password)
      const { authenticator, passkeys: hasPasskeys } = await secondFactor.of(account)
      if (!authenticator && !hasPasskeys)
        throw new AppError('conflict', 'Set up an authenticator app or a passkey first.')
      const codes = newRecoveryCodes()
      await db.writeOne((tx) => storeCodes(tx, account.id, codes))
      await notify(account, 'New recovery codes were created for your account')
      return codes
    },
  }

  async function add(
    request: Request,
    account: Account,
    change: string,
    work: (tx: Transaction) => Promise<void>,
  ): Promise<string[] | null> {
    const session = await current.session(request)
    const codes = newRecoveryCodes()
    const isFirst = await db.writeAlone(`account ${account.id}`, async (tx) => {
      await work(tx)
      if (!(await noteSecondFactor(tx, account.id)).isFirst) return false
      await storeCodes(tx, account.id, codes)
      // The others have been signed in with the password alone.
      await endOtherAccess(tx, session, account.id)
      return true
    })
    await notify(account, change)
    return isFirst ? codes : null
  }

  async function remove(
    request: Request,
    clientIp: string,
    { current_password }: PasswordProof,
    change: string,
    work: (tx: Transaction, account: Account) => Promise<void>,
  ): Promise<void> {
    const account = await current.account(request)
    await current.assertPassword(account, clientIp, current_password)
    await db.writeAlone(`account ${account.id}`, async (tx) => {
      await work(tx, account)
      await noteSecondFactor(tx, account.id)
    })
    await notify(account, change)
  }

  /** The change holds if the mail cannot be sent. */
  async function notify({ email }: Account, change: string): Promise<void> {
    if (!mail.isConfigured) return
    try {
      await mail.send(email, secondFactorLetter({ site: publicUrl, change }))
    } catch (error) {
      log.warn({ err: error }, 'An e-mail about a changed second factor could not be sent')
    }
  }

  function sealSetup({ id }: Account, setup: Omit<Setup, 'expiresAt'>): string {
    return sealer.seal(JSON.stringify({ ...setup, expiresAt: Date.now() + setupLifetimeMs }), sealedAt(id))
  }

  function openSetup({ id }: Account, kind: Setup['kind'], sealed: string): Setup {
    const expired = (cause?: unknown) =>
      new AppError('invalid_input', 'This set-up has expired. Close the dialog and start again.', { cause })
    try {
      const setup: Setup = JSON.parse(sealer.open(sealed, sealedAt(id)))
      if (setup.kind === kind && setup.expiresAt > Date.now()) return setup
    } catch (error) {
      throw expired(error)
    }
    throw expired()
  }
}

async function storeCodes(tx: Transaction, accountId: string, codes: string[]): Promise<void> {
  const recoveryCodes = codes.map(hashRecoveryCode)
  await tx.update(accounts).set({ recoveryCodes }).where(eq(accounts.id, accountId))
}

function sealedAt(accountId: string): string {
  return `${accountId}:second-factor-setup`
}
