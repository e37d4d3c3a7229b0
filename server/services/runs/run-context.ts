import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ReasonCode } from '../../../contract/reasons'
import type { Database, LockScope, Transaction } from '../../../db/database'
import type { addresses } from '../../../db/schema/addresses'
import { collections, runs, sources } from '../../../db/schema/collections'
import { createCookies } from '../../engine/crawl/fetch/cookies'
import type { Cookies } from '../../engine/ports/fetcher'
import type { SourceRow } from '../source-rows/source-settings'
import { loadBoilerplate, type SourceBoilerplate } from './boilerplate'
import type { RunRow } from './runs'

export type AddressRow = typeof addresses.$inferSelect

/** A run in progress. */
export interface RunContext {
  runId: string
  /** Grows each time a process takes the run. */
  epoch: number
  kind: RunRow['kind']
  /** Whether discovery is over and the run only fetches. */
  isDiscovered: boolean
  source: SourceRow
  /** Boilerplate of the source, as the last run detected it. */
  boilerplate: SourceBoilerplate
  cookies: Cookies
  /** Its writes throw RunTaken once another process has taken the run. */
  db: Database
}

export interface DiscoveredAddress {
  url: string
  depth: number
  discoveredFrom: string
  /** Text of `lastmod` in the sitemap, as in the file. */
  lastModified?: string | null
  /** Language from the sitemap or the linking page; BCP 47, lower case. */
  language?: string | null
  /** Why the crawler does not follow it; null and undefined leave the decision to the source's rules. */
  exclusion?: ReasonCode | null
  /** The address where it was discovered redirects to it or names it as canonical. */
  isTarget?: boolean
}

/** A process writes for a run that another process has taken meanwhile: it was stopped, or starved, beyond its lease. */
export class RunTaken extends Error {
  override readonly name = 'RunTaken'
  constructor(readonly runId: string) {
    super(`Another process has taken run ${runId}.`)
  }
}

/**
 * Takes a run, to continue it: from then on, whoever had it writes nothing more. Null where it is finished, or its source
 * or collection is deleted.
 */
export async function takeRun(db: Database, sourceId: string, runId: string): Promise<RunContext | null> {
  const taken = await db.writeAlone(sourceId, async (tx) => {
    const [found] = await tx
      .select({ source: sources, run: runs })
      .from(runs)
      .innerJoin(sources, eq(sources.id, runs.sourceId))
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .where(
        and(
          eq(runs.id, runId),
          eq(sources.id, sourceId),
          isNull(sources.deletedAt),
          isNull(collections.deletedAt),
          isNull(runs.finishedAt),
        ),
      )
    if (!found) return null
    const epoch = found.run.epoch + 1
    await tx
      .update(runs)
      .set({ epoch: sql`${runs.epoch} + 1` })
      .where(eq(runs.id, runId))
    return { ...found, epoch }
  })
  if (!taken) return null
  const { source, run, epoch } = taken
  const boilerplate = await loadBoilerplate(db.read, sourceId)
  const isDiscovered = run.discoveredAt !== null
  const { kind } = run
  return {
    runId,
    epoch,
    kind,
    isDiscovered,
    source,
    boilerplate,
    cookies: createCookies(),
    db: fenced(db, { sourceId, runId, epoch }),
  }
}

/** A database whose writes are those of one holder of the run. They are alone in the source, as the change of its holder is. */
function fenced(
  db: Database,
  { sourceId, runId, epoch }: { sourceId: string; runId: string; epoch: number },
): Database {
  function writeAlone<Result>(scope: LockScope, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return db.writeAlone([sourceId, ...[scope].flat()], async (tx) => {
      const [run] = await tx.select({ epoch: runs.epoch }).from(runs).where(eq(runs.id, runId))
      if (run?.epoch !== epoch) throw new RunTaken(runId)
      return work(tx)
    })
  }
  const write = <Result>(work: (tx: Transaction) => Promise<Result>) => writeAlone([], work)
  return { ...db, write, writeAlone, writeOne: write }
}
