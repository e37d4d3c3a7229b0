import { expect, test } from 'vitest'
import { createPasswords } from './passwords'

const passwords = createPasswords()

test("are hashed with argon2id at OWASP's cost", async () => {
  const stored = await passwords.hash('correct horse battery')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.matches('correct horse battery', stored)).toBe(true)
  expect(await passwords.matches('correct horse batterY', stored)).toBe(false)
})

test('match however the keyboard composes a letter', async () => {
  const stored = await passwords.hash('mu\u0308ller mu\u0308ller')
  expect(await passwords.matches('m\u00fcller m\u00fcller', stored)).toBe(true)
})

test('take as long for nobody as for somebody', async () => {
  const stored = await passwords.hash('correct horse battery')
  await passwords.matches('warm up', null)
  const spent = { nobody: 0, somebody: 0 }
  // In turns, so that whatever else the machine does weighs on both.
  for (let round = 0; round < 8; round++) {
    const started = performance.now()
    await passwords.matches('a guess', null)
    const between = performance.now()
    await passwords.matches('a guess', stored)
    spent.nobody += between - started
    spent.somebody += performance.now() - between
  }
  const ratio = spent.nobody / spent.somebody
  expect(ratio).toBeGreaterThan(0.4)
  expect(ratio).toBeLessThan(2.5)
})
