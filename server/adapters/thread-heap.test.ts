import { getHeapStatistics } from 'node:v8'
import { expect, it } from 'vitest'
import { createHeapTrimmer } from './thread-heap'

const heap = () => getHeapStatistics().total_heap_size

it('gives back what a large task has left', () => {
  const trim = createHeapTrimmer()
  const before = heap()
  let work: unknown[] | null = Array.from({ length: 1_500_000 }, (_, index) => ({ text: `word ${index}`, index }))
  expect(work.length).toBe(1_500_000)
  const grown = heap()
  expect(grown - before).toBeGreaterThan(16 * 2 ** 20)
  work = null
  trim()
  expect(heap() - before).toBeLessThan((grown - before) / 2)
})

it('costs next to nothing while the heap stays as it is', () => {
  const trim = createHeapTrimmer()
  trim()
  const started = performance.now()
  for (let times = 0; times < 200; times++) trim()
  expect(performance.now() - started).toBeLessThan(100)
})
