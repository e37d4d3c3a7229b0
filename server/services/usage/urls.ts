import { and, eq, gt, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { addresses, visits } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'

/** Counts the addresses that count toward the plan's URL limit. */
export async function countUrls(queries: Queries, organizationId: string): Promise<number> {
  const visible = queries
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.organizationId, organizationId), isNull(sources.deletedAt)))
  const counted = await queries.$count(addresses, and(inArray(addresses.sourceId, visible), countsTowardLimit()))
  return counted + (await queries.$count(visits, and(inArray(visits.sourceId, visible), takesRoom())))
}

/** Counts the addresses of a source that count toward its limit and the plan's. */
export async function countUrlsOfSource(queries: Queries, sourceId: string): Promise<number> {
  const counted = await queries.$count(addresses, and(eq(addresses.sourceId, sourceId), countsTowardLimit()))
  return counted + (await queries.$count(visits, and(eq(visits.sourceId, sourceId), takesRoom())))
}

/** Open visits of addresses that count only while they are visited. */
function takesRoom(): SQL | undefined {
  // As the partial index has it.
  return and(isNull(visits.outcome), sql`${visits.takesRoom}`)
}

/**
 * Condition on addresses that the limits of the plan and of a source count: those that are indexed or new, without those
 * that an option, a person or a limit excludes, those that failed without text, and aliases of other addresses.
 */
export function countsTowardLimit(): SQL | undefined {
  const { reason } = addresses
  const isExcluded = sql`${reason} in ('excluded', 'over-depth', 'too-deep', 'trap', 'other-host', 'ignored')`
  const isAlias = sql`${reason} in ('redirected', 'canonical', 'duplicate', 'feed', 'link-list')`
  const isOwnPage = or(isNull(reason), sql`not (${isExcluded} or ${isAlias})`)
  const mayHaveText = or(ne(addresses.status, 'fail'), gt(addresses.fragments, 0))
  return and(ne(addresses.status, 'limit'), isOwnPage, mayHaveText)
}
