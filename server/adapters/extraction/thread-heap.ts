import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const maxGrowthBytes = 16 * 1024 * 1024

/**
 * Returns a function to call between two tasks of a thread. It collects garbage if the heap has grown by `growthBytes`
 * (16 MiB by default). Without it, V8 lets a thread keep garbage of up to half of its heap limit, and does not return
 * the memory of a large task to the system.
 */
export function createHeapTrimmer(): (growthBytes?: number) => void {
  // The flag applies to the process and stays set: resetting it would remove `gc` from threads that are starting.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let baselineBytes = getHeapStatistics().total_heap_size

  return (growthBytes = maxGrowthBytes) => {
    if (getHeapStatistics().total_heap_size < baselineBytes + growthBytes) return
    collect()
    baselineBytes = getHeapStatistics().total_heap_size
  }
}
