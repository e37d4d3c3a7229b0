import { expect, test } from 'vitest'
import { scan } from '../scan/scan'
import { attachCopy, type Chunk, createCopyMemory } from './collection-copy'
import { bytesForBlocks, header, layoutOf } from './layout'

const dimensions = 64
const layout = layoutOf(dimensions, 2)
const large = 16 * 2 ** 20

/** A chunk with these keys in its first slots. The vector of a key is a unit vector of the dimension that it names. */
function chunkOf(keys: number[], directionOf = (key: number) => key): Chunk {
  return new Map(
    keys.map((key, slot) => {
      const vector = new Float32Array(dimensions)
      vector[directionOf(key) % dimensions] = 1
      return [slot, { key, vector }]
    }),
  )
}

function find(copy: ReturnType<typeof attachCopy>, direction: number): number[] {
  const query = new Float32Array(dimensions)
  query[direction] = 1
  const ranges = [{ from: 0, to: copy.blocks() }]
  const { keys, scores } = scan(copy, { vector: query, k: 1_000, isAllowed: null, coarse: false, ranges })
  return [...keys].filter((_, n) => (scores[n] ?? 0) > 0.5).sort((a, b) => a - b)
}

function open(blocks = 4, maxBytes = large) {
  const memory = createCopyMemory(layout, blocks, maxBytes)
  return { memory, one: attachCopy(memory, layout), other: attachCopy(memory, layout) }
}

test('finds what another thread has written, until it is deleted', () => {
  const { one, other } = open()
  one.write(null, 7, 1, chunkOf([1, 2, 3]))
  one.write(null, 9, 1, chunkOf([66, 67]))
  expect(find(other, 2)).toEqual([2, 66])
  expect(other.blocksByChunk()).toEqual(
    new Map([
      [7, { block: 0, revision: 1 }],
      [9, { block: 1, revision: 1 }],
    ]),
  )
  one.write(1, 9, 2, chunkOf([67]))
  expect(find(other, 2)).toEqual([2])
  one.free(0)
  expect(find(other, 2)).toEqual([])
  expect(find(other, 3)).toEqual([67])
  other.write(null, 10, 3, chunkOf([130]))
  expect(one.blocksByChunk().get(10)).toEqual({ block: 0, revision: 3 })
  expect(find(one, 2)).toEqual([130])
})

test('replaces the vector of a key', () => {
  const { one } = open()
  one.write(null, 7, 1, chunkOf([1, 2]))
  one.write(
    0,
    7,
    2,
    chunkOf([1, 2], (key) => key + 10),
  )
  expect(find(one, 1)).toEqual([])
  expect(find(one, 11)).toEqual([1])
})

test('grows, and another thread notices', () => {
  const { memory, one, other } = open(1)
  const before = memory.buffer.byteLength
  for (let chunk = 1; chunk <= 100; chunk++) expect(one.write(null, chunk, 1, chunkOf([chunk * 64]))).toBe(true)
  expect(memory.buffer.byteLength).toBeGreaterThan(before)
  expect(find(other, 0)).toEqual(Array.from({ length: 100 }, (_, n) => (n + 1) * 64))
  expect(other.blocksByChunk().size).toBe(100)
})

test('reports when there is no room', () => {
  const { memory, one } = open(2, bytesForBlocks(layout, 2))
  const room = one.blocks()
  for (let chunk = 1; chunk <= room; chunk++) expect(one.write(null, chunk, 1, chunkOf([chunk]))).toBe(true)
  expect(one.write(null, room + 1, 1, chunkOf([999]))).toBe(false)
  expect(memory.buffer.byteLength).toBe(bytesForBlocks(layout, 2))
  one.free(1)
  expect(one.write(null, room + 1, 1, chunkOf([999]))).toBe(true)
})

test('gives an incomplete block no revision', () => {
  const { one } = open()
  one.write(null, 7, 5, chunkOf([1]))
  one.free(0)
  const broken: Chunk = new Map([...chunkOf([1]), [1, { key: 2, vector: new Float32Array(large) }]])
  expect(() => one.write(null, 8, 5, broken)).toThrow(RangeError)
  expect(one.blocksByChunk().get(8)?.revision).not.toBe(5)
})

test('lets one thread write at a time, and releases the lock on failure', () => {
  const { memory, one, other } = open()
  const head = new Int32Array(memory.buffer)
  expect(
    one.withLock(() => {
      expect(head[header.lock]).toBe(1)
      return 'done'
    }),
  ).toBe('done')
  expect(() =>
    other.withLock(() => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(one.withLock(() => 'again')).toBe('again')
})

test('stops waiting for the lock of a thread that died', () => {
  const { memory, one } = open()
  Atomics.store(new Int32Array(memory.buffer), header.lock, 1)
  expect(one.withLock(() => 'never')).toBeNull()
})

test('has one scratch area per thread', () => {
  const { memory } = open()
  expect(() => attachCopy(memory, layout)).toThrow('There are more threads than scratch areas.')
})
