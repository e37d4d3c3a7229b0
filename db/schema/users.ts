import { sql } from 'drizzle-orm'
import { boolean, createdAt, id, index, integer, table, text, timestamp, uniqueIndex } from '../columns'

/** A person as the product knows them, whichever provider signs them in. */
export const users = table(
  'users',
  {
    id: id(),
    email: text().notNull(),
    /** Trimmed, lower case, NFC: SQLite's lower() knows ASCII only. */
    emailNormalized: text().notNull(),
    name: text(),
    surname: text(),
    picture: text(),
    /** Who vouches for the person, and by which name: the contract's auth0_id is the subject. */
    issuer: text().notNull(),
    subject: text().notNull(),
    /** 1 is a platform administrator. */
    type: integer().notNull().default(0),
    /** Access tokens of our own issuer that are older are refused; a password reset sets it. */
    tokensValidFrom: timestamp(),
    createdAt: createdAt(),
  },
  (row) => [
    uniqueIndex('users_email_unique').on(row.emailNormalized),
    uniqueIndex('users_subject_unique').on(row.issuer, row.subject),
  ],
)

/** Who can sign in with the embedded provider. */
export const accounts = table(
  'accounts',
  {
    id: id(),
    email: text().notNull(),
    emailNormalized: text().notNull(),
    /** argon2id, in its own encoded form. */
    passwordHash: text().notNull(),
    name: text(),
    surname: text(),
    emailVerified: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (row) => [uniqueIndex('accounts_email_unique').on(row.emailNormalized)],
)

/** Sessions of people in the browser; `id` is the SHA-256 of the cookie's token. */
export const sessions = table(
  'sessions',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The organization chosen in this browser. */
    organizationId: text(),
    /** Handed back to the provider at sign-out; sealed. */
    idToken: text(),
    createdAt: createdAt(),
    expiresAt: timestamp().notNull(),
  },
  (row) => [index('sessions_user').on(row.userId), index('sessions_expires').on(row.expiresAt)],
)

/** Links that work once: the set-up of the first account, a new password. */
export const links = table(
  'links',
  {
    /** SHA-256 of the token in the link. */
    id: text().primaryKey(),
    purpose: text({ enum: ['setup', 'reset', 'invitation'] }).notNull(),
    /** For reset and invitation: whose address. */
    email: text(),
    createdAt: createdAt(),
    expiresAt: timestamp().notNull(),
    usedAt: timestamp(),
  },
  (row) => [index('links_purpose').on(row.purpose).where(sql`${row.usedAt} is null`)],
)

/** What the embedded provider keeps: grants, codes, tokens, its own sessions. */
export const oidcPayloads = table(
  'oidc_payloads',
  {
    /** Model name, ':' and the id the model gave. */
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
