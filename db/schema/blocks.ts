import { boolean, bytes, index, primaryKey, table, text } from '../columns'
import { addresses } from './addresses'
import { sources } from './collections'

/** What an address was cut from: kept, so that its fragments can be made anew without asking the site. */
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
    /** Eight bytes for each block, in its order: by them blocks are counted and compared. */
    hashes: bytes().notNull(),
    /** What was the site's when its fragments were cut; see `shareOf`. */
    boilerplateSignature: text().notNull().default(''),
    /** Nearest to the start: it keeps all that stands around it. */
    isEntryPage: boolean().notNull().default(false),
  },
  (row) => [index('address_blocks_source').on(row.sourceId, row.addressId)],
)

/** Blocks that pages of a source have in common. */
export const siteBlocks = table(
  'site_blocks',
  {
    sourceId: text()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    /** As in the addresses' `hashes`, in hexadecimal. */
    hash: text().notNull(),
    /** The address that keeps it for all. */
    addressId: text().notNull().default(''),
    /** Content of most pages, with which none is cut; the others stand around pages. */
    isRepeated: boolean().notNull().default(true),
  },
  (row) => [primaryKey({ columns: [row.sourceId, row.hash] })],
)
