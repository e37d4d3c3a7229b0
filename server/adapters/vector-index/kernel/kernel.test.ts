import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { blockSize } from '../copies/layout'
import { openKernel } from './kernel'

const width = 64
const memory = new WebAssembly.Memory({ initial: 4, maximum: 4, shared: true })
const kernel = openKernel(memory)
const ints = new Int32Array(memory.buffer)
const bytes = new Int8Array(memory.buffer)
const shorts = new Int16Array(memory.buffer)
const floats = new Float32Array(memory.buffer)
const place = { query: 0, vector: 1_024, sums: 2_048, scales: 4_096, rows: 6_144, scores: 8_192, plane: 65_536 }
const tail = place.plane + blockSize * width
let seed = 7

function random(): number {
  seed = (seed * 16_807) % 2_147_483_647
  return seed / 2_147_483_647
}

function fillPlanes(): void {
  for (let n = 0; n < 2 * blockSize * width; n++) bytes[place.plane + n] = Math.floor(random() * 255) - 127
  for (let n = 0; n < 2 * width; n++) shorts[place.query / 2 + n] = Math.floor(random() * 65_534) - 32_767
}

function dotOf(row: number, plane: number, query: number): number {
  let sum = 0
  for (let n = 0; n < width; n++) sum += bytes[plane + row * width + n]! * shorts[query / 2 + n]!
  return sum
}

test('is built from its source', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/build/build-kernel.mjs', '--check'])
  expect(stdout.toString()).toBe('')
  expect(status).toBe(0)
})

test('computes the dot products of a plane, and adds them to those of another', () => {
  fillPlanes()
  kernel.dots(place.plane, place.query, width, place.sums, 0)
  const sums = () => [...ints.subarray(place.sums / 4, place.sums / 4 + blockSize)]
  const heads = Array.from({ length: blockSize }, (_, row) => dotOf(row, place.plane, place.query))
  expect(sums()).toEqual(heads)
  kernel.dots(tail, place.query + 2 * width, width, place.sums, 1)
  expect(sums()).toEqual(heads.map((sum, row) => sum + dotOf(row, tail, place.query + 2 * width)))
  for (const row of [0, 1, 100, 255]) expect(kernel.dot(place.plane + row * width, place.query, width)).toBe(heads[row])
})

test('does not overflow with the largest sum', () => {
  bytes.fill(127, place.plane, place.plane + blockSize * width)
  shorts.fill(32_767, place.query / 2, place.query / 2 + width)
  expect(kernel.dot(place.plane, place.query, width)).toBe(127 * 32_767 * width)
  kernel.dots(place.plane, place.query, width, place.sums, 0)
  expect(ints[place.sums / 4 + 255]).toBe(127 * 32_767 * width)
})

test('returns the rows above a threshold, without empty ones', () => {
  for (let row = 0; row < blockSize; row++) {
    ints[place.sums / 4 + row] = 1_000 * (row % 7) - 3_000
    floats[place.scales / 4 + row] = row % 5 === 0 ? 0 : 0.5
  }
  const expected = [...ints.subarray(place.sums / 4, place.sums / 4 + blockSize)].flatMap((sum, row) =>
    row % 5 !== 0 && sum * 0.5 * 0.001 > 0.75 ? [{ row, score: sum * 0.5 * 0.001 }] : [],
  )
  const count = kernel.above(place.sums, place.scales, 0.001, 0.75, place.rows, place.scores)
  expect([...ints.subarray(place.rows / 4, place.rows / 4 + count)]).toEqual(expected.map(({ row }) => row))
  for (const [n, { score }] of expected.entries()) expect(floats[place.scores / 4 + n]).toBeCloseTo(score, 5)
})

test('returns every row that is not empty for a threshold of -Infinity', () => {
  ints.fill(-5, place.sums / 4, place.sums / 4 + blockSize)
  floats.fill(1, place.scales / 4, place.scales / 4 + blockSize)
  floats[place.scales / 4 + 17] = 0
  expect(kernel.above(place.sums, place.scales, 1, Number.NEGATIVE_INFINITY, place.rows, place.scores)).toBe(255)
})

test.each([
  [width, width],
  [32, 96],
  [width, 0],
])('quantizes %i and %i numbers to 8 bits by the largest, and returns the scale', (headWidth, tailWidth) => {
  const vector = Array.from({ length: headWidth + tailWidth }, () => random() * 6 - 3)
  floats.set(vector, place.vector / 4)
  const scale = kernel.quantize(place.vector, place.plane, headWidth, tail, tailWidth)
  const peak = Math.max(...vector.map(Math.abs))
  const length = Math.hypot(...vector)
  expect(scale).toBeCloseTo(peak / 127 / length, 7)
  const stored = [...bytes.subarray(place.plane, place.plane + headWidth), ...bytes.subarray(tail, tail + tailWidth)]
  for (const [n, value] of stored.entries()) {
    expect(Math.abs(value - (vector[n]! * 127) / peak)).toBeLessThanOrEqual(0.5001)
    expect(Math.abs(value)).toBeLessThanOrEqual(127)
  }
})

test.each([
  ['zeros', 0],
  ['what is no number', Number.NaN],
])('returns a scale of 0 for a vector of %s', (_, value) => {
  floats.fill(value, place.vector / 4, place.vector / 4 + 2 * width)
  expect(kernel.quantize(place.vector, place.plane, width, tail, width)).toBe(0)
})

test('projects a vector', () => {
  const [columns, rows] = [64, 8]
  const [matrix, vector, result] = [place.plane, place.vector, place.sums]
  for (let n = 0; n < columns; n++) floats[vector / 4 + n] = random() - 0.5
  for (let n = 0; n < columns * rows; n++) floats[matrix / 4 + n] = random() - 0.5
  floats[result / 4 + rows] = 7
  kernel.project(matrix, vector, columns, rows, result)
  for (let row = 0; row < rows; row++) {
    let sum = 0
    for (let n = 0; n < columns; n++) sum += floats[vector / 4 + n]! * floats[matrix / 4 + row * columns + n]!
    expect(floats[result / 4 + row]).toBeCloseTo(sum, 4)
  }
  expect(floats[result / 4 + rows]).toBe(7)
})
