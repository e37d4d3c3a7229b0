import { expect, test } from 'vitest'
import { createVectors } from '../../../../tests/support/embedding/vectors'
import { coarseWidthFor, learnedVectorsFor, learnProjection } from './learn-projection'

const dimensions = 96
const width = 32

/** Vectors whose numbers differ less the later they come, turned so that no number says more than another. */
function turnedVectors(count: number): Float32Array[] {
  const turn = learnProjection([Array.from({ length: 400 }, createVectors(dimensions, 3).next)], dimensions, dimensions)
  const { next } = createVectors(dimensions, 5, (place) => Math.exp(-place / 12))
  return Array.from({ length: count }, () => project(turn, next(), dimensions))
}

function project(matrix: Float32Array, vector: Float32Array, rows: number): Float32Array {
  return Float32Array.from({ length: rows }, (_, row) =>
    vector.reduce((sum, value, n) => sum + value * (matrix[row * vector.length + n] ?? 0), 0),
  )
}

const lengthOf = (vector: Float32Array) => Math.hypot(...vector)

test('keeps what distinguishes the vectors', () => {
  const vectors = turnedVectors(1_000)
  const matrix = learnProjection([vectors.slice(0, 300), vectors.slice(300, 500)], dimensions, width)
  const kept = vectors.slice(500).map((vector) => lengthOf(project(matrix, vector, width)) ** 2)
  const firstNumbers = vectors.slice(500).map((vector) => lengthOf(vector.slice(0, width)) ** 2)
  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  expect(mean(kept)).toBeGreaterThan(0.95)
  expect(mean(firstNumbers)).toBeLessThan(0.5)
})

test('returns orthonormal directions, the same each time', () => {
  const vectors = turnedVectors(500)
  const matrix = learnProjection([vectors], dimensions, width)
  const rows = Array.from({ length: width }, (_, row) => matrix.subarray(row * dimensions, (row + 1) * dimensions))
  for (const [n, row] of rows.entries()) {
    const products = project(matrix, row, width)
    for (const [place, product] of products.entries()) expect(product).toBeCloseTo(place === n ? 1 : 0, 5)
  }
  expect(learnProjection([vectors], dimensions, width)).toEqual(matrix)
})

test('works with fewer vectors than directions', () => {
  const vectors = turnedVectors(10)
  const matrix = learnProjection([vectors], dimensions, width)
  expect(matrix.every(Number.isFinite)).toBe(true)
  for (const vector of vectors) expect(lengthOf(project(matrix, vector, width))).toBeCloseTo(1, 3)
})

test.each([
  [64, 32, 4_096],
  [384, 192, 4_096],
  [768, 192, 4_096],
  [1_024, 192, 4_096],
  [1_536, 192, 6_144],
  [4_096, 192, 16_384],
])('chooses a width for %i dimensions', (numbers, expected, learned) => {
  expect(coarseWidthFor(numbers)).toBe(expected)
  expect(learnedVectorsFor(numbers)).toBe(learned)
})
