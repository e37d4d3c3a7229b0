import { createHash, randomBytes } from 'node:crypto'

const codes = 10
/** 32 characters that are not mistaken for each other when they are copied by hand. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const length = 12

/** Ten codes of 60 random bits, as 'abcd-efgh-ijkm'. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codes }, () => {
    const characters = [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('')
    return characters.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** SHA-256: a code has too many random bits to be guessed from it. Case, spaces and hyphens do not count. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest('base64url')
}
