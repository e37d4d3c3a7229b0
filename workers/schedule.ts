import type { App, Services } from '../server/app'

const refreshCheckMs = 60_000
const fileSweepMs = 3_600_000
const identitySweepMs = 600_000

/** The parts of the app that the schedule uses. */
interface ScheduledApp {
  services: {
    runControl: Pick<Services['runControl'], 'refreshDue'>
    files: Pick<Services['files'], 'removeLeftovers'>
  }
  identity: Pick<App['identity'], 'sweep'>
  log: Pick<App['log'], 'error'>
}

/**
 * Starts the planned runs that are due, once a minute; removes what interrupted uploads and downloads left, once an hour;
 * and deletes expired sessions and sign-ins, every ten minutes. `onStarted` is called after runs were started.
 */
export function startSchedule(
  { services: { runControl, files }, identity, log }: ScheduledApp,
  onStarted: () => void,
): { stop(): void } {
  async function startDueRuns(): Promise<void> {
    try {
      if ((await runControl.refreshDue()) > 0) onStarted()
    } catch (error) {
      log.error({ err: error }, 'Looking for planned refreshes failed.')
    }
  }

  async function sweepFiles(): Promise<void> {
    try {
      await files.removeLeftovers()
    } catch (error) {
      log.error({ err: error }, 'The files of interrupted uploads could not be removed.')
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
    setInterval(() => void startDueRuns(), refreshCheckMs),
    setInterval(() => void sweepFiles(), fileSweepMs),
    setInterval(() => void sweepIdentity(), identitySweepMs),
  ]
  for (const timer of timers) timer.unref()
  void startDueRuns()
  void sweepFiles()
  void sweepIdentity()
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
