import { expect, test } from 'vitest'
import { editDistance, neighborsOf } from './edit-distance'

test.each([
  ['gasket', 'gasket', 0],
  ['gasket', 'gaskit', 1],
  ['gasket', 'gaset', 1],
  ['gasket', 'gaksets', 2],
  ['gasket', 'basin', 3],
  ['lamp', 'lampshade', 3],
])('the distance of %s and %s, up to 2, is %i', (text, second, distance) => {
  expect(editDistance(text, second, 2)).toBe(distance)
  expect(editDistance(second, text, 2)).toBe(distance)
})

test('neighbors are all strings at distance 1', () => {
  const neighbors = neighborsOf('lamp')
  for (const text of ['lam', 'amp', 'lmap', 'lamps', 'clamp', 'limp', 'damp']) expect(neighbors).toContain(text)
  expect(neighbors.every((neighbor) => editDistance(neighbor, 'lamp', 2) === 1)).toBe(true)
  expect(neighborsOf('лампа')).toContain('ламп')
})
