/** The second factors of a person's account. */
export interface SecondFactorView {
  /** Whether codes of an authenticator app are set up. */
  authenticator: boolean
  passkeys: { id: string; name: string; created_at: string; last_used_at: string | null }[]
  /** How many recovery codes are left. */
  recovery_codes: number
  /** Whether browsers offer passkeys at the address of this site: https, or localhost. */
  offers_passkeys: boolean
}

/** What an authenticator app needs to know, as text, as an address and as a picture of the address. */
export interface AuthenticatorSetup {
  /** Base32. */
  secret: string
  uri: string
  qrCode: QrCode
}

/** The dark squares of a QR code as the path of an SVG whose view box is `size` wide and high. */
export interface QrCode {
  size: number
  path: string
}
