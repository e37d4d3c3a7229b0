import { expect, test } from 'vitest'
import { isLikelyTypo } from './keyboard-distance'

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
])('%s, typed as %s, is a likely typo: %s', (meant, typed, likely) => {
  expect(isLikelyTypo(meant, typed)).toBe(likely)
})
