import { boolean, createdAt, id, index, integer, table, text, uniqueIndex } from '../columns'
import { sources } from './collections'
import { organizations } from './organizations'

/** Files of sources of type file. The data folder has their bytes, named by id. */
export const files = table(
  'files',
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    sourceId: text()
      .notNull()
      .references(() => sources.id, { onDelete: 'cascade' }),
    /** The uploaded name; never part of a path. */
    name: text().notNull(),
    type: text({ enum: ['txt', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv', 'md', 'html', 'pptx'] }).notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    /** Replaces the source's other file once it has been read. */
    isWaiting: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (row) => [
    uniqueIndex('files_source_place_unique').on(row.sourceId, row.isWaiting),
    index('files_organization').on(row.organizationId),
  ],
)
