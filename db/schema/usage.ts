import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, table, text } from '../columns'
import { organizations } from './organizations'

/** What an organization used in one month (UTC). */
export const usage = table(
  'usage',
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    year: integer().notNull(),
    /** 1 to 12. */
    month: integer().notNull(),
    crawls: integer().notNull().default(0),
    /** Questions. */
    messages: integer().notNull().default(0),
    /** Retrievals without a model. */
    searches: integer().notNull().default(0),
    /** Calls under /v1 with an access token or a key. */
    apiRequests: integer().notNull().default(0),
    /** Tokens that a service has embedded. */
    embeddingTokens: integer().notNull().default(0),
    /** What it contained when the month was last recorded, like `sources` to `storage`. */
    collections: integer().notNull().default(0),
    sources: integer().notNull().default(0),
    urls: integer().notNull().default(0),
    agents: integer().notNull().default(0),
    threads: integer().notNull().default(0),
    /** Bytes. */
    storage: integer().notNull().default(0),
  },
  (row) => [
    primaryKey({ columns: [row.organizationId, row.year, row.month] }),
    check('usage_crawls_not_negative', sql`${row.crawls} >= 0`),
    check('usage_messages_not_negative', sql`${row.messages} >= 0`),
    check('usage_searches_not_negative', sql`${row.searches} >= 0`),
    check('usage_api_requests_not_negative', sql`${row.apiRequests} >= 0`),
  ],
)

/** What the visitors of an organization, who call with a public key, used on one day (UTC, as 2026-01-31). */
export const visitorUsage = table('visitor_usage', {
  organizationId: text()
    .primaryKey()
    .references(() => organizations.id, { onDelete: 'cascade' }),
  day: text().notNull(),
  messages: integer().notNull(),
  searches: integer().notNull(),
  apiRequests: integer().notNull(),
})
