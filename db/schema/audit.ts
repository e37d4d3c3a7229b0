import { createdAt, index, json, serial, table, text } from '../columns'

/**
 * Who did what. Rows refer to nothing, because they outlive what they name: the people, the things and the organization,
 * which is null for actions on the whole installation.
 */
export const auditEvents = table(
  'audit_events',
  {
    id: serial(),
    organizationId: text(),
    actorKind: text({ enum: ['person', 'key', 'visitor', 'command-line', 'schedule'] }).notNull(),
    actorId: text(),
    actorEmail: text(),
    action: text().notNull(),
    subjectId: text().notNull(),
    subjectName: text().notNull(),
    changes: json<{ field: string; from?: string | undefined; to?: string | undefined }[]>().notNull(),
    createdAt: createdAt(),
  },
  (row) => [
    index('audit_events_organization').on(row.organizationId, row.id),
    index('audit_events_created').on(row.createdAt),
  ],
)
