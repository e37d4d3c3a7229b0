import { readFileSync, readlinkSync } from 'node:fs'

/** Clock ticks of /proc are hundredths of a second on every Linux architecture that Node supports. */
const tickMs = 10

/** Returns the number by which the system knows the calling thread; null where it has no /proc. */
export function currentThread(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || null
  } catch {
    return null
  }
}

/** Returns the processor time that a thread of this process has used, in milliseconds; null if unknown. */
export function processorMsOf(thread: number | null): number | null {
  if (thread === null) return null
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    // The name, in parentheses, can contain spaces. Times in user and in kernel mode are the 12th and 13th value after it.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    const ticks = Number(user) + Number(system)
    return Number.isFinite(ticks) ? ticks * tickMs : null
  } catch {
    return null
  }
}
