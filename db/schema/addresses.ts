import { sql } from 'drizzle-orm'
import { createdAt, id, index, integer, serial, table, text, timestamp, uniqueIndex } from '../columns'
import { collections, sources } from './collections'
import { organizations } from './organizations'

/** The frontier is this table: a row is the checkpoint of its address. */
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
    status: text({ enum: ['fail', 'new', 'pending', 'crawling', 'idle', 'limit'] }).notNull(),
    reason: text(),
    message: text(),
    /** How it stood when it was last put in line, for a run that ends before its turn; null where it never stood. */
    statusBefore: text({ enum: ['fail', 'new', 'idle', 'limit'] }),
    reasonBefore: text(),
    messageBefore: text(),
    httpStatusBefore: integer(),
    /**
     * The run that last put this address on its list; it is done in that run when it is not pending; null
     * where that run ended before its turn.
     */
    runId: text(),
    depth: integer().notNull().default(0),
    discoveredFrom: text(),
    /** The address that is read in place of this one: where it redirects to, its canonical one, or its twin. */
    canonicalUrl: text(),
    /** As its sitemap said when it was last listed. */
    sitemapModified: text(),
    /** When the page asks to be left out. */
    unavailableAfter: timestamp(),
    /** Since when a person leaves it out. */
    ignoredAt: timestamp(),
    httpStatus: integer(),
    contentType: text(),
    bytes: integer(),
    language: text(),
    metaTitle: text(),
    metaDescription: text(),
    etag: text(),
    lastModified: text(),
    /** When its text was published and last modified, as it says itself. */
    publishedAt: timestamp(),
    modifiedAt: timestamp(),
    /** SHA-256 of the extracted text: the judge of 'changed'. */
    textHash: text(),
    fragments: integer().notNull().default(0),
    /** How far the reading of a document is, in units of its own; null where none is under way. */
    readDone: integer(),
    readTotal: integer(),
    /** Fragments with larger keys belong to a document that is not stored to its end; null where there is none. */
    committedThroughKey: integer(),
    /** Failures in a row, of all runs. */
    failures: integer().notNull().default(0),
    /** How often it was tried in vain in its run. */
    attempts: integer().notNull().default(0),
    /** Looks in a row that found no page. */
    notFoundCount: integer().notNull().default(0),
    nextFetchAt: timestamp(),
    /** The last look that found a page, unchanged or not. */
    crawledAt: timestamp(),
    /** When its body was last read. */
    fetchedAt: timestamp(),
    /** The version that read it, as in `engine/reading-version.ts`. */
    extractorVersion: text(),
    /** When the text was last another one than before. */
    changedAt: timestamp(),
    updatedAt: createdAt(),
    createdAt: createdAt(),
  },
  (row) => [
    uniqueIndex('addresses_source_url_unique').on(row.sourceId, row.url),
    index('addresses_collection_created').on(row.collectionId, row.createdAt),
    index('addresses_source_status').on(row.sourceId, row.status, row.nextFetchAt),
    // The order in which a run takes its addresses.
    index('addresses_source_line').on(row.sourceId, row.status, row.depth, row.createdAt, row.id),
    // Addresses that gave the same text.
    index('addresses_source_text').on(row.sourceId, row.textHash, row.fragments),
    // All of a source, piece by piece.
    index('addresses_source_id').on(row.sourceId, row.id),
    // Why addresses are not in.
    index('addresses_collection_reason').on(row.collectionId, row.reason),
    // Those that are read in place of others.
    index('addresses_source_canonical').on(row.sourceId, row.canonicalUrl).where(sql`${row.canonicalUrl} is not null`),
  ],
)

export const fragments = table(
  'fragments',
  {
    /** The row's number in the word and vector indexes. */
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
    /** Headings over all of the text, joined by ' / '. */
    headings: text().notNull(),
    /** Headings inside of the text, likewise. */
    innerHeadings: text().notNull().default(''),
    text: text().notNull(),
    anchor: text(),
    /** Of title, headings and text: what an unchanged fragment is told by. */
    hash: text().notNull(),
    tokens: integer().notNull(),
    language: text().notNull().default(''),
    /** The model whose vector is stored; null while there is none. */
    vectorModel: text(),
    createdAt: createdAt(),
  },
  (row) => [
    uniqueIndex('fragments_id_unique').on(row.id),
    index('fragments_address').on(row.addressId, row.ordinal),
    // Which passages of an address are there already, and all of them piece by piece.
    index('fragments_address_hash').on(row.addressId, row.hash),
    index('fragments_collection_model').on(row.collectionId, row.vectorModel),
    index('fragments_source').on(row.sourceId),
    // Where a text has its vector already.
    index('fragments_organization_hash').on(row.organizationId, row.hash).where(sql`${row.vectorModel} is not null`),
  ],
)

/** Fragments whose words are not in the index: a version that indexes otherwise puts all of them here. */
export const textIndexBacklog = table('text_index_backlog', { key: integer().primaryKey() })
