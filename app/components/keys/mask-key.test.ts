import { expect, it } from 'vitest'
import { maskKey } from './mask-key'

it('keeps the kind of a key and its last four characters', () => {
  expect(maskKey('sitelore_private_abcdefghijklmnop3d9a')).toBe('sitelore_private_••••••••••••3d9a')
})
