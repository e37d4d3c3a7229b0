import { asc, count, sql } from 'drizzle-orm'
import type { GrowthPoint } from '../../../contract/views/admin'
import type { Database } from '../../../db/database'
import { users } from '../../../db/schema/users'
import type { Actor } from '../../actor'
import { assertStaff } from '../../policy'

const dayMs = 86_400_000

export function createUserGrowth({ db }: { db: Database }) {
  /** Counts the users by the day (UTC) on which they registered, the first day first. Leaves out days without any. */
  return async function userGrowth(actor: Actor): Promise<GrowthPoint[]> {
    assertStaff(actor)
    // Both engines divide integers to integers. The number is written out, because SQLite binds parameters as doubles.
    const day = sql<number>`${users.createdAt} / 86400000`
    const rows = await db.read.select({ day, many: count() }).from(users).groupBy(day).orderBy(asc(day))
    return rows.map((row) => ({ date: new Date(Number(row.day) * dayMs).toISOString().slice(0, 10), count: row.many }))
  }
}
