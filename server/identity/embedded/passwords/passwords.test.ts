import * as argon2 from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { createPasswords } from './passwords'

const used = { hash: vi.fn(argon2.hash), verify: vi.fn(argon2.verify) }
const passwords = createPasswords(used)

test("hashes with argon2id and OWASP's parameters", async () => {
  const stored = await passwords.hash('correct horse battery')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.matches('correct horse battery', stored)).toBe(true)
  expect(await passwords.matches('correct horse batterY', stored)).toBe(false)
})

test('matches passwords independent of Unicode composition', async () => {
  const stored = await passwords.hash('mu\u0308ller mu\u0308ller')
  expect(await passwords.matches('m\u00fcller m\u00fcller', stored)).toBe(true)
})

test('takes the same time for unknown accounts', async () => {
  const costOf = (stored = '') => stored.split('$').slice(0, 4)
  const stored = await passwords.hash('correct horse battery')
  await passwords.matches('the first guess makes what it is compared with', null)
  vi.clearAllMocks()
  expect(await passwords.matches('a guess', stored)).toBe(false)
  expect(await passwords.matches('a guess', null)).toBe(false)
  const [somebody, nobody, ...others] = used.verify.mock.calls
  expect([nobody?.[1], somebody?.[1], others]).toEqual(['a guess', 'a guess', []])
  expect(costOf(String(nobody?.[0]))).toEqual(costOf(stored))
  expect(used.hash).not.toHaveBeenCalled()
})
