import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSealer } from '../../sealing'
import { hint } from './provider-keys'

const sealer = createSealer([randomBytes(32)])
const place = 'o1:agents.provider_key'
const hintOf = (key: string) => hint(sealer, sealer.seal(key, place), place)

it('shows the last four characters of a key, and none of a short one', () => {
  expect(hint(sealer, null, place)).toBeNull()
  expect(hintOf('sk-12345678')).toBe('••••5678')
  expect(hintOf('12345678')).toBe('••••5678')
  expect(hintOf('1234567')).toBe('••••')
})

it('shows dots for a key that cannot be opened any more', () => {
  const lost = createSealer([randomBytes(32)]).seal('sk-12345678', place)
  expect(hint(sealer, lost, place)).toBe('••••')
})
