import { expect, test } from 'vitest'
import { editDistance, neighborsOf } from './edit-distance'

test.each([
  ['gasket', 'gasket', 0],
  ['gasket', 'gaskit', 1],
  ['gasket', 'gaset', 1],
  ['gasket', 'gaksets', 2],
  ['gasket', 'basin', 3],
  ['lamp', 'lampshade', 3],
])('the distance of %s and %s, up to 2, is %i', (one, other, distance) => {
  expect(editDistance(one, other, 2)).toBe(distance)
  expect(editDistance(other, one, 2)).toBe(distance)
})

test('neighbors are all strings at distance 1', () => {
  const neighbors = neighborsOf('lamp')
  for (const one of ['lam', 'amp', 'lmap', 'lamps', 'clamp', 'limp', 'damp']) expect(neighbors).toContain(one)
  expect(neighbors.every((one) => editDistance(one, 'lamp', 2) === 1)).toBe(true)
  expect(neighborsOf('лампа')).toContain('ламп')
})
