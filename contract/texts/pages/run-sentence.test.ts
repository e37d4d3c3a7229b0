import { expect, it } from 'vitest'
import { emptyRun } from '../../../tests/support/run-report'
import { runSentence } from './run-sentence'

it.each([
  [
    { checked: 531, unchanged: 529, changed: 2, embedded: 9 },
    '531 checked, 529 unchanged, 2 changed, 9 fragments indexed',
  ],
  [
    { checked: 1_200, new: 4, withdrawn: 2, failed: 3, canonicalized: 5, ignored: 7, embedded: 1 },
    '1,200 checked, 4 new, 2 withdrawn, 3 failed, 5 redirects, 7 over the limit, 1 fragment indexed',
  ],
  [{}, '0 checked'],
])('summarizes %j as "%s"', (counts, sentence) => {
  expect(runSentence({ ...emptyRun, ...counts })).toBe(sentence)
})
