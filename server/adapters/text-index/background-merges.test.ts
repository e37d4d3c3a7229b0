import { expect, test } from 'vitest'
import { selectForMerge } from './background-merges'

/** Segments of these sizes; as many fragments of each are deleted as `deleted` says. */
function segments(sizes: number[], deleted: number[] = []) {
  return sizes.map((fragments, n) => ({
    id: n + 1,
    fragments,
    deleted: deleted[n] ?? 0,
    first_key: 1,
    last_key: fragments,
  }))
}

const idsOf = (selected: { id: number }[]) => selected.map(({ id }) => id)

test.each([
  ['segments of one size', [10, 10, 10, 10], 4, [1, 2, 3, 4]],
  ['fewer than are worth it', [10, 10, 10], 4, []],
  ['the smallest first', [900, 10, 10, 10, 10], 4, [2, 3, 4, 5]],
  ['larger ones, if the smallest is of another size', [1, 500, 500, 500, 500], 4, [2, 3, 4, 5]],
  ['sizes that grow together', [10, 15, 40, 100], 4, [1, 2, 3, 4]],
  ['no segment that is much larger', [10, 10, 10, 10, 1_000], 4, [1, 2, 3, 4]],
  ['at most as many fragments as a merge may have', [16_000, 16_000, 16_000], 2, [1, 2]],
  ['nothing of a collection without segments', [], 4, []],
])('selects %s', (_, sizes, min, expected) => {
  expect(idsOf(selectForMerge(segments(sizes), min))).toEqual(expected)
})

test('selects a segment of which more than a quarter is deleted', () => {
  expect(idsOf(selectForMerge(segments([100, 1_000], [25, 251]), 4))).toEqual([2])
  expect(selectForMerge(segments([100, 1_000], [25, 250]), 4)).toEqual([])
})

test('counts fragments that are not deleted', () => {
  expect(idsOf(selectForMerge(segments([40_000, 20_000], [30_000, 0]), 2))).toEqual([1, 2])
})
