import type { App } from '../server/app'

const lookMs = 60_000
const sweepMs = 3_600_000

/** What the schedule needs of the app. */
interface Scheduled {
  refreshing: Pick<App['refreshing'], 'refreshDue'>
  files: Pick<App['files'], 'removeLeftovers'>
  log: Pick<App['log'], 'error'>
}

/**
 * Looks once a minute for sources whose planned refresh is due, and starts their runs; takes away once an hour what
 * uploads and downloads left behind.
 */
export function startSchedule({ refreshing, files, log }: Scheduled, onStarted: () => void): { stop(): void } {
  async function look(): Promise<void> {
    try {
      if ((await refreshing.refreshDue()) > 0) onStarted()
    } catch (error) {
      log.error({ err: error }, 'Looking for planned refreshes failed.')
    }
  }

  async function sweep(): Promise<void> {
    try {
      await files.removeLeftovers()
    } catch (error) {
      log.error({ err: error }, 'What uploads left behind could not be removed.')
    }
  }

  const timers = [setInterval(() => void look(), lookMs), setInterval(() => void sweep(), sweepMs)]
  for (const timer of timers) timer.unref()
  void look()
  void sweep()
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
