import { createdAt, id, index, integer, table, text, uniqueIndex } from '../columns'
import { sources } from './collections'
import { organizations } from './organizations'

/** The file that a source of type file was made of; its bytes stand in the data folder under the row's id. */
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
    createdAt: createdAt(),
  },
  (row) => [uniqueIndex('files_source_unique').on(row.sourceId), index('files_organization').on(row.organizationId)],
)
