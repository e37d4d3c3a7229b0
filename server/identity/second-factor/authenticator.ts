import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'
import type { AuthenticatorSetup, QrCode } from '../../../contract/views/organizations/second-factor'

const secretBytes = 20
const periodSeconds = 30
/** Codes of the step before and after the current one are accepted, for clocks that differ. */
const tolerance = 1

export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

export function authenticatorSetup(secret: string, account: { email: string; site: string }): AuthenticatorSetup {
  const uri = totpOf(secret, { label: account.email, issuer: `Sitelore (${account.site})` }).toString()
  return { secret, uri, qrCode: qrCodeOf(uri) }
}

/** The time step to which a code of six digits belongs; null for a wrong code. */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | null {
  const totp = totpOf(secret)
  const delta = totp.validate({ token: code, timestamp: now, window: tolerance })
  return delta === null ? null : totp.counter({ timestamp: now }) + delta
}

function qrCodeOf(text: string): QrCode {
  // Readers need the light border.
  const { size, data } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}

function totpOf(secret: string, name: { label?: string; issuer?: string } = {}): TOTP {
  // Some apps ignore other values of the last three.
  return new TOTP({ ...name, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodSeconds })
}
