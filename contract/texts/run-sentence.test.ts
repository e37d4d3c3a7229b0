import { expect, it } from 'vitest'
import { emptyRun } from '../../tests/support/run-report'
import { runSentence } from './run-sentence'

it.each([
  [
    { checked: 531, unchanged: 529, changed: 2, embedded: 9 },
    'checked 531, unchanged 529, changed 2, embedded 9 fragments',
  ],
  [
    { checked: 1_200, new: 4, withdrawn: 2, failed: 3, canonicalized: 5, ignored: 7, embedded: 1 },
    'checked 1,200, new 4, withdrawn 2, failed 3, replaced by another address 5, over the limit 7, embedded 1 fragment',
  ],
  [{}, 'checked 0'],
])('summarizes %j as "%s"', (counts, sentence) => {
  expect(runSentence({ ...emptyRun, ...counts })).toBe(sentence)
})
