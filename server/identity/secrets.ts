import { createHash, createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JWK } from 'jose'

export interface Secrets {
  /** They sign the cookies of the embedded provider. */
  cookieKeys: string[]
  /** RS256, private. Its `kid` is part of every token. */
  signingKey: JWK & { kid: string }
  /** 32 bytes each, for server/sealing.ts; the first one seals. */
  sealingKeys: [Buffer, ...Buffer[]]
}

/** A secrets file cannot be used. `message` is one line with the file and the remedy. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError'
}

const minKeyBytes = 32

/** The files of the secrets, by their use. */
export const secretFiles = { cookie: 'cookie.key', signing: 'signing.json', sealing: 'sealing.key' } as const

/**
 * Reads the secrets from a folder and creates the missing ones, as files of mode 0600 in a folder of mode 0700. Never
 * replaces an existing file. With `isDatabaseInUse`, a missing sealing key is an error: a new one could open nothing
 * that the database contains. Throws SecretsError.
 */
export function openSecrets(folder: string, { isDatabaseInUse = false } = {}): Secrets {
  if (isDatabaseInUse) assertSealingKey(join(folder, secretFiles.sealing))
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw inaccessible(folder, 'made', error)
  }
  return {
    cookieKeys: open(folder, secretFiles.cookie, newKey, asCookieKeys),
    signingKey: open(folder, secretFiles.signing, () => JSON.stringify(newSigningKey()), asSigningKey),
    sealingKeys: open(folder, secretFiles.sealing, newKey, asSealingKeys),
  }
}

/** Writes secrets as `openSecrets` reads them. Throws SecretsError if the folder has others. */
export function writeSecrets(folder: string, { cookieKeys, signingKey, sealingKeys }: Secrets): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const texts = {
    [secretFiles.cookie]: cookieKeys.join('\n'),
    [secretFiles.signing]: JSON.stringify(signingKey),
    [secretFiles.sealing]: sealingKeys.map((key) => key.toString('base64url')).join('\n'),
  }
  for (const [name, text] of Object.entries(texts)) {
    const file = join(folder, name)
    if (readOrCreate(file, () => text).trim() !== text)
      throw new SecretsError(`${file} is a secret of another installation. Move into an empty folder.`)
  }
}

/** The secrets of the environment, in the forms of the files; the signing key may also be base64url. Throws SecretsError. */
export function parseSecrets({
  cookie,
  signing,
  sealing,
}: {
  cookie: string
  signing: string
  sealing: string
}): Secrets {
  const json = signing.trim().startsWith('{') ? signing : Buffer.from(signing, 'base64url').toString()
  return {
    cookieKeys: parsed('COOKIE', cookie, asCookieKeys),
    signingKey: parsed('SIGNING', json, asSigningKey),
    sealingKeys: parsed('SEALING', sealing, asSealingKeys),
  }
}

function parsed<Secret>(name: string, text: string, parse: (text: string) => Secret): Secret {
  try {
    // Several keys are separated by spaces, because a variable has one line.
    return parse(name === 'SIGNING' ? text : text.trim().replaceAll(/\s+/g, '\n'))
  } catch (cause) {
    throw new SecretsError(
      `SITELORE_SECRET_${name}: is not a secret of Sitelore. Copy what sitelore secrets prints on the first machine.`,
      { cause },
    )
  }
}

/** Hashes of all keys by their use. */
type Fingerprints = Record<'cookie' | 'signing' | 'sealing', string[]>

/** What tells the secrets of one installation from those of another, and nothing about them. */
export function fingerprintsOf({ cookieKeys, signingKey, sealingKeys }: Secrets): string {
  const prints: Fingerprints = {
    cookie: cookieKeys.map(fingerprintOf),
    signing: [fingerprintOf(signingKey.kid)],
    sealing: sealingKeys.map(fingerprintOf),
  }
  return JSON.stringify(prints)
}

/** Whether two installations may be one, which adds and removes keys over time: they share a key of each use. */
export function shareKeys(first: string, second: string): boolean {
  const [own, other] = [JSON.parse(first) as Fingerprints, JSON.parse(second) as Fingerprints]
  return (['cookie', 'signing', 'sealing'] as const).every((use) =>
    own[use].some((print) => other[use].includes(print)),
  )
}

function fingerprintOf(key: string | Buffer): string {
  return createHash('sha256').update('sitelore secret ').update(key).digest('base64url').slice(0, 22)
}

function assertSealingKey(file: string): void {
  if (existsSync(file)) return
  throw new SecretsError(
    `${file} is missing, and only this file opens the provider keys and passwords in the database. Restore it from a backup.`,
  )
}

function open<Secret>(folder: string, name: string, make: () => string, parse: (text: string) => Secret): Secret {
  const file = join(folder, name)
  let text: string
  try {
    text = readOrCreate(file, make)
  } catch (error) {
    throw inaccessible(file, 'read', error)
  }
  try {
    return parse(text)
  } catch (cause) {
    throw new SecretsError(`${file} is damaged. Stop the server and restore this file from a backup.`, { cause })
  }
}

function inaccessible(path: string, verb: string, error: unknown): SecretsError {
  const code = codeOf(error)
  const remedy =
    code === 'ENOSPC'
      ? 'Free some space on the disk.'
      : 'Make the user that runs Sitelore the owner of it and its folder.'
  return new SecretsError(`${path} cannot be ${verb} (${code}). ${remedy}`, { cause: error })
}

function newKey(): string {
  return randomBytes(minKeyBytes).toString('base64url')
}

function asCookieKeys(text: string): string[] {
  asKeys(text)
  return lines(text)
}

function asSealingKeys(text: string): [Buffer, ...Buffer[]] {
  const keys = asKeys(text)
  if (keys.some(({ length }) => length !== minKeyBytes)) throw new Error('A key does not have 32 bytes.')
  return keys
}

/** One base64url key on each line. */
function asKeys(text: string): [Buffer, ...Buffer[]] {
  const [first, ...others] = lines(text).map((line) => Buffer.from(line, 'base64url'))
  if (!first || [first, ...others].some(({ length }) => length < minKeyBytes)) throw new Error('A key is too short.')
  return [first, ...others]
}

function asSigningKey(text: string): JWK & { kid: string } {
  const key = JSON.parse(text)
  createPrivateKey({ key, format: 'jwk' })
  if (key.kty !== 'RSA' || typeof key.kid !== 'string') throw new Error('It is not a signing key.')
  return key
}

function newSigningKey(): JWK & { kid: string } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(String(jwk.n)).digest('base64url').slice(0, 16)
  return { ...jwk, kty: 'RSA', use: 'sig', alg: 'RS256', kid }
}

/** Creates the file atomically: if two processes start at once, both use the file of the first. */
function readOrCreate(file: string, make: () => string): string {
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
