import { createdAt, integer, primaryKey, table, text, timestamp } from '../columns'
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
  /** Answers a day to callers with a key; null for no limit. */
  dailyMessages: integer(),
  /** The day (UTC, as 2026-01-31) whose messages are counted, and their number. */
  countedDay: text().notNull().default(''),
  countedMessages: integer().notNull().default(0),
  createdAt: createdAt(),
})

/** SHA-256 of public keys that were regenerated, so that the embed doctor recognizes pages that still have one. */
export const formerPublicKeys = table(
  'former_public_keys',
  {
    agentId: text()
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    keyHash: text().notNull(),
    retiredAt: timestamp().notNull(),
  },
  (row) => [primaryKey({ columns: [row.agentId, row.keyHash] })],
)

/** Origins that a public key has refused, so that an administrator can allow them. */
export const refusedOrigins = table(
  'refused_origins',
  {
    agentId: text()
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    origin: text().notNull(),
    count: integer().notNull(),
    lastAt: timestamp().notNull(),
  },
  (row) => [primaryKey({ columns: [row.agentId, row.origin] })],
)
