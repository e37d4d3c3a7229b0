import { createdAt, index, primaryKey, table, text, timestamp } from '../columns'
import { organizations } from './organizations'

/** What people should look at, as long as it lasts. */
export const notices = table(
  'notices',
  {
    /** Kind and subject: there is one of each. */
    key: text().primaryKey(),
    /** Null for the installation, which is its operators' matter. */
    organizationId: text().references(() => organizations.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    title: text().notNull(),
    text: text().notNull(),
    /** Path of the page to go to. */
    path: text().notNull(),
    createdAt: createdAt(),
    mailedAt: timestamp(),
  },
  (row) => [index('notices_organization').on(row.organizationId, row.createdAt)],
)

/** When the last mail about a kind of notice went to the people of an organization, '' for the operators. */
export const noticeMails = table(
  'notice_mails',
  { organizationId: text().notNull(), kind: text().notNull(), sentAt: timestamp().notNull() },
  (row) => [primaryKey({ columns: [row.organizationId, row.kind] })],
)
