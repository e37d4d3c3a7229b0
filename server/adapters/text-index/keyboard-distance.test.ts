import { expect, test } from 'vitest'
import { hasSlipped } from './keyboard-distance'

test.each([
  ['lampe', 'lanpe', true],
  ['gasket', 'gaskit', true],
  ['gasket', 'gaksets', true],
  ['лампа', 'ланпа', false],
  ['лампа', 'лампф', false],
  ['лампа', 'лапма', true],
  ['окно', 'окго', true],
  ['kosten', 'kasten', false],
  ['karten', 'kasten', false],
  ['stahl', 'stuhl', false],
  ['wasser', 'waser', true],
])('%s may have become %s by a slip: %s', (meant, typed, slipped) => {
  expect(hasSlipped(meant, typed)).toBe(slipped)
})
