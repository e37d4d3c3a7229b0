import { expect, it } from 'vitest'
import { matchStrength } from './match-strength'

it.each([
  [1, 'Strong match'],
  [0.6, 'Strong match'],
  [0.5999, 'Fair match'],
  [0.45, 'Fair match'],
  [0.4499, 'Weak match'],
  [0, 'Weak match'],
])('%d is a %s', (score, strength) => {
  expect(matchStrength(score)).toBe(strength)
})
