import { isIP } from 'node:net'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { asc, eq } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { passkeys } from '../../../db/schema/users'

type Passkey = typeof passkeys.$inferSelect
type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'

export interface NewPasskey {
  id: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

/** Passkeys of accounts of the embedded provider (WebAuthn). */
export function createPasskeys({ db, publicUrl }: { db: Database; publicUrl: string }) {
  const { hostname: rpID, origin } = new URL(publicUrl)

  return {
    /** Browsers offer passkeys on https and localhost, and not for addresses without a name. */
    isAvailable: (publicUrl.startsWith('https:') || rpID === 'localhost') && isIP(rpID.replaceAll(/[[\]]/g, '')) === 0,

    list,

    async anyExists(): Promise<boolean> {
      return (await db.read.select({ id: passkeys.id }).from(passkeys).limit(1)).length > 0
    },

    async creationOptions({
      id,
      email,
    }: {
      id: string
      email: string
    }): Promise<PublicKeyCredentialCreationOptionsJSON> {
      return generateRegistrationOptions({
        rpName: 'Sitelore',
        rpID,
        userID: new TextEncoder().encode(id),
        userName: email,
        attestationType: 'none',
        excludeCredentials: (await list(id)).map(descriptorOf),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      })
    },

    /** The passkey that a browser created for the challenge, from its response as JSON; null if that is not valid. */
    async created(json: string, challenge: string): Promise<NewPasskey | null> {
      try {
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          response: JSON.parse(json) as RegistrationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: false,
        })
        if (!verified) return null
        const { id, publicKey, counter, transports = [] } = registrationInfo.credential
        return { id, publicKey: Buffer.from(publicKey), counter, transports }
      } catch {
        // The library throws for each response that is not as the browser would send it.
        return null
      }
    },

    /** For the passkeys of an account; without one, for any passkey that a browser has for this site. */
    async requestOptions(accountId: string | null): Promise<PublicKeyCredentialRequestOptionsJSON> {
      return generateAuthenticationOptions({
        rpID,
        allowCredentials: accountId === null ? [] : (await list(accountId)).map(descriptorOf),
        userVerification: accountId === null ? 'required' : 'preferred',
      })
    },

    /**
     * The account whose passkey signed the challenge; null if none did. Without `accountId`, the passkey is the only proof
     * and must have verified the person, as by a fingerprint or a PIN.
     */
    async accountOf(json: string, challenge: string, accountId: string | null): Promise<string | null> {
      const response = parsed(json)
      const id = typeof response?.id === 'string' ? response.id : null
      const [passkey] = id ? await db.read.select().from(passkeys).where(eq(passkeys.id, id)) : []
      if (!response || !passkey || (accountId !== null && passkey.accountId !== accountId)) return null
      const counter = await counterOf(response, challenge, passkey, accountId === null)
      if (counter === null) return null
      await db.writeOne((tx) =>
        tx.update(passkeys).set({ counter, lastUsedAt: new Date() }).where(eq(passkeys.id, passkey.id)),
      )
      return passkey.accountId
    },
  }

  function list(accountId: string): Promise<Passkey[]> {
    return db.read
      .select()
      .from(passkeys)
      .where(eq(passkeys.accountId, accountId))
      .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
  }

  /** The new counter of a passkey; null if the response is not valid. */
  async function counterOf(
    response: AuthenticationResponseJSON,
    challenge: string,
    { id, publicKey, counter, transports }: Passkey,
    requireUserVerification: boolean,
  ): Promise<number | null> {
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        credential: {
          id,
          publicKey: new Uint8Array(publicKey),
          counter,
          transports: (transports ?? []) as Transport[],
        },
        requireUserVerification,
      })
      return verified ? authenticationInfo.newCounter : null
    } catch {
      return null
    }
  }
}

function descriptorOf({ id, transports }: Passkey) {
  return { id, transports: (transports ?? []) as Transport[] }
}

function parsed(json: string): AuthenticationResponseJSON | null {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
