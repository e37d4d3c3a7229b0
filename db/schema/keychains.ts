import { createdAt, integer, table, text } from '../columns'
import { agents } from './agents'
import { organizations } from './organizations'

/** The two keys of an agent. */
export const keychains = table('keychains', {
  agentId: text()
    .primaryKey()
    .references(() => agents.id, { onDelete: 'cascade' }),
  organizationId: text()
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' }),
  publicKey: text().notNull().unique(),
  /** SHA-256 of the private key, by which a call finds it. */
  privateKeyHash: text().notNull().unique(),
  /** Sealed. */
  privateKey: text().notNull(),
  /** Comma-separated; empty for any. */
  allowedIps: text().notNull().default(''),
  allowedOrigins: text().notNull().default(''),
  /** Requests a minute. */
  rateLimit: integer().notNull(),
  createdAt: createdAt(),
})
