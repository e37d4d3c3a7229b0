import { sql } from 'drizzle-orm'
import { boolean, bytes, createdAt, id, index, integer, json, table, text, timestamp, uniqueIndex } from '../columns'

/** The embedded provider in `users.issuer`. It does not depend on PUBLIC_URL, which may change. */
export const embeddedIssuer = 'embedded'

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
    /** When an account of the embedded provider got its first second factor; null without one. */
    secondFactorSince: timestamp(),
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
    /** Of the authenticator app; sealed. */
    totpSecret: text(),
    /** The 30-second step of the last code that was accepted, because each code works once. */
    totpStep: integer(),
    /** SHA-256 of the recovery codes that are left. */
    recoveryCodes: json<string[]>(),
    createdAt: createdAt(),
  },
  (row) => [uniqueIndex('accounts_email_unique').on(row.emailNormalized)],
)

/** Passkeys of accounts of the embedded provider. */
export const passkeys = table(
  'passkeys',
  {
    /** The credential's id, base64url. */
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** COSE. */
    publicKey: bytes().notNull(),
    /** Of uses, which a copied authenticator would repeat; 0 if the authenticator does not count. */
    counter: integer().notNull(),
    /** How browsers reach the authenticator, such as 'internal' and 'usb'. */
    transports: json<string[]>(),
    createdAt: createdAt(),
    lastUsedAt: timestamp(),
  },
  (row) => [index('passkeys_account').on(row.accountId)],
)

/** Who signed in when, and from which device. */
export const signIns = table(
  'sign_ins',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Separated by '+', such as 'pwd+otp'; null with an external provider. */
    method: text(),
    userAgent: text(),
    ip: text(),
    /** SHA-256 of the cookie that recognizes the browser. */
    device: text().notNull(),
    createdAt: createdAt(),
  },
  (row) => [index('sign_ins_user').on(row.userId, row.createdAt), index('sign_ins_created').on(row.createdAt)],
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
