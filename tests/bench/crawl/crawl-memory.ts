import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface MemoryFigures {
  /** Resident MiB at the first measurement. */
  startMib: number
  /** Resident MiB when this number of pages was requested. */
  marks: { pages: number; mib: number }[]
  /** The peak as counted by the kernel; 0 without /proc. */
  peakMib: number
}

const intervalMs = 100

/** Measures the resident memory of a process every `step` pages, and its peak, until stopped. */
export function watchMemory(
  pid: number,
  step: number,
  pagesDone: () => Promise<number>,
): { stop(): Promise<MemoryFigures> } {
  const figures: MemoryFigures = { startMib: 0, marks: [], peakMib: 0 }
  let stopped = false
  const watching = watch()
  // Reported by stop().
  watching.catch(() => undefined)

  async function watch(): Promise<void> {
    while (!stopped) {
      const pages = await pagesDone()
      measure(pages)
      await sleep(intervalMs)
    }
  }

  function measure(pages: number): void {
    const { resident, peak } = residentMib(pid)
    figures.startMib ||= resident
    figures.peakMib = Math.max(figures.peakMib, peak)
    const next = (figures.marks.at(-1)?.pages ?? 0) + step
    if (pages >= next && resident > 0) figures.marks.push({ pages: Math.floor(pages / step) * step, mib: resident })
  }

  return {
    async stop() {
      stopped = true
      await watching
      measure(await pagesDone())
      return figures
    },
  }
}

function residentMib(pid: number): { resident: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
    return { resident: mib('VmRSS'), peak: mib('VmHWM') }
  } catch {
    // The process has ended, or the system has no /proc.
    return { resident: 0, peak: 0 }
  }
}
