import type { App } from '../../server/app'
import type { RunContext } from '../../server/services/crawling/runs/run-context'

const lookMs = 1_000

/** Aborts what takes long, and waits for others, when somebody holds or ends the run. */
export function watchRunState(app: App, work: RunContext, signal: AbortSignal) {
  const cut = new AbortController()
  const timer = setInterval(async () => {
    const standing = await app.crawls.standing(work).catch(() => 'going')
    if (standing !== 'going') cut.abort()
  }, lookMs)
  return {
    signal: AbortSignal.any([signal, cut.signal]),
    isCut: () => cut.signal.aborted && !signal.aborted,
    stop: () => clearInterval(timer),
  }
}
