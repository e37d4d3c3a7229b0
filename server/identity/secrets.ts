import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JWK } from 'jose'

export interface Secrets {
  /** Sign the cookies of the embedded provider. */
  cookieKeys: string[]
  /** RS256, private. Its `kid` is part of every token. */
  signingKey: JWK & { kid: string }
  /** 32 bytes each, for server/sealing.ts; the first one seals. */
  sealingKeys: [Buffer, ...Buffer[]]
}

/** Reads the secrets of this data folder and makes those that are missing: files 0600 in a folder 0700. */
export function openSecrets(folder: string): Secrets {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const cookieKeys = readOrMake(join(folder, 'cookie.key'), () => randomBytes(32).toString('base64url'))
  const signingKey = readOrMake(join(folder, 'signing.json'), () => JSON.stringify(newSigningKey()))
  const sealingKey = readOrMake(join(folder, 'sealing.key'), () => randomBytes(32).toString('base64url'))
  const [first, ...others] = lines(sealingKey).map((line) => Buffer.from(line, 'base64url'))
  if (!first || [first, ...others].some((key) => key.length !== 32)) {
    throw new Error(`${join(folder, 'sealing.key')} does not hold keys of 32 bytes. Restore it from a backup.`)
  }
  return {
    cookieKeys: lines(cookieKeys),
    signingKey: JSON.parse(signingKey),
    sealingKeys: [first, ...others],
  }
}

function newSigningKey(): JWK & { kid: string } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(String(jwk.n)).digest('base64url').slice(0, 16)
  return { ...jwk, kty: 'RSA', use: 'sig', alg: 'RS256', kid }
}

/** Two processes may start at once: the file appears whole, and the first one's stays. */
function readOrMake(file: string, make: () => string): string {
  const existing = read(file)
  if (existing !== null) return existing
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${make()}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(file, 'utf8')
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
