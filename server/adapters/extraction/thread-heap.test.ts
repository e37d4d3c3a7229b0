import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createHeapTrimmer } from './thread-heap'

const heap = () => getHeapStatistics().total_heap_size

it('frees the memory of a large task', () => {
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

it('does not collect while the heap does not grow', async () => {
  const trim = createHeapTrimmer()
  trim()
  let collections = 0
  const count = (entries: PerformanceEntry[]) => {
    for (const entry of entries) if ('detail' in entry && isMajor(entry.detail)) collections++
  }
  const observer = new PerformanceObserver((list) => count(list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  for (let times = 0; times < 200; times++) trim()
  // Node queues the entries in the next turn of the event loop.
  await setImmediate()
  count(observer.takeRecords())
  observer.disconnect()
  // V8 may collect on its own meanwhile.
  expect(collections).toBeLessThan(5)
})

it('keeps gc available to threads that start later', () => {
  createHeapTrimmer()
  expect(runInNewContext('typeof gc')).toBe('function')
})

function isMajor(detail: unknown): boolean {
  return (
    typeof detail === 'object' &&
    detail !== null &&
    'kind' in detail &&
    detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  )
}
