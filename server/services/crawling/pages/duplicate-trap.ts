import { and, eq } from 'drizzle-orm'
import type { Queries } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { crawlLimits } from '../../../engine/limits'

/**
 * Whether a source has `crawlLimits.duplicateTextStreak` addresses with this text, so that the links of another one
 * are not worth following: filters, calendars and session ids lead to the same page without end.
 */
export async function isDuplicateTrap(queries: Queries, sourceId: string, textHash: string): Promise<boolean> {
  const rows = await queries
    .select({ id: addresses.id })
    .from(addresses)
    .where(and(eq(addresses.sourceId, sourceId), eq(addresses.textHash, textHash)))
    .limit(crawlLimits.duplicateTextStreak)
  return rows.length >= crawlLimits.duplicateTextStreak
}
