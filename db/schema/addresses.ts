import { sql } from 'drizzle-orm'
import {
  boolean,
  bytes,
  createdAt,
  id,
  index,
  integer,
  primaryKey,
  real,
  serial,
  table,
  text,
  timestamp,
  uniqueIndex,
} from '../columns'
import { collections, runs, sources } from './collections'
import { organizations } from './organizations'

/** What is known about the pages and files of a source. A row changes when a visit ends. */
export const addresses = table(
  'addresses',
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    collectionId: text()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    sourceId: text()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    status: text({ enum: ['fail', 'new', 'idle', 'limit'] }).notNull(),
    reason: text(),
    message: text(),
    depth: integer().notNull().default(0),
    discoveredFrom: text(),
    /** The address that replaces this one: its redirect target, canonical URL or duplicate. */
    canonicalUrl: text(),
    /** The lastmod of its sitemap when it was last listed. */
    sitemapModified: text(),
    /** Time from which the page must not be indexed. */
    unavailableAfter: timestamp(),
    /** When a person chose to ignore it. */
    ignoredAt: timestamp(),
    httpStatus: integer(),
    contentType: text(),
    bytes: integer(),
    language: text(),
    metaTitle: text(),
    metaDescription: text(),
    etag: text(),
    lastModified: text(),
    /** Identifies an uploaded file, its name, its type and the extractor: the same one is not read again. */
    fileIdentity: text(),
    /** When its text was published and last modified, by its own metadata. */
    publishedAt: timestamp(),
    modifiedAt: timestamp(),
    /** Names of the authors by its own metadata or byline, separated by commas; null without one. */
    author: text(),
    /** SHA-256 of the extracted text; a page has changed if this has. */
    textHash: text(),
    fragments: integer().notNull().default(0),
    /** Fragments with larger keys belong to a document that is not completely stored; null if there is none. */
    committedThroughKey: integer(),
    /** Consecutive failures, across runs. */
    failures: integer().notNull().default(0),
    /** Consecutive fetches that found no page. */
    notFoundCount: integer().notNull().default(0),
    /** The last fetch that found a page, changed or not. */
    crawledAt: timestamp(),
    /** When its body was last downloaded and read. */
    fetchedAt: timestamp(),
    /** The extractor that read it, as in `engine/ingest/extractor-version.ts`. */
    extractorVersion: text(),
    /** When the text last changed. */
    changedAt: timestamp(),
    updatedAt: createdAt(),
    createdAt: createdAt(),
  },
  (row) => [
    uniqueIndex('addresses_source_url_unique').on(row.sourceId, row.url),
    index('addresses_collection_created').on(row.collectionId, row.createdAt),
    // The back office lists all of them, and those of an organization.
    index('addresses_created').on(row.createdAt, row.id),
    index('addresses_organization_created').on(row.organizationId, row.createdAt, row.id),
    // The addresses of a source by the time of their discovery, without the rows.
    index('addresses_source_created').on(row.sourceId, row.createdAt, row.id),
    // Counts what the limits count, without the rows.
    index('addresses_source_counted').on(row.sourceId, row.status, row.reason, row.fragments),
    // Addresses with the same text.
    index('addresses_source_text').on(row.sourceId, row.textHash, row.fragments),
    // The addresses of a source, in pages.
    index('addresses_source_id').on(row.sourceId, row.id),
    // Counts by reason.
    index('addresses_collection_reason').on(row.collectionId, row.reason),
    index('addresses_collection_language').on(row.collectionId, row.language),
    // Addresses that stand for others.
    index('addresses_source_canonical').on(row.sourceId, row.canonicalUrl).where(sql`${row.canonicalUrl} is not null`),
  ],
)

/**
 * What a run does with an address. A visit is open until it has an outcome; a source has at most one open visit of an
 * address. Visits are deleted with their run.
 */
export const visits = table(
  'visits',
  {
    runId: text()
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    /** Id of the address. Not a reference: the visit outlives the address. */
    addressId: text().notNull(),
    sourceId: text().notNull(),
    url: text().notNull(),
    depth: integer().notNull(),
    /** When the address was discovered. With the depth, the order of a run. */
    foundAt: timestamp().notNull(),
    /** Whether the address counts toward the limits only because of this visit. */
    takesRoom: boolean().notNull().default(false),
    /** When it is due; null for at once. */
    dueAt: timestamp(),
    /** Attempts that failed. */
    attempts: integer().notNull().default(0),
    /** When the run claimed it, which counted as a crawl of that month; null while it waits. */
    claimedAt: timestamp(),
    /** The epoch of the run that claimed it. */
    epoch: integer(),
    /** Progress of reading a document, in units of its format; null if none is being read. */
    readDone: integer(),
    readTotal: integer(),
    /**
     * Null while the visit is open. 'replaced': another address has the text, or only the links count. 'failed': there
     * is nothing to index. 'withdrawn': the same, and the address lost the text that it had.
     */
    outcome: text({ enum: ['new', 'changed', 'unchanged', 'replaced', 'failed', 'withdrawn'] }),
    /** Reason of the outcome; of the last attempt while the visit is open. */
    reason: text(),
    message: text(),
    httpStatus: integer(),
    /** Size of the downloaded body; null if no text was read. */
    bytes: integer(),
  },
  (row) => [
    primaryKey({ columns: [row.runId, row.addressId] }),
    uniqueIndex('visits_open_unique').on(row.addressId).where(sql`${row.outcome} is null`),
    // The order in which a run fetches its addresses.
    index('visits_waiting')
      .on(row.runId, row.depth, row.foundAt, row.addressId, row.dueAt)
      .where(sql`${row.outcome} is null and ${row.claimedAt} is null`),
    index('visits_claimed')
      .on(row.sourceId, row.runId)
      .where(sql`${row.outcome} is null and ${row.claimedAt} is not null`),
    // The report of a run.
    index('visits_outcome').on(row.runId, row.outcome, row.reason, row.bytes),
    index('visits_taking_room').on(row.sourceId).where(sql`${row.outcome} is null and ${row.takesRoom}`),
  ],
)

