import { expect, test } from 'vitest'
import { scan } from '../scan/scan'
import { attachCopy, type Chunk, createCopyMemory } from './collection-copy'
import { blockSize, bytesFor, header, layoutOf } from './layout'

const dimensions = 64
const layout = layoutOf(dimensions, 2)
const large = 16 * 2 ** 20

/** A chunk with these keys in its first slots; the vector of a key points the way of its number. */
function chunkOf(keys: number[], directionOf = (key: number) => key): Chunk {
  const validity = new Uint8Array(blockSize / 8)
  const rowids = new DataView(new ArrayBuffer(8 * blockSize))
  const vectors = new Float32Array(blockSize * dimensions)
  for (const [slot, key] of keys.entries()) {
    validity[slot >> 3] = (validity[slot >> 3] ?? 0) | (1 << (slot & 7))
    rowids.setBigInt64(8 * slot, BigInt(key), true)
    vectors[slot * dimensions + (directionOf(key) % dimensions)] = 1
  }
  return { validity, keys: rowids, vectors }
}

function find(copy: ReturnType<typeof attachCopy>, direction: number): number[] {
  const query = new Float32Array(dimensions)
  query[direction] = 1
  const ranges = [{ from: 0, to: copy.blocks() }]
  const { keys, scores } = scan(copy, { query, k: 1_000, isAllowed: null, coarse: false, ranges })
  return [...keys].filter((_, n) => (scores[n] ?? 0) > 0.5).sort((a, b) => a - b)
}

function open(blocks = 4, mostBytes = large) {
  const memory = createCopyMemory(layout, blocks, mostBytes)
  return { memory, one: attachCopy(memory, layout), other: attachCopy(memory, layout) }
}

test('what one thread writes the other finds, until it goes', () => {
  const { one, other } = open()
  one.write(null, 7, 1, chunkOf([1, 2, 3]))
  one.write(null, 9, 1, chunkOf([66, 67]))
  expect(find(other, 2)).toEqual([2, 66])
  expect(other.directory()).toEqual(
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
  expect(one.directory().get(10)).toEqual({ block: 0, revision: 3 })
  expect(find(one, 2)).toEqual([130])
})

test('a key gets its new vector', () => {
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

test('grows, and the other thread sees it', () => {
  const { memory, one, other } = open(1)
  const before = memory.buffer.byteLength
  for (let chunk = 1; chunk <= 100; chunk++) expect(one.write(null, chunk, 1, chunkOf([chunk * 64]))).toBe(true)
  expect(memory.buffer.byteLength).toBeGreaterThan(before)
  expect(find(other, 0)).toEqual(Array.from({ length: 100 }, (_, n) => (n + 1) * 64))
  expect(other.directory().size).toBe(100)
})

test('says when there is no room', () => {
  const { memory, one } = open(2, bytesFor(layout, 2))
  const room = one.blocks()
  for (let chunk = 1; chunk <= room; chunk++) expect(one.write(null, chunk, 1, chunkOf([chunk]))).toBe(true)
  expect(one.write(null, room + 1, 1, chunkOf([999]))).toBe(false)
  expect(memory.buffer.byteLength).toBe(bytesFor(layout, 2))
  one.free(1)
  expect(one.write(null, room + 1, 1, chunkOf([999]))).toBe(true)
})

test('a block that was not written to its end is no revision of its chunk', () => {
  const { one } = open()
  one.write(null, 7, 5, chunkOf([1]))
  one.free(0)
  const broken = { ...chunkOf([1, 2]), keys: new DataView(new ArrayBuffer(8)) }
  expect(() => one.write(null, 8, 5, broken)).toThrow(RangeError)
  expect(one.directory().get(8)?.revision).not.toBe(5)
})

test('one writes at a time, and a failure gives the turn back', () => {
  const { memory, one, other } = open()
  const head = new Int32Array(memory.buffer)
  expect(
    one.alone(() => {
      expect(head[header.lock]).toBe(1)
      return 'done'
    }),
  ).toBe('done')
  expect(() =>
    other.alone(() => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(one.alone(() => 'again')).toBe('again')
})

test('nobody waits for ever for a thread that died while it wrote', () => {
  const { memory, one } = open()
  Atomics.store(new Int32Array(memory.buffer), header.lock, 1)
  expect(one.alone(() => 'never')).toBeNull()
})

test('has a place to work in for as many threads as were named', () => {
  const { memory } = open()
  expect(() => attachCopy(memory, layout)).toThrow('More threads than desks.')
})
