import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { until } from '../../../tests/support/until'
import { createHeapTrimmer } from './thread-heap'

const mebibyte = 2 ** 20

/** A heap whose size a test sets. Collecting brings it back to `liveBytes`. */
function heapOf(liveBytes: number) {
  let size = liveBytes
  let collections = 0
  return {
    bytes: () => size,
    collect() {
      collections++
      size = liveBytes
    },
    grow(bytes: number) {
      size += bytes
    },
    collections: () => collections,
  }
}

it('collects once the heap has grown by 16 MiB since the last collection', () => {
  const heap = heapOf(5 * mebibyte)
  const trim = createHeapTrimmer(heap)
  trim()
  heap.grow(16 * mebibyte - 1)
  trim()
  expect(heap.collections()).toBe(0)
  heap.grow(1)
  trim()
  expect(heap.collections()).toBe(1)
  heap.grow(16 * mebibyte - 1)
  trim()
  expect(heap.collections()).toBe(1)
})

it('does not collect while the heap does not grow', () => {
  const heap = heapOf(100 * mebibyte)
  const trim = createHeapTrimmer(heap)
  for (let times = 0; times < 200; times++) trim()
  expect(heap.collections()).toBe(0)
})

it('collects at any growth before a large task', () => {
  const heap = heapOf(mebibyte)
  createHeapTrimmer(heap)(0)
  expect(heap.collections()).toBe(1)
})

it('frees what nothing refers to', async () => {
  const trim = createHeapTrimmer()
  const work = new WeakRef(Array.from({ length: 1_000 }, (_, index) => ({ index })))
  // A reference holds its target until the end of the turn in which it was made or read.
  await until(() => {
    trim(Number.NEGATIVE_INFINITY)
    return work.deref() === undefined
  })
})

it('keeps gc available to threads that start later', () => {
  createHeapTrimmer()
  expect(runInNewContext('typeof gc')).toBe('function')
})
