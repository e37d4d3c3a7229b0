import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const maxGrowthBytes = 16 * 1024 * 1024

export interface Heap {
  /** Size of the heap in bytes, garbage included. */
  bytes(): number
  collect(): void
}

/**
 * Returns a function to call between two tasks of a thread. It collects garbage if the heap has grown by `growthBytes`
 * (16 MiB by default). Without it, V8 lets a thread keep garbage of up to half of its heap limit, and does not return
 * the memory of a large task to the system. Tests pass a heap of their own.
 */
export function createHeapTrimmer(heap: Heap = ownHeap()): (growthBytes?: number) => void {
  let baselineBytes = heap.bytes()

  return (growthBytes = maxGrowthBytes) => {
    if (heap.bytes() < baselineBytes + growthBytes) return
    heap.collect()
    baselineBytes = heap.bytes()
  }
}

function ownHeap(): Heap {
  // The flag applies to the process and stays set: resetting it would remove `gc` from threads that are starting.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  return { bytes: () => getHeapStatistics().total_heap_size, collect }
}
