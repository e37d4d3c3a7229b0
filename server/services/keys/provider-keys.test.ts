import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSealer } from '../../sealing'
import { keyHint } from './provider-keys'

const sealer = createSealer([randomBytes(32)])
const context = 'o1:agents.provider_key'
const hintOf = (key: string) => keyHint(sealer, sealer.seal(key, context), context)

it('shows the last four characters of a key, and only dots for a short one', () => {
  expect(keyHint(sealer, null, context)).toBeNull()
  expect(hintOf('sk-12345678')).toBe('••••5678')
  expect(hintOf('12345678')).toBe('••••5678')
  expect(hintOf('1234567')).toBe('••••')
})

it('shows only dots for a key that cannot be decrypted', () => {
  const lost = createSealer([randomBytes(32)]).seal('sk-12345678', context)
  expect(keyHint(sealer, lost, context)).toBe('••••')
})
