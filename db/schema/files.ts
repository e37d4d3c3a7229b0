import { boolean, createdAt, id, index, integer, table, text, uniqueIndex } from '../columns'
import { sources } from './collections'
import { organizations } from './organizations'

/** Files that sources of type file are made of; their bytes stand in the data folder under the rows' ids. */
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
    /** As the person called it; never part of a path. */
    name: text().notNull(),
    type: text({ enum: ['txt', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv'] }).notNull(),
    bytes: integer().notNull(),
    sha256: text().notNull(),
    /** To take the place of the source's other file as soon as it was read. */
    isWaiting: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (row) => [
    uniqueIndex('files_source_place_unique').on(row.sourceId, row.isWaiting),
    index('files_organization').on(row.organizationId),
  ],
)
