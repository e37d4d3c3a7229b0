import { createdAt, id, index, table, text, timestamp } from '../columns'
import { organizations } from './organizations'
import { users } from './users'

/** Personal access tokens for /v1. A revoked one is deleted. */
export const accessTokens = table(
  'access_tokens',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** SHA-256 of the token. */
    tokenHash: text().notNull().unique(),
    /** The highest role that the token has in any organization; null for the person's own. */
    role: text({ enum: ['admin', 'member', 'viewer'] }),
    /** The only organization that the token reaches; null for all of the person's. */
    organizationId: text().references(() => organizations.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    expiresAt: timestamp().notNull(),
    /** Written at most once a minute. */
    lastUsedAt: timestamp(),
  },
  (row) => [
    index('access_tokens_user').on(row.userId),
    index('access_tokens_organization').on(row.organizationId),
    index('access_tokens_expires').on(row.expiresAt),
  ],
)
