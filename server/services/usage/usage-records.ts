import { setImmediate as nextTurn } from 'node:timers/promises'
import { desc, eq, isNull } from 'drizzle-orm'
import type { UsageRecord } from '../../../contract/views/organizations/organization'
import type { Database, Queries } from '../../../db/database'
import { organizations } from '../../../db/schema/organizations'
import { usage } from '../../../db/schema/usage'
import { currentUsage, totalsOf } from './current-usage'

/** Ten years. */
const maxMonths = 120

/** Keeps what each organization contained at the end of a month, next to what it used. */
export function createUsageRecords({ db }: { db: Database }) {
  /**
   * Records what all organizations contain now for the month (UTC) of `at`, in place of what was recorded before in that
   * month. What the last call of a month records stays.
   */
  async function record(time = new Date()): Promise<void> {
    const current = isNull(organizations.deletedAt)
    for (const { id } of await db.read.select({ id: organizations.id }).from(organizations).where(current)) {
      const totals = await totalsOf(db.read, id)
      const month = { organizationId: id, year: time.getUTCFullYear(), month: time.getUTCMonth() + 1 }
      await db.write(async (tx) => {
        // It may have been deleted since.
        if ((await tx.$count(organizations, eq(organizations.id, id))) === 0) return
        await tx
          .insert(usage)
          .values({ ...month, ...totals })
          .onConflictDoUpdate({ target: [usage.organizationId, usage.year, usage.month], set: totals })
      })
      // Requests go on between two organizations.
      await nextTurn()
    }
  }

  return { record }
}

/**
 * Lists the months of an organization, newest first. The month of `at` has the usage of now. Empty for a new organization
 * that has used nothing yet.
 */
export async function usageRecordsOf(
  queries: Queries,
  organizationId: string,
  time = new Date(),
): Promise<UsageRecord[]> {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth() + 1]
  const rows = await queries
    .select()
    .from(usage)
    .where(eq(usage.organizationId, organizationId))
    .orderBy(desc(usage.year), desc(usage.month))
    .limit(maxMonths)
  const earlier = rows.filter((row) => row.year < year || (row.year === year && row.month < month))
  const contained = await currentUsage(queries, organizationId, time)
  const thisMonth = rows.find((row) => row.year === year && row.month === month)
  const current = { ...contained, embedding_tokens: thisMonth?.embeddingTokens ?? 0 }
  // Whether zeros of this month have been recorded depends on the time alone, so they do not count.
  if (earlier.length === 0 && Object.values(current).every((used) => used === 0)) return []
  return [
    { year, month, ...current },
    ...earlier.map(({ organizationId: _, apiRequests, embeddingTokens, ...row }) => ({
      ...row,
      api_requests: apiRequests,
      embedding_tokens: embeddingTokens,
    })),
  ]
}
