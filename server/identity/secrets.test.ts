import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSecrets } from './secrets'

const parent = mkdtempSync(join(tmpdir(), 'sitelore-secrets-'))
afterAll(() => rmSync(parent, { recursive: true }))

test('are made once, for their owner alone', () => {
  const folder = join(parent, 'secrets')
  const made = openSecrets(folder)
  expect(openSecrets(folder)).toEqual(made)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder).sort()).toEqual(['cookie.key', 'sealing.key', 'signing.json'])
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  expect(made.sealingKeys[0]).toHaveLength(32)
  expect(made.signingKey).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', d: expect.any(String) })
})

test('differ from folder to folder', () => {
  const [one, other] = ['one', 'other'].map((name) => openSecrets(join(parent, name)))
  expect(one?.signingKey.kid).not.toBe(other?.signingKey.kid)
  expect(one?.cookieKeys).not.toEqual(other?.cookieKeys)
})

test('a broken sealing key stops the start instead of being replaced', () => {
  const folder = join(parent, 'broken')
  openSecrets(folder)
  writeFileSync(join(folder, 'sealing.key'), 'short\n')
  expect(() => openSecrets(folder)).toThrow('sealing.key')
})
