import { and, asc, eq, notInArray, sql } from 'drizzle-orm'
import { normalizeOrigin } from '../../../contract/organizations/keychain-fields'
import type { Database } from '../../../db/database'
import { refusedOrigins } from '../../../db/schema/keychains'

/** Maximum number of origins kept for an agent. */
const maxOrigins = 20
const maxOriginLength = 253

/**
 * Counts a call that a public key refused for its origin. Anybody can send any origin, so a new one replaces the
 * one that was refused longest ago.
 */
export async function recordRefusedOrigin(db: Database, agentId: string, origin: string): Promise<void> {
  if (origin.length > maxOriginLength || normalizeOrigin(origin) !== origin) return
  const lastAt = new Date()
  await db.writeAlone(agentId, async (tx) => {
    await tx
      .insert(refusedOrigins)
      .values({ agentId, origin, count: 1, lastAt })
      .onConflictDoUpdate({
        target: [refusedOrigins.agentId, refusedOrigins.origin],
        set: { count: sql`${refusedOrigins.count} + 1`, lastAt },
      })
    const condition = eq(refusedOrigins.agentId, agentId)
    const excess = (await tx.$count(refusedOrigins, condition)) - maxOrigins
    if (excess <= 0) return
    const oldest = await tx
      .select({ origin: refusedOrigins.origin })
      .from(refusedOrigins)
      .where(and(condition, notInArray(refusedOrigins.origin, [origin])))
      .orderBy(asc(refusedOrigins.lastAt))
      .limit(excess)
    for (const { origin: forgotten } of oldest)
      await tx.delete(refusedOrigins).where(and(condition, eq(refusedOrigins.origin, forgotten)))
  })
}
