import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../contract/reasons'
import type { Database } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { runs, sources } from '../../db/schema/collections'
import type { CrawlWork, Frontier } from './frontier'
import { nextRefresh } from './source-settings'
import { moveAddresses, moveSource, type SourceCause } from './states'

export interface Problem {
  reason: ReasonCode
  message: string
}

/** How runs end, and what the source says of it. */
export function createRunEnds({ db, frontier }: { db: Database; frontier: Frontier }) {
  /** The run is over by itself; `problem` is what its discovery met, told where no page is in. */
  async function finish(work: CrawlWork, problem: Problem | null): Promise<void> {
    if (work.kind === 'discover') {
      return problem && !(await knowsAny(work)) ? end(work, 'failed', problem) : end(work, 'listed', null)
    }
    const { kept, ignored, foundNothing, firstFailure } = await tally(work)
    if (kept === 0 || (foundNothing && work.kind === 'full')) {
      return end(work, 'failed', firstFailure ?? problem ?? sentenceOf('empty-page'))
    }
    return ignored > 0 ? end(work, 'url-limit', sentenceOf('over-limit')) : end(work, 'done', null)
  }

  function cancel(work: CrawlWork): Promise<void> {
    return end(work, 'cancelled', null)
  }

  /** The month's crawls are used up. */
  function stopAtLimit(work: CrawlWork): Promise<void> {
    return end(work, 'crawl-limit', sentenceOf('crawl-limit'))
  }

  /** A run that failed for good ends, so that its source says so and can be refreshed. What was read stays. */
  function giveUp(work: CrawlWork): Promise<void> {
    return end(work, 'failed', sentenceOf('crawl-failed'))
  }

  async function end(work: CrawlWork, cause: SourceCause, problem: Problem | null): Promise<void> {
    const refusals = await frontier.refusals(work)
    const over = await frontier.countOver(work)
    const now = new Date()
    await db.write(async (tx) => {
      const { source, runId, kind } = work
      const ofSource = eq(addresses.sourceId, source.id)
      await moveAddresses(tx, and(ofSource, isNotNull(addresses.crawledAt)), 'stopped', { nextFetchAt: null })
      if (cause === 'crawl-limit') {
        const why = { reason: 'crawl-limit', message: reasonText('crawl-limit'), nextFetchAt: null }
        await moveAddresses(tx, and(ofSource, eq(addresses.status, 'pending')), 'over-limit', why)
      }
      await moveAddresses(tx, ofSource, 'never-read', { nextFetchAt: null, reason: null, message: null })
      const ended = and(eq(runs.id, runId), isNull(runs.finishedAt))
      await tx
        .update(runs)
        .set({ finishedAt: now, refusals, ignored: atLeast(over) })
        .where(ended)
      const refreshed = kind === 'full' ? { refreshedAt: now } : {}
      await moveSource(tx, source.id, cause, {
        ...refreshed,
        reason: problem?.reason ?? null,
        message: problem?.message ?? null,
        pausedAt: null,
        refreshDueAt: nextRefresh(await intervalOf(source.id), now),
      })

      async function intervalOf(id: string) {
        const [row] = await tx.select({ interval: sources.refreshInterval }).from(sources).where(eq(sources.id, id))
        return row?.interval ?? 'never'
      }
    })
  }

  /** How the run stands: pages that are in, addresses over a limit, whether it could read no page, the first failure. */
  async function tally(work: CrawlWork) {
    const { source, runId } = work
    const kept = await db.read.$count(addresses, and(eq(addresses.sourceId, source.id), gt(addresses.fragments, 0)))
    const [run] = await db.read.select().from(runs).where(eq(runs.id, runId))
    const [failure] = await db.read
      .select({ reason: addresses.reason, message: addresses.message })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), eq(addresses.status, 'fail')))
      .orderBy(asc(addresses.depth), asc(addresses.createdAt))
      .limit(1)
    const firstFailure =
      failure?.reason && failure.message ? { reason: failure.reason as ReasonCode, message: failure.message } : null
    const foundNothing = run !== undefined && run.failed > 0 && run.fetched + run.unchanged === 0
    return { kept, ignored: Math.max(run?.ignored ?? 0, await frontier.countOver(work)), foundNothing, firstFailure }
  }

  async function knowsAny({ source }: CrawlWork): Promise<boolean> {
    return (await db.read.$count(addresses, eq(addresses.sourceId, source.id))) > 0
  }

  return { finish, cancel, stopAtLimit, giveUp }
}

/** Links of unchanged pages are not found again, so the run itself may have counted fewer. */
function atLeast(over: number) {
  return sql`case when ${runs.ignored} < ${sql.raw(String(over))} then ${sql.raw(String(over))} else ${runs.ignored} end`
}

function sentenceOf(reason: ReasonCode): Problem {
  return { reason, message: reasonText(reason) }
}
