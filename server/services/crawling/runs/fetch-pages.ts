import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../../db/database'
import type { HostRateLimiter } from '../../../engine/crawl/fetch/host-rate-limiter'
import { crawlLimits } from '../../../engine/limits'
import { RetryLater } from '../../../errors'
import { hasDueJobs } from '../../jobs/jobs'
import type { RunContext } from '../../runs/run-context'
import { runState } from '../../runs/run-state'
import type { Frontier } from '../frontier/frontier'
import type { IngestPage } from './ingest-page'
import { pageConcurrency } from './page-concurrency'

interface Deps {
  db: Database
  frontier: Pick<Frontier, 'claim' | 'nextDue'>
  ingestPage: IngestPage
  rateLimiter: Pick<HostRateLimiter, 'waitMs'>
}

/** A run that waits longer leaves its slot to others. */
const maxIdleMs = 15_000
const concurrencyPollMs = 1_000

export type FetchPages = ReturnType<typeof createFetchPages>

/** The second step of a run: ingests its pending addresses, several at once. */
export function createFetchPages({ db, frontier, ingestPage, rateLimiter }: Deps) {
  /**
   * Runs until no address is pending ('done'), somebody pauses or ends the run, or the month's crawls are used up. Throws
   * RetryLater where another run waits for the slot, or this one has to wait for its site.
   */
  async function fetchPages(run: RunContext, signal: AbortSignal): Promise<'done' | 'interrupted' | 'out-of-crawls'> {
    const active = new Set<Promise<void>>()
    try {
      return await fetchConcurrently(run, active, signal)
    } finally {
      // No fetch may outlive this call: another worker may continue the run.
      await Promise.all(active)
    }
  }

  async function fetchConcurrently(run: RunContext, active: Set<Promise<void>>, signal: AbortSignal) {
    const sliceEndsAt = Date.now() + crawlLimits.sliceMs
    let failure: unknown = null
    let concurrency = 0
    for (let concurrencyPollAt = 0; ; ) {
      signal.throwIfAborted()
      if (failure) throw failure
      if (Date.now() >= concurrencyPollAt) {
        concurrency = await pageConcurrency(db.read, run.source.organizationId)
        concurrencyPollAt = Date.now() + concurrencyPollMs
      }
      if (Date.now() > sliceEndsAt && (await hasDueJobs(db.read, 'crawl-source'))) throw new RetryLater(0)
      const isInterrupted = (await runState(db.read, run)) !== 'running'
      const pauseMs = isInterrupted ? 0 : longPauseMs(run)
      const free = isInterrupted || pauseMs > 0 ? 0 : concurrency - active.size
      const claimed = free > 0 ? await claimNext(run, free, active.size === 0) : []
      for (const visit of claimed === 'out-of-crawls' ? [] : claimed) {
        const page: Promise<void> = ingestPage(run, visit, signal)
          .catch((error: unknown) => {
            failure ??= error
          })
          .finally(() => active.delete(page))
        active.add(page)
      }
      if (active.size > 0) await Promise.race(active)
      else if (isInterrupted) return 'interrupted'
      else if (claimed === 'out-of-crawls') return 'out-of-crawls'
      else if (pauseMs > 0) throw new RetryLater(pauseMs)
      else if (!(await waitForNext(run, signal))) return 'done'
    }
  }

  /** Claims visits; those for the end of the run one by one, once nothing else is left. */
  async function claimNext(run: RunContext, free: number, isIdle: boolean) {
    const claimed = await frontier.claim(run, free)
    return claimed.length === 0 && isIdle ? frontier.claim(run, 1, 'last') : claimed
  }

  /** How long the site is paused, if that is too long to wait. */
  function longPauseMs({ source }: RunContext): number {
    const waitMs = source.url === null ? 0 : rateLimiter.waitMs(source.url)
    return waitMs > crawlLimits.maxHostWaitMs ? waitMs : 0
  }

  /** Waits until an address is due; false without a pending one. Throws RetryLater for a long wait. */
  async function waitForNext(run: RunContext, signal: AbortSignal): Promise<boolean> {
    const due = await frontier.nextDue(run)
    if (!due) return false
    const waitMs = due.getTime() - Date.now()
    if (waitMs > maxIdleMs) throw new RetryLater(waitMs)
    await sleep(Math.max(0, waitMs), undefined, { signal })
    return true
  }

  return fetchPages
}
