import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Database } from '../../../db/database'
import type { PointStore } from '../rate-limiter'

/** Points in a table that all processes share. */
export function createSharedPoints(db: Database): PointStore {
  const storeClient = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      return { rows: await db.writeOne((tx) => tx.execute(statement(text, values))) }
    },
  }
  return (options) =>
    new HashedKeys({
      ...options,
      storeClient,
      storeType: 'client',
      tableName: 'rate_points',
      tableCreated: true,
      clearExpiredByTimeout: false,
    })
}

/** The column of keys is limited, and addresses of people are not. */
class HashedKeys extends RateLimiterPostgres {
  override getKey(key: string): string {
    return super.getKey(createHash('sha256').update(key).digest('base64url'))
  }
}

/** A statement with $1, $2 and so on for its values. */
function statement(text: string, values: unknown[]): SQL {
  const parts = text.split(/\$(\d+)/)
  return sql.join(parts.map((part, n) => (n % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)))
}
