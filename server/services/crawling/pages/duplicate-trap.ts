import { and, eq } from 'drizzle-orm'
import type { Queries } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { crawlLimits } from '../../../engine/limits'

/**
 * Filters, calendars and session ids name the same page without end. Where a text was met so often in a source
 * (`crawlLimits.sameTextStreak`), the links of another page with it lead nowhere new.
 */
export async function isDuplicateTrap(queries: Queries, sourceId: string, textHash: string): Promise<boolean> {
  const rows = await queries
    .select({ id: addresses.id })
    .from(addresses)
    .where(and(eq(addresses.sourceId, sourceId), eq(addresses.textHash, textHash)))
    .limit(crawlLimits.duplicateTextStreak)
  return rows.length >= crawlLimits.duplicateTextStreak
}
