import { sql } from 'drizzle-orm'
import { boolean, check, createdAt, id, index, integer, json, table, text, timestamp, uniqueIndex } from '../columns'
import { users } from './users'

export const organizations = table(
  'organizations',
  {
    id: id(),
    name: text().notNull(),
    entityName: text().notNull().default(''),
    defaultAgentProvider: text(),
    defaultAgentModel: text(),
    /** Sealed. */
    defaultAgentProviderKey: text(),
    /** SHA-256 (hex) of the key that a provider accepted last, of an agent or of the organization. */
    acceptedKeyHash: text(),
    /** Name of a row of `plans`, which is never deleted. */
    plan: text().notNull().default('free'),
    /** What visitors may use of a monthly limit on one day, in percent. */
    visitorDailyShare: integer().notNull().default(10),
    /** Days after which data is deleted; null for never. */
    threadDays: integer(),
    visitorDataDays: integer(),
    runDays: integer(),
    auditDays: integer().notNull().default(90),
    /** Whether a new thread over the plan's limit replaces the oldest one that a key began. */
    replacesOldThreads: boolean().notNull().default(false),
    /** Whether members with an account of the embedded provider have access only with a second factor. */
    requiresSecondFactor: boolean().notNull().default(false),
    onboarding: json<Record<string, unknown>>(),
    onboardedAt: timestamp(),
    createdBy: text().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    /** Nobody has access from this time on; a job deletes everything of it. */
    deletedAt: timestamp(),
  },
  (row) => [
    check('organizations_name_not_empty', sql`${row.name} <> ''`),
    index('organizations_created').on(row.createdAt, row.id),
    index('organizations_deleted').on(row.deletedAt).where(sql`${row.deletedAt} is not null`),
  ],
)

export const members = table(
  'members',
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: ['admin', 'member', 'viewer'] }).notNull(),
    createdAt: createdAt(),
  },
  (row) => [
    uniqueIndex('members_organization_user_unique').on(row.organizationId, row.userId),
    index('members_user').on(row.userId),
  ],
)

/** Pending invitations to organizations; an accepted or revoked one is deleted. */
export const invitations = table(
  'invitations',
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Trimmed, lower case, NFC. */
    email: text().notNull(),
    role: text({ enum: ['admin', 'member', 'viewer'] }).notNull(),
    /** SHA-256 of the token in the link. */
    tokenHash: text().notNull(),
    /** Sealed, so that an administrator can copy the link again. */
    token: text().notNull(),
    /** The state of the e-mail with the link; null if no mail server is configured. */
    mailStatus: text({ enum: ['queued', 'sent', 'failed'] }),
    createdBy: text().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    expiresAt: timestamp().notNull(),
  },
  (row) => [
    uniqueIndex('invitations_token_unique').on(row.tokenHash),
    uniqueIndex('invitations_organization_email_unique').on(row.organizationId, row.email),
    index('invitations_expires').on(row.expiresAt),
  ],
)
