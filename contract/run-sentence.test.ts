import { expect, it } from 'vitest'
import { runSentence } from './run-sentence'
import type { RunReport } from './source'

const nothing: RunReport = {
  id: 'run',
  kind: 'full',
  started_at: '2026-01-01T00:00:00.000Z',
  finished_at: '2026-01-01T00:00:01.000Z',
  checked: 0,
  fetched: 0,
  unchanged: 0,
  changed: 0,
  new: 0,
  withdrawn: 0,
  failed: 0,
  ignored: 0,
  bytes: 0,
  fragments: 0,
  embedded: 0,
  refusals: [],
  duration_ms: 1_000,
  problem: null,
  cancelled: false,
}

it.each([
  [
    { checked: 531, unchanged: 529, changed: 2, embedded: 9 },
    'checked 531, unchanged 529, changed 2, embedded 9 fragments',
  ],
  [
    { checked: 9, new: 4, withdrawn: 2, failed: 3, ignored: 7, embedded: 1 },
    'checked 9, new 4, withdrawn 2, failed 3, left out 7, embedded 1 fragment',
  ],
  [{}, 'checked 0'],
])('%j is told as "%s"', (counts, sentence) => {
  expect(runSentence({ ...nothing, ...counts })).toBe(sentence)
})
