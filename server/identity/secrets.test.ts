import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSecrets } from './secrets'

const parent = mkdtempSync(join(tmpdir(), 'sitelore-secrets-'))
afterAll(() => rmSync(parent, { recursive: true }))

test('creates each secret once, readable by its owner only', () => {
  const folder = join(parent, 'secrets')
  const created = openSecrets(folder)
  expect(openSecrets(folder)).toEqual(created)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder).sort()).toEqual(['cookie.key', 'sealing.key', 'signing.json'])
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  expect(created.sealingKeys[0]).toHaveLength(32)
  expect(created.signingKey).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', d: expect.any(String) })
})

test('creates different secrets in each folder', () => {
  const [first, second] = ['one', 'other'].map((name) => openSecrets(join(parent, name)))
  expect(first?.signingKey.kid).not.toBe(second?.signingKey.kid)
  expect(first?.cookieKeys).not.toEqual(second?.cookieKeys)
})

test('never creates a sealing key for a database in use', () => {
  const folder = join(parent, 'without-sealing-key')
  openSecrets(folder)
  unlinkSync(join(folder, 'sealing.key'))
  expect(() => openSecrets(folder, { isDatabaseInUse: true })).toThrow(/^[^\n]*sealing\.key is missing[^\n]*backup\.$/)
  expect(readdirSync(folder)).not.toContain('sealing.key')
})

const brokenContents = [
  '',
  '\n',
  'short\n',
  '{"kty":"RSA"',
  '{"kty":"RSA","kid":"k","n":"AQAB","e":"AQAB"}',
  '\0'.repeat(43),
]

test.each(['cookie.key', 'signing.json', 'sealing.key'])('reports a broken %s and keeps the file', (name) => {
  const folder = join(parent, `broken-${name}`)
  openSecrets(folder)
  for (const content of brokenContents) {
    writeFileSync(join(folder, name), content)
    const error = errorOf(() => openSecrets(folder))
    expect(error, JSON.stringify(content)).toMatchObject({
      name: 'SecretsError',
      message: expect.stringContaining(name),
    })
    expect(error?.message).toMatch(/^[^\n]*backup[^\n]*$/)
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
  }
})

test('reports an unreadable secret and a file in place of the folder', () => {
  const folder = join(parent, 'unreadable')
  mkdirSync(join(folder, 'signing.json'), { recursive: true })
  expect(() => openSecrets(folder)).toThrow(/^.*signing\.json cannot be read \(EISDIR\)\. .*$/)
  const file = join(parent, 'file')
  writeFileSync(file, '')
  expect(errorOf(() => openSecrets(file))).toMatchObject({ name: 'SecretsError' })
})

test('reads keys that were added for a rotation', () => {
  const folder = join(parent, 'rotated')
  const before = openSecrets(folder)
  const added = randomBytes(32).toString('base64url')
  for (const name of ['cookie.key', 'sealing.key'])
    writeFileSync(join(folder, name), `${added}\n${readFileSync(join(folder, name), 'utf8')}`)
  const { cookieKeys, sealingKeys } = openSecrets(folder)
  expect(cookieKeys).toEqual([added, ...before.cookieKeys])
  expect(sealingKeys).toEqual([Buffer.from(added, 'base64url'), ...before.sealingKeys])
})

function errorOf(work: () => unknown): Error | null {
  try {
    work()
    return null
  } catch (error) {
    return error as Error
  }
}
