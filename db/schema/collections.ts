import { sql } from 'drizzle-orm'
import { boolean, bytes, createdAt, id, index, integer, json, primaryKey, table, text, timestamp } from '../columns'
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
    /** Whether its name is the host of its first source, until a page says how the site calls itself. */
    isNamedByHost: boolean().notNull().default(false),
    agentModel: text(),
    agentPrompt: text(),
    /** The name of its embedding model; null for the default, until its first fragment is embedded. */
    embeddingModel: text(),
    /** Identity of the model of the vectors that searches compare; null while it has none. */
    vectorModel: text(),
    /** The set of vectors that searches compare. */
    vectorSlot: integer().$type<0 | 1>().notNull().default(0),
    createdBy: text(),
    createdAt: createdAt(),
    /** Hidden from this time on; a job deletes its rows. */
    deletedAt: timestamp(),
  },
  (row) => [
    index('collections_organization_created').on(row.organizationId, row.createdAt),
    index('collections_created').on(row.createdAt, row.id),
  ],
)

/** Icons of the sites that a collection is crawled from, by host. One without content has none, or was not found. */
export const siteIcons = table(
  'site_icons',
  {
    collectionId: text()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    /** With the port, unless it is that of the protocol. */
    host: text().notNull(),
    mediaType: text(),
    content: bytes(),
    /** When the site was asked for it. */
    checkedAt: timestamp().notNull(),
    createdAt: createdAt(),
  },
  (row) => [primaryKey({ columns: [row.collectionId, row.host] })],
)

/**
 * Changes of the embedding models of collections. A change builds a second set of vectors, in the order of the fragments'
 * keys. After the swap, or when it is cancelled, the set that is not in use is removed, and then the row.
 */
export const modelChanges = table('model_changes', {
  collectionId: text()
    .primaryKey()
    .references(() => collections.id, { onDelete: 'cascade' }),
  organizationId: text()
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' }),
  /** The name of the new model. */
  model: text().notNull(),
  /** Its identity; null before the first batch. */
  identity: text(),
  phase: text({ enum: ['building', 'paused', 'swapped', 'cancelled'] })
    .notNull()
    .default('building'),
  /** Fragments up to this key have a vector of the new model; after the swap, no vector of the former one. */
  throughKey: integer().notNull().default(0),
  /** Fragments that were embedded, and how long that took. */
  embedded: integer().notNull().default(0),
  activeMs: integer().notNull().default(0),
  /** Why it does not go on; null while it does. */
  message: text(),
  swappedAt: timestamp(),
  createdBy: text(),
  createdAt: createdAt(),
})

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
    /** Reason of the status, as a code and a sentence; null without one. */
    reason: text(),
    message: text(),
    url: text(),
    /** Path and query of the page that a domain starts with, before its front page; null for the front page. */
    startPath: text(),
    fileName: text(),
    /** Globs of paths; an empty list includes all. */
    include: json<string[]>().notNull().default([]),
    exclude: json<string[]>().notNull().default([]),
    /** CSS selectors of the content of a page, and of what to remove from it; empty lists detect it. */
    includeSelectors: json<string[]>().notNull().default([]),
    excludeSelectors: json<string[]>().notNull().default([]),
    /** Null for the limit of a run. */
    maxPages: integer(),
    /** Links from the start; null for no limit. */
    maxDepth: integer(),
    refreshInterval: text({ enum: ['never', 'daily', 'weekly', 'monthly'] })
      .notNull()
      .default('weekly'),
    /** The next scheduled refresh; null if none is scheduled. */
    refreshDueAt: timestamp(),
    /** Milliseconds between two requests; null for the installation's default. */
    crawlDelayMs: integer(),
    /** Request headers for the source's own origin, sealed JSON. */
    sealedHeaders: text(),
    pausedAt: timestamp(),
    /** Its fragments get no embeddings until a person resumes it. */
    indexingPausedAt: timestamp(),
    refreshedAt: timestamp(),
    createdBy: text(),
    createdAt: createdAt(),
    deletedAt: timestamp(),
  },
  (row) => [
    index('sources_collection_created').on(row.collectionId, row.createdAt),
    index('sources_created').on(row.createdAt, row.id),
    index('sources_creator').on(row.createdBy),
    index('sources_deleted').on(row.deletedAt).where(sql`${row.deletedAt} is not null`),
    index('sources_refresh_due').on(row.refreshDueAt).where(sql`${row.refreshDueAt} is not null`),
  ],
)

/** Runs of sources, with their reports. */
export const runs = table(
  'runs',
  {
    id: id(),
    sourceId: text()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    /** 'full' discovers and fetches; 'discover' only discovers; 'address' fetches the addresses that a person requested. */
    kind: text({ enum: ['full', 'discover', 'address'] })
      .notNull()
      .default('full'),
    startedAt: createdAt(),
    /** Discovery is complete; after a restart the run continues with fetching. */
    discoveredAt: timestamp(),
    finishedAt: timestamp(),
    cancelledAt: timestamp(),
    /** Raised by whoever executes the run: who finds another number has lost it. */
    epoch: integer().notNull().default(0),
    /** Addresses over a limit that were not stored. */
    ignored: integer().notNull().default(0),
    /** New fragments. */
    fragments: integer().notNull().default(0),
    /** Embedded fragments. */
    embedded: integer().notNull().default(0),
    /** The first problem of discovery, as a code and a sentence. */
    reason: text(),
    message: text(),
  },
  (row) => [index('runs_source_started').on(row.sourceId, row.startedAt)],
)
