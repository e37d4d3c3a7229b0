import { and, eq, sql } from 'drizzle-orm'
import type { Queries } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { crawlLimits } from '../engine/limits'

/**
 * Filters and calendars name themselves without end, in their query. Once a text was met under one path so often
 * (`crawlLimits.sameTextStreak`), its links to more of that path are left out.
 */
export async function withoutTrap<Link extends { url: string }>(
  queries: Queries,
  page: { url: string; sourceId: string },
  textHash: string,
  links: Link[],
): Promise<Link[]> {
  const branch = branchOf(page.url)
  const others = links.filter((link) => branchOf(link.url) !== branch)
  if (others.length === links.length) return links
  const sameText = await queries
    .select({ id: addresses.id })
    .from(addresses)
    .where(
      and(
        eq(addresses.sourceId, page.sourceId),
        eq(addresses.textHash, textHash),
        sql`substr(${addresses.url}, 1, ${sql.raw(String(branch.length))}) = ${branch}`,
      ),
    )
    .limit(crawlLimits.sameTextStreak)
  return sameText.length < crawlLimits.sameTextStreak ? links : others
}

/** An address up to its query, question mark included; of one without a query what those with one would start with. */
function branchOf(url: string): string {
  return `${url.split('?', 1)[0]}?`
}
