import { and, eq, isNull } from 'drizzle-orm'
import type { ReasonCode } from '../../../contract/reasons'
import type { Queries } from '../../../db/database'
import type { addresses } from '../../../db/schema/addresses'
import { collections, runs, sources } from '../../../db/schema/collections'
import type { SourceRow } from '../source-rows/source-settings'
import { loadBoilerplate, type SourceBoilerplate } from './boilerplate'
import type { RunRow } from './runs'

export type AddressRow = typeof addresses.$inferSelect

/** A run in progress. */
export interface RunContext {
  runId: string
  kind: RunRow['kind']
  /** Whether discovery is over and the run only fetches. */
  isDiscovered: boolean
  source: SourceRow
  /** Of the source, as the last run detected it. */
  boilerplate: SourceBoilerplate
}

export interface DiscoveredAddress {
  url: string
  depth: number
  discoveredFrom: string
  /** From the sitemap, as in the file. */
  lastModified?: string | null
  /** From the sitemap or the linking page; BCP 47, lower case. */
  language?: string | null
  /** Why the crawler does not follow it; null and undefined leave the decision to the source's rules. */
  exclusion?: ReasonCode | null
  /** The address where it was discovered redirects to it or names it as canonical. */
  isTarget?: boolean
}

/** The run to continue; null where it is finished, or its source or collection is deleted. */
export async function loadRun(queries: Queries, sourceId: string, runId: string): Promise<RunContext | null> {
  const [found] = await queries
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
  const { source, run } = found
  const boilerplate = await loadBoilerplate(queries, sourceId)
  return { runId, kind: run.kind, isDiscovered: run.discoveredAt !== null, source, boilerplate }
}
