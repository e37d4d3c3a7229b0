import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface MemoryFigures {
  /** Resident MiB at the first look. */
  startMib: number
  /** Resident MiB when so many pages had been asked for. */
  marks: { pages: number; mib: number }[]
  /** As the kernel keeps it; 0 where there is no /proc. */
  peakMib: number
}

const lookEveryMs = 100

/** Looks at the resident memory of a process from outside, at every `step` pages and at its peak, until it is stopped. */
export function watchMemory(
  pid: number,
  step: number,
  pagesDone: () => Promise<number>,
): { stop(): Promise<MemoryFigures> } {
  const figures: MemoryFigures = { startMib: 0, marks: [], peakMib: 0 }
  let stopped = false
  const watching = watch()
  // Told to whoever stops it.
  watching.catch(() => undefined)

  async function watch(): Promise<void> {
    while (!stopped) {
      const pages = await pagesDone()
      look(pages)
      await sleep(lookEveryMs)
    }
  }

  function look(pages: number): void {
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
      look(await pagesDone())
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
    // It has ended, or this system keeps no such files.
    return { resident: 0, peak: 0 }
  }
}
