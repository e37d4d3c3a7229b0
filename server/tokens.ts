import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, encoded for URLs and cookies. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The database stores only this hash, so that reading a table gives no usable token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
