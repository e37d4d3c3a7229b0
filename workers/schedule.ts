import type { App } from '../server/app'

const everyMs = 60_000

/** Looks once a minute for sources whose planned refresh is due, and starts their runs. */
export function startSchedule(app: App, onStarted: () => void): { stop(): void } {
  async function look(): Promise<void> {
    try {
      if ((await app.refreshing.refreshDue()) > 0) onStarted()
    } catch (error) {
      app.log.error({ err: error }, 'Looking for planned refreshes failed.')
    }
  }

  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  void look()
  return { stop: () => clearInterval(timer) }
}
