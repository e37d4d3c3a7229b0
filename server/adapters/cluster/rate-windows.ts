import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { databaseNow } from './database-clock'

interface RateWindowOptions {
  db: Database
  /** Distinguishes its keys from those of other windows. */
  name: string
  max: number
  windowMs: number
  log: { warn(details: object, message: string): void }
}

/** The sliding-window log of `createSlidingWindow`, in a table that all processes share. */
export function createSharedWindow({ db, name, max, windowMs, log }: RateWindowOptions) {
  const keyOf = (key: string) => `${name} ${key}`
  const recent = sql`array(select admitted from unnest(w.times) admitted where admitted > ${databaseNow} - ${windowMs}::bigint)`

  return {
    max,

    async take(key: string, limit = max) {
      const row = keyOf(key)
      const admitted = await db.writeOne((tx) =>
        tx.execute<{ used: number; reset: number }>(sql`insert into rate_windows as w (key, times, expires_at)
          values (${row}, array[${databaseNow}], ${databaseNow} + ${windowMs}::bigint)
          on conflict (key) do update set times = ${recent} || ${databaseNow}, expires_at = ${databaseNow} + ${windowMs}::bigint
          where cardinality(${recent}) < ${limit}::int
          returning cardinality(times) as used, times[1] + ${windowMs}::bigint - ${databaseNow} as reset`),
      )
      if (admitted[0]) return { waitMs: null, used: admitted[0].used, resetMs: Math.max(0, admitted[0].reset) }
      const [full] = await db.read.execute<{ used: number; reset: number }>(
        sql`select cardinality(${recent}) as used, (${recent})[1] + ${windowMs}::bigint - ${databaseNow} as reset
          from rate_windows w where key = ${row}`,
      )
      const resetMs = Math.max(1, full?.reset ?? 1)
      return { waitMs: resetMs, used: full?.used ?? limit, resetMs }
    },

    async refund(key: string): Promise<void> {
      await db
        .writeOne((tx) =>
          tx.execute(sql`update rate_windows
          set times = times[1:cardinality(times) - 1] where key = ${keyOf(key)}`),
        )
        .catch((error) => log.warn({ err: error }, 'A request could not be given back.'))
    },
  }
}

/** Deletes what counts toward no limit any more. */
export async function sweepRates(db: Database): Promise<void> {
  await db.writeOne((tx) => tx.execute(sql`delete from rate_windows where expires_at < ${databaseNow}`))
  await db.writeOne((tx) => tx.execute(sql`delete from rate_points where expire < ${databaseNow}`))
}
