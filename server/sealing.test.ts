import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isAppError } from './errors'
import { createSealer } from './sealing'

const key = randomBytes(32)
const sealer = createSealer([key])

test('opens what it sealed, at the same place', () => {
  for (const text of ['', 'sk-abc', 'ключ 🔑', 'x'.repeat(5000)]) {
    expect(sealer.open(sealer.seal(text, 'a:key'), 'a:key')).toBe(text)
  }
})

test('never seals the same text to the same bytes', () => {
  expect(sealer.seal('same', 'a')).not.toBe(sealer.seal('same', 'a'))
})

test('refuses another place, another key and changed bytes', () => {
  const sealed = sealer.seal('secret', 'a:key')
  const last = sealed.at(-5) === 'A' ? 'B' : 'A'
  const attempts = [
    () => sealer.open(sealed, 'b:key'),
    () => createSealer([randomBytes(32)]).open(sealed, 'a:key'),
    () => sealer.open(sealed.slice(0, -5) + last + sealed.slice(-4), 'a:key'),
    () => sealer.open('', 'a:key'),
    () => sealer.open(sealed.slice(0, 12), 'a:key'),
  ]
  for (const attempt of attempts) expect(attempt).toThrow(expect.toSatisfy(isAppError))
})

test('opens texts of an earlier key after a new one was put first', () => {
  const sealed = sealer.seal('secret', 'a')
  expect(createSealer([randomBytes(32), key]).open(sealed, 'a')).toBe('secret')
})
