import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, table, text } from '../columns'
import { organizations } from './organizations'

/** What an organization used in one month (UTC), where its limit is one of the month. */
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
  },
  (row) => [
    primaryKey({ columns: [row.organizationId, row.year, row.month] }),
    check('usage_crawls_not_negative', sql`${row.crawls} >= 0`),
  ],
)
