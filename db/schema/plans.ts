import { sql } from 'drizzle-orm'
import { check, integer, table, text } from '../columns'

const limits = [
  'collections',
  'sources',
  'urls',
  'crawls',
  'agents',
  'threads',
  'messages',
  'searches',
  'apiRequests',
  'storage',
] as const

/** What organizations may contain and use. 0 means unlimited. */
export const plans = table(
  'plans',
  {
    name: text().primaryKey(),
    displayName: text().notNull(),
    collections: integer().notNull().default(0),
    sources: integer().notNull().default(0),
    urls: integer().notNull().default(0),
    /** Per month (UTC), like `messages`, `searches` and `apiRequests`. */
    crawls: integer().notNull().default(0),
    agents: integer().notNull().default(0),
    threads: integer().notNull().default(0),
    messages: integer().notNull().default(0),
    searches: integer().notNull().default(0),
    apiRequests: integer().notNull().default(0),
    /** Bytes. */
    storage: integer().notNull().default(0),
  },
  (row) => limits.map((limit) => check(`plans_${limit.toLowerCase()}_not_negative`, sql`${row[limit]} >= 0`)),
)
