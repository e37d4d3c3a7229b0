import { expect, it } from 'vitest'
import { collectionNamed } from './organization'

const all = [
  { id: 'one', name: 'Website' },
  { id: 'two', name: 'Tests' },
  { id: 'three', name: 'tests' },
]

it.each([
  ['Website', 'one'],
  ['website', 'one'],
  ['WEBSITE', 'one'],
  ['three', 'three'],
  ['Tests', 'two'],
  ['tests', 'three'],
  ['web', undefined],
])('%s is the collection %s', (wanted, id) => {
  expect(collectionNamed(all, wanted)?.id).toBe(id)
})

it('asks which one where two differ in case alone', () => {
  expect(() => collectionNamed(all, 'TESTS')).toThrow("Several collections are named 'TESTS'. Use the id of one:")
})
