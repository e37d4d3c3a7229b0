import { platform, setPriority } from 'node:os'

/** Gets a third of the processor time of a thread at 0: others come first, and this one never starves. */
const lowPriority = 5

/** Lowers the priority of this thread. */
export function lowerPriority(): void {
  // On other systems this would set the priority of the whole process.
  if (platform() !== 'linux') return
  try {
    setPriority(lowPriority)
  } catch {
    // Without permission, all threads have the same priority.
  }
}
