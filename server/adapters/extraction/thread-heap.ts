import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes that a heap may grow by before its garbage is collected. */
const mostGrowth = 16 * 1024 * 1024

/**
 * To be called between two tasks of a thread: collects the garbage where the heap has grown by 16 MiB, or by as many
 * bytes as are named. By itself V8 lets a thread keep garbage of up to half of its heap's limit, and never gives back
 * what one large task has left.
 */
export function createHeapTrimmer(): (growth?: number) => void {
  // The flag is one for the whole process and stays set: a thread that took it back took it from others at their start.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let settled = getHeapStatistics().total_heap_size

  return (growth = mostGrowth) => {
    if (getHeapStatistics().total_heap_size < settled + growth) return
    collect()
    settled = getHeapStatistics().total_heap_size
  }
}
