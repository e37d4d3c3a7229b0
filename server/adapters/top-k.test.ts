import { expect, test } from 'vitest'
import { selectHighest, TopK } from './top-k'

let seed = 3
function random(): number {
  seed = (seed * 16_807) % 2_147_483_647
  return seed / 2_147_483_647
}

/** Adds scores block by block, and only those above the threshold, as the kernel does. */
function collect(count: number, scores: number[], atOnce = 16) {
  const best = new TopK(count, atOnce)
  for (let start = 0; start < scores.length; start += atOnce) {
    const rows: number[] = []
    const found: number[] = []
    for (const [row, score] of scores.slice(start, start + atOnce).entries()) {
      if (score <= best.threshold()) continue
      rows.push(row)
      found.push(score)
    }
    best.add(rows.length, Int32Array.from(rows), Float32Array.from(found), start)
  }
  return best.result()
}

test.each([
  [1, 5_000],
  [10, 5_000],
  [100, 5_000],
  [100, 101],
  [100, 100],
  [100, 7],
])('keeps the best %i of %i', (count, total) => {
  const scores = Array.from({ length: total }, () => Math.fround(random()))
  const expected = [...scores.entries()].sort(([, a], [, b]) => b - a).slice(0, count)
  const { slots, scores: best, isTruncated } = collect(count, scores)
  expect(new Set(slots)).toEqual(new Set(expected.map(([slot]) => slot)))
  for (const [n, slot] of slots.entries()) expect(best[n]).toBe(scores[slot])
  expect(isTruncated).toBe(total > count)
})

test('keeps exactly k of equal scores', () => {
  expect(collect(10, Array(500).fill(0.5)).slots).toHaveLength(10)
  const batch = collect(10, [...Array(300).fill(0.5), 0.9, ...Array(300).fill(0.4)])
  expect([...batch.scores].sort()).toEqual([...Array(9).fill(0.5), Math.fround(0.9)])
})

test('raises its threshold as rows are added', () => {
  const best = new TopK(2, 4)
  expect(best.threshold()).toBe(Number.NEGATIVE_INFINITY)
  best.add(4, Int32Array.of(0, 1, 2, 3), Float32Array.of(1, 2, 3, 4), 0)
  best.add(4, Int32Array.of(0, 1, 2, 3), Float32Array.of(5, 6, 7, 8), 4)
  expect(best.threshold()).toBe(7)
})

test.each([1, 2, 50, 99, 100])('finds the score of rank %i', (rank) => {
  for (const spread of [1_000, 10, 1]) {
    const scores = Array.from({ length: 100 }, () => Math.floor(random() * spread))
    const sorted = [...scores].sort((a, b) => b - a)
    expect(selectHighest(Float32Array.from(scores), scores.length, rank)).toBe(sorted[rank - 1])
  }
})
