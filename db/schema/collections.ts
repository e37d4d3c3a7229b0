import { createdAt, id, index, integer, table, text, timestamp } from '../columns'
import { organizations } from './organizations'

export const collections = table(
  'collections',
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text().notNull().default(''),
    agentModel: text(),
    agentPrompt: text(),
    createdBy: text(),
    createdAt: createdAt(),
    /** Hidden from then on; its rows are swept by a job. */
    deletedAt: timestamp(),
  },
  (row) => [index('collections_organization_created').on(row.organizationId, row.createdAt)],
)

export const sources = table(
  'sources',
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    collectionId: text()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    type: text({ enum: ['sitemap', 'file', 'url', 'domain'] }).notNull(),
    name: text().notNull(),
    status: text({ enum: ['fail', 'new', 'processing', 'crawling', 'idle', 'crawl-limit', 'url-limit'] }).notNull(),
    /** Reason code and plain sentence for the status, when there is one. */
    reason: text(),
    message: text(),
    url: text(),
    fileName: text(),
    refreshedAt: timestamp(),
    createdBy: text(),
    createdAt: createdAt(),
    deletedAt: timestamp(),
  },
  (row) => [index('sources_collection_created').on(row.collectionId, row.createdAt)],
)

/** One run of a source: what it did. */
export const runs = table(
  'runs',
  {
    id: id(),
    sourceId: text()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    startedAt: createdAt(),
    finishedAt: timestamp(),
    cancelledAt: timestamp(),
    checked: integer().notNull().default(0),
    fetched: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    changed: integer().notNull().default(0),
    new: integer().notNull().default(0),
    withdrawn: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    ignored: integer().notNull().default(0),
    bytes: integer().notNull().default(0),
    fragments: integer().notNull().default(0),
  },
  (row) => [index('runs_source_started').on(row.sourceId, row.startedAt)],
)
