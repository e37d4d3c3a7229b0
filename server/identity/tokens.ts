import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, as text that fits into a URL or a cookie. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database keeps of a token: who reads the table cannot use it. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
