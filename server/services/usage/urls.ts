import { and, eq, gt, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'

/** Counts the addresses that count toward the plan's URL limit. */
export async function countUrls(queries: Queries, organizationId: string): Promise<number> {
  const visible = queries
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.organizationId, organizationId), isNull(sources.deletedAt)))
  return queries.$count(addresses, and(inArray(addresses.sourceId, visible), countsTowardLimit()))
}

/**
 * Condition on addresses that the limits of the plan and of a source count: those that are indexed or queued, without
 * those that an option, a person or a limit excludes, those that failed without text, and aliases of other addresses.
 */
export function countsTowardLimit(): SQL | undefined {
  const { reason } = addresses
  const isExcluded = sql`${reason} in ('excluded', 'over-depth', 'too-deep', 'trap', 'other-host', 'ignored')`
  const isAlias = sql`${reason} in ('redirected', 'canonical', 'duplicate', 'feed')`
  const isOwnPage = or(isNull(reason), sql`not (${isExcluded} or ${isAlias})`)
  const mayHaveText = or(ne(addresses.status, 'fail'), gt(addresses.fragments, 0))
  return and(ne(addresses.status, 'limit'), isOwnPage, mayHaveText)
}
