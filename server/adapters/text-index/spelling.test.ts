import { expect, test } from 'vitest'
import { editDistance, oneAway } from './spelling'

test.each([
  ['gasket', 'gasket', 0],
  ['gasket', 'gaskit', 1],
  ['gasket', 'gaset', 1],
  ['gasket', 'gaksets', 2],
  ['gasket', 'basin', 3],
  ['lamp', 'lampshade', 3],
])('%s and %s are %i letters apart, as far as 2 are asked for', (one, other, distance) => {
  expect(editDistance(one, other, 2)).toBe(distance)
  expect(editDistance(other, one, 2)).toBe(distance)
})

test('what is one letter away from a word is all that, and nothing else', () => {
  const near = oneAway('lamp')
  for (const one of ['lam', 'amp', 'lmap', 'lamps', 'clamp', 'limp', 'damp']) expect(near).toContain(one)
  expect(near.every((one) => editDistance(one, 'lamp', 2) === 1)).toBe(true)
  expect(oneAway('лампа')).toContain('ламп')
})
