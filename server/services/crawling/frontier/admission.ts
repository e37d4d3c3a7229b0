import { and, eq, inArray, isNull, ne, or, type SQL } from 'drizzle-orm'
import type { ReasonCode } from '../../../../contract/reasons'
import { addresses } from '../../../../db/schema/addresses'
import { isSameSite, shapeExclusion } from '../../../engine/crawl/urls/urls'
import { crawlLimits } from '../../../engine/limits'
import type { SourceRow } from '../../sources/source-settings'
import type { RunContext } from '../runs/run-context'

/** Of addresses that are shown for their reason only. */
export const exclusionReasons = ['excluded', 'over-depth', 'too-deep', 'trap', 'other-host']

/** How many addresses of a source may be in, as far as the plan allows them. */
export function pageLimit({ maxPages }: Pick<SourceRow, 'maxPages'>): number {
  return Math.min(maxPages ?? crawlLimits.pagesPerRun, crawlLimits.pagesPerRun)
}

/** Known from runs before, and left out by nobody. */
export function fromEarlierRuns(runId: string): SQL | undefined {
  return and(or(isNull(addresses.runId), ne(addresses.runId, runId)), isNull(addresses.ignoredAt))
}

/** Shown for its reason only. */
export function isExcluded(): SQL | undefined {
  return or(eq(addresses.status, 'limit'), inArray(addresses.reason, exclusionReasons))
}

/** Why the source's options leave an address out; the front page of a domain is read for its links in any case. */
export function exclusionOf(
  { source }: Pick<RunContext, 'source'>,
  patterns: { admits(address: string): boolean },
  { url, depth }: { url: string; depth: number },
): ReasonCode | undefined {
  // Its one address is the name of its file.
  if (source.type === 'file') return undefined
  const isElsewhere = source.type !== 'url' && source.url !== null && !isSameSite(url, source.url)
  if (isElsewhere) return 'other-host'
  const shape = shapeExclusion(url)
  if (shape) return shape
  if (source.maxDepth !== null && depth > source.maxDepth) return 'over-depth'
  const isFront = source.type === 'domain' && url === source.url
  return isFront || patterns.admits(url) ? undefined : 'excluded'
}
