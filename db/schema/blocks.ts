import { boolean, bytes, index, primaryKey, table, text } from '../columns'
import { addresses } from './addresses'
import { sources } from './collections'

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