/** How many visits of a run that is over ended how. */
export const runOutcomes = table(
  'run_outcomes',
  {
    runId: text()
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    /** Like `visits.outcome`. 'skipped': the run did not visit the address. */
    outcome: text({ enum: ['new', 'changed', 'unchanged', 'replaced', 'failed', 'withdrawn', 'skipped'] }).notNull(),
    /** '' without one. */
    reason: text().notNull(),
    count: integer().notNull(),
    /** Texts that were read. */
    fetched: integer().notNull(),
    bytes: integer().notNull(),
  },
  (row) => [primaryKey({ columns: [row.runId, row.outcome, row.reason] })],
)

export const fragments = table(
  'fragments',
  {
    /** The row's key in the text index and the vector index. */
    key: serial(),
    id: text()
      .notNull()
      .$defaultFn(() => crypto.randomUUID()),
    organizationId: text()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    collectionId: text()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    sourceId: text()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    addressId: text()
      .notNull()
      .references(() => addresses.id, { onDelete: 'cascade' }),
    ordinal: integer().notNull(),
    title: text().notNull(),
    /** Headings above all of the text, joined by ' / '. */
    headings: text().notNull(),
    /** Headings within the text, joined likewise. */
    innerHeadings: text().notNull().default(''),
    text: text().notNull(),
    anchor: text(),
    /** Hash of title, headings and text, which identifies an unchanged fragment. */
    hash: text().notNull(),
    tokens: integer().notNull(),
    language: text().notNull().default(''),
    /** The model of the stored vector; null without one. */
    vectorModel: text(),
    /** Tokens per word of the text in that model; null if it was not measured, or the text has no words. */
    tokensPerWord: real(),
    createdAt: createdAt(),
  },
  (row) => [
    uniqueIndex('fragments_id_unique').on(row.id),
    index('fragments_address').on(row.addressId, row.ordinal),
    // The fragments of an address by hash, and in pages.
    index('fragments_address_hash').on(row.addressId, row.hash),
    // The fragments of a collection with a vector, or without one, in the order of their keys.
    index('fragments_collection_model').on(row.collectionId, row.vectorModel, row.key),
    index('fragments_source').on(row.sourceId),
    // Fragments whose text has a vector already.
    index('fragments_organization_hash').on(row.organizationId, row.hash).where(sql`${row.vectorModel} is not null`),
  ],
)

/** Fragments to index; a migration that changes the text index adds all of them. */
export const textIndexBacklog = table('text_index_backlog', { key: integer().primaryKey() })

/** The blocks of a page, from which its fragments can be rebuilt without fetching it. */
export const addressBlocks = table(
  'address_blocks',
  {
    addressId: text()
      .primaryKey()
      .references(() => addresses.id, { onDelete: 'cascade' }),
    sourceId: text()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    /** Compressed JSON. */
    blocks: bytes().notNull(),
    /** Eight bytes of hash per block, in order, by which blocks are counted and compared. */
    hashes: bytes().notNull(),
    /** The boilerplate that its fragments were built without. */
    boilerplateSignature: text().notNull().default(''),
    /** The page nearest to the start, which keeps the blocks around its content. */
    isEntryPage: boolean().notNull().default(false),
  },
  (row) => [index('address_blocks_source').on(row.sourceId, row.addressId)],
)

/** Blocks that several pages of a source share. */
export const siteBlocks = table(
  'site_blocks',
  {
    sourceId: text()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    /** A hash of `hashes`, in hexadecimal. */
    hash: text().notNull(),
    /** The address whose fragments keep it. */
    addressId: text().notNull().default(''),
    /**
     * Whether the block is in the content of most pages, so that no page keeps it; otherwise it is around the content.
     */
    isRepeated: boolean().notNull().default(true),
  },
  (row) => [primaryKey({ columns: [row.sourceId, row.hash] })],
)
