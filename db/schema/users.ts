import { sql } from 'drizzle-orm'
import { boolean, bytes, createdAt, id, index, integer, table, text, timestamp, uniqueIndex } from '../columns'

/** A person, whichever provider signs them in. */
export const users = table(
  'users',
  {
    id: id(),
    email: text().notNull(),
    /** Trimmed, lower case, NFC. Normalized here because SQLite's lower() handles ASCII only. */
    emailNormalized: text().notNull(),
    name: text(),
    surname: text(),
    /** Version of the person's row in `pictures`; null without a picture. */
    pictureVersion: text(),
    /** Issuer and subject of the identity; the subject is the contract's auth0_id. */
    issuer: text().notNull(),
    subject: text().notNull(),
    /** 1 is a platform administrator. */
    type: integer().notNull().default(0),
    /** Access tokens issued before this time by the embedded provider are rejected; a password reset sets it. */
    tokensValidFrom: timestamp(),
    /** Whether the person gets mails about what needs attention, where they administer something. */
    wantsNotices: boolean().notNull().default(true),
    createdAt: createdAt(),
  },
  (row) => [
    uniqueIndex('users_email_unique').on(row.emailNormalized),
    uniqueIndex('users_subject_unique').on(row.issuer, row.subject),
    index('users_created').on(row.createdAt, row.id),
  ],
)

/** Accounts of the embedded provider. */
export const accounts = table(
  'accounts',
  {
    id: id(),
    email: text().notNull(),
    emailNormalized: text().notNull(),
    /** argon2id, encoded. */
    passwordHash: text().notNull(),
    name: text(),
    surname: text(),
    emailVerified: boolean().notNull().default(false),
    /** A new address that has not confirmed the change yet. */
    pendingEmail: text(),
    /** SHA-256 of the token in the link to the new address. */
    pendingEmailToken: text(),
    pendingEmailExpiresAt: timestamp(),
    createdAt: createdAt(),
  },
  (row) => [uniqueIndex('accounts_email_unique').on(row.emailNormalized)],
)

/** Browser sessions; `id` is the SHA-256 of the cookie's token. */
export const sessions = table(
  'sessions',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The selected organization. */
    organizationId: text(),
    /** Sent to the provider at sign-out; sealed. */
    idToken: text(),
    /** The session of the embedded provider in the same browser; null with an external one. */
    providerSession: text(),
    userAgent: text(),
    ip: text(),
    createdAt: createdAt(),
    /** Written at most once a minute. */
    lastSeenAt: createdAt(),
    expiresAt: timestamp().notNull(),
  },
  (row) => [index('sessions_user').on(row.userId), index('sessions_expires').on(row.expiresAt)],
)

/** Single-use links: set-up of the first account, password reset, invitation, verification of an e-mail address. */
export const links = table(
  'links',
  {
    /** SHA-256 of the token in the link. */
    id: text().primaryKey(),
    purpose: text({ enum: ['setup', 'reset', 'invitation', 'verification'] }).notNull(),
    /** The recipient; null for the set-up. */
    email: text(),
    createdAt: createdAt(),
    expiresAt: timestamp().notNull(),
    usedAt: timestamp(),
  },
  (row) => [index('links_purpose').on(row.purpose).where(sql`${row.usedAt} is null`)],
)

/** Storage of the embedded provider: grants, codes, tokens and its sessions. */
export const oidcPayloads = table(
  'oidc_payloads',
  {
    /** Model name, ':' and the model's id. */
    id: text().primaryKey(),
    model: text().notNull(),
    payload: text().notNull(),
    grantId: text(),
    userCode: text(),
    uid: text(),
    expiresAt: timestamp(),
    consumedAt: timestamp(),
  },
  (row) => [
    index('oidc_payloads_grant').on(row.grantId),
    index('oidc_payloads_uid').on(row.model, row.uid),
    index('oidc_payloads_expires').on(row.expiresAt, row.model),
  ],
)

/** Pictures of people. Served by the product itself, so that no page loads anything from another host. */
export const pictures = table('pictures', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** A sign-in replaces a picture of the provider, never one that the person chose or removed. */
  origin: text({ enum: ['provider', 'person'] }).notNull(),
  mediaType: text(),
  /** Null if the person removed the picture. */
  content: bytes(),
})
