import { sql } from 'drizzle-orm'
import { createdAt, id, index, integer, json, table, text, timestamp } from '../columns'
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
    /** Globs of paths; none includes all. */
    include: json<string[]>().notNull().default([]),
    exclude: json<string[]>().notNull().default([]),
    /** CSS selectors of what is the content of a page, and of what is none; none leave it to the page. */
    includeSelectors: json<string[]>().notNull().default([]),
    excludeSelectors: json<string[]>().notNull().default([]),
    /** Null: no limit of its own. */
    maxPages: integer(),
    /** Links away from the start; null: no limit of its own. */
    maxDepth: integer(),
    refreshInterval: text({ enum: ['never', 'daily', 'weekly', 'monthly'] })
      .notNull()
      .default('weekly'),
    /** When it is refreshed by itself; null while that is not planned. */
    refreshDueAt: timestamp(),
    /** Milliseconds between two requests; null for the installation's pace. */
    crawlDelayMs: integer(),
    /** Request headers for the source's own origin, sealed JSON. */
    sealedHeaders: text(),
    pausedAt: timestamp(),
    refreshedAt: timestamp(),
    createdBy: text(),
    createdAt: createdAt(),
    deletedAt: timestamp(),
  },
  (row) => [
    index('sources_collection_created').on(row.collectionId, row.createdAt),
    index('sources_refresh_due').on(row.refreshDueAt).where(sql`${row.refreshDueAt} is not null`),
  ],
)

/** One run of a source: what it did. */
export const runs = table(
  'runs',
  {
    id: id(),
    sourceId: text()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    /** 'full' finds and reads; 'discover' only finds; 'address' reads what a person asked for. */
    kind: text({ enum: ['full', 'discover', 'address'] })
      .notNull()
      .default('full'),
    startedAt: createdAt(),
    /** Its addresses are found; reading goes on from here after a restart. */
    discoveredAt: timestamp(),
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
    /** Fragments that got their vector. */
    embedded: integer().notNull().default(0),
    /** What the look for addresses met first: code and plain sentence. */
    reason: text(),
    message: text(),
    /** Number of addresses by kind and reason of exclusion: see `exclusionKey` in server/services/crawling/runs/run-stats.ts. */
    exclusions: json<Record<string, number>>().notNull().default({}),
  },
  (row) => [index('runs_source_started').on(row.sourceId, row.startedAt)],
)
