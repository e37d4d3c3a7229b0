import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { hasPcaMatrix, openPca } from './pca'

const shipped = resolve(import.meta.dirname, '../../../models/all-MiniLM-L6-v2')
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0)

test('the bundled rotation preserves lengths and angles', () => {
  const rotate = openPca(shipped)
  const first = Float32Array.from({ length: 384 }, (_, n) => Math.sin(n + 1))
  const second = Float32Array.from({ length: 384 }, (_, n) => Math.cos(n * 1.7))
  expect(hasPcaMatrix(shipped)).toBe(true)
  expect(dot(rotate(first), rotate(first)) / dot(first, first)).toBeCloseTo(1, 4)
  expect((dot(rotate(first), rotate(second)) - dot(first, second)) / dot(first, first)).toBeCloseTo(0, 4)
})

test('multiplies row by row', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitelore-rotation-'))
  writeFileSync(join(folder, 'rotation.f32'), new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer))
  expect([...openPca(folder)(Float32Array.of(10, 1))]).toEqual([12, 34])
  expect(() => openPca(folder)(Float32Array.of(1, 2, 3))).toThrow('rotation.f32 does not match vectors of 3 numbers.')
})

test('returns the vectors of a model without rotation unchanged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitelore-rotation-'))
  expect(hasPcaMatrix(folder)).toBe(false)
  const vector = Float32Array.of(1, 2)
  expect(openPca(folder)(vector)).toBe(vector)
})
