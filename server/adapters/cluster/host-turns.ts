import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import type { HostTurns } from '../../engine/ports/host-turns'
import { databaseNow } from './database-clock'

interface Deps {
  db: Database
  log: { warn(details: object, message: string): void }
}

/** A turn whose process is gone ends after this time. */
const leaseMs = 15_000
const takenRetryMs = 40
/** Rows of hosts that nobody asks any more. */
const maxIdleMs = 24 * 3_600_000

/** Turns in a table, each taken and ended by one statement. */
export function createHostTurns({ db, log }: Deps): HostTurns & { sweep(): Promise<void> } {
  const holder = crypto.randomUUID()
  const renewals = new Map<string, NodeJS.Timeout>()

  async function renew(host: string): Promise<void> {
    await db
      .writeOne((tx) =>
        tx.execute(sql`update host_turns set leased_until = ${databaseNow} + ${leaseMs}::int
        where host = ${host} and holder = ${holder}`),
      )
      .catch((error) => log.warn({ err: error }, 'The turn at a host could not be renewed.'))
  }

  return {
    async take(host) {
      const taken = await db.writeOne((tx) =>
        tx.execute(sql`insert into host_turns as h (host, holder, leased_until)
          values (${host}, ${holder}, ${databaseNow} + ${leaseMs}::int)
          on conflict (host) do update set holder = excluded.holder, leased_until = ${databaseNow} + ${leaseMs}::int
          where (h.holder is null or h.leased_until < ${databaseNow}) and h.starts_at <= ${databaseNow}
          returning host`),
      )
      if (taken.length > 0) {
        renewals.set(host, setInterval(() => void renew(host), leaseMs / 3).unref())
        return null
      }
      const [row] = await db.read.execute<{ wait: number; taken: boolean }>(
        sql`select starts_at - ${databaseNow} as wait, holder is not null and leased_until >= ${databaseNow} as taken
          from host_turns where host = ${host}`,
      )
      const waitMs = Math.max(1, row?.wait ?? 1)
      return row?.taken ? { reason: 'taken', waitMs: Math.max(takenRetryMs, waitMs) } : { reason: 'paused', waitMs }
    },

    async end(host, pauseMs) {
      clearInterval(renewals.get(host))
      renewals.delete(host)
      // Otherwise its lease ends it.
      await db
        .writeOne((tx) =>
          tx.execute(sql`update host_turns
          set holder = null, starts_at = greatest(starts_at, ${databaseNow} + ${Math.ceil(pauseMs)}::bigint)
          where host = ${host} and holder = ${holder}`),
        )
        .catch((error) => log.warn({ err: error }, 'The turn at a host could not be ended.'))
    },

    async sweep() {
      await db.writeOne((tx) =>
        tx.execute(sql`delete from host_turns
        where holder is null and starts_at < ${databaseNow} - ${maxIdleMs}::bigint`),
      )
    },
  }
}
