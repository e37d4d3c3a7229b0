import type { App } from '../server/app'

const lookMs = 60_000
const sweepMs = 3_600_000
const identitySweepMs = 600_000

/** What the schedule needs of the app. */
interface Scheduled {
  runControl: Pick<App['runControl'], 'refreshDue'>
  files: Pick<App['files'], 'removeLeftovers'>
  identity: Pick<App['identity'], 'sweep'>
  log: Pick<App['log'], 'error'>
}

/**
 * Looks once a minute for sources whose planned refresh is due, and starts their runs; takes away once an hour what
 * uploads and downloads left behind, and deletes expired sessions and sign-ins every ten minutes.
 */
export function startSchedule(
  { runControl, files, identity, log }: Scheduled,
  onStarted: () => void,
): { stop(): void } {
  async function look(): Promise<void> {
    try {
      if ((await runControl.refreshDue()) > 0) onStarted()
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

  async function sweepIdentity(): Promise<void> {
    try {
      await identity.sweep()
    } catch (error) {
      log.error({ err: error }, 'Expired sessions and sign-ins could not be deleted.')
    }
  }

  const timers = [
    setInterval(() => void look(), lookMs),
    setInterval(() => void sweep(), sweepMs),
    setInterval(() => void sweepIdentity(), identitySweepMs),
  ]
  for (const timer of timers) timer.unref()
  void look()
  void sweep()
  void sweepIdentity()
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
