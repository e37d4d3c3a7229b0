import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { createdAt, id, index, integer, json, table, text, timestamp } from '../columns'
import { agents } from './agents'
import { organizations } from './organizations'

/** An id of 20 bytes. It begins with no hyphen, which a command line would read as an option. */
export function threadIdOf(bytes: Buffer): string {
  return bytes.toString('base64url').replace(/^-/, '_')
}

export const threads = table(
  'threads',
  {
    // A shared thread is protected by its id alone: about 160 random bits, where a UUID has 122.
    id: text()
      .primaryKey()
      .$defaultFn(() => threadIdOf(randomBytes(20))),
    organizationId: text()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Null once the agent is deleted. */
    agentId: text().references(() => agents.id, { onDelete: 'set null' }),
    /** The first line of the first question, cut to 80 characters. */
    title: text().notNull(),
    createdBy: text(),
    provider: text({ enum: ['openai', 'anthropic', 'gemini', 'deepseek'] }),
    providerThreadId: text(),
    publishedAt: timestamp(),
    metaOrigin: text(),
    metaIp: text(),
    metaUserAgent: text(),
    externalUserId: text(),
    externalUserEmail: text(),
    externalSessionId: text(),
    /** SHA-256 of the token that a visitor got who began the thread with a key; null for a person's thread. */
    visitorTokenHash: text(),
    createdAt: createdAt(),
  },
  (row) => [
    index('threads_organization_created').on(row.organizationId, row.createdAt),
    index('threads_agent_created').on(row.agentId, row.createdAt),
    index('threads_created').on(row.createdAt, row.id),
    index('threads_creator_created').on(row.createdBy, row.createdAt),
  ],
)

/** A copy of a cited fragment, which may have changed or been deleted since. */
export interface CitedFragment {
  id: string
  score: number
  url: string
  link: string
  title: string
  headings: string[]
  content: string
  /** Passage of a fragment that the answer cites; absent from older answers. */
  passage?: { text: string; highlights: [start: number, end: number][] }
}

/** A fragment that was found, and not used. */
export interface CandidateFragment {
  id: string
  url: string
  title: string
  score: number
  reason: 'below-threshold' | 'duplicate' | 'same-address' | 'over-limit' | 'over-budget'
}

export const messages = table(
  'messages',
  {
    id: id(),
    threadId: text()
      .notNull()
      .references(() => threads.id, { onDelete: 'cascade' }),
    role: text({ enum: ['user', 'agent', 'error'] }).notNull(),
    provider: text({ enum: ['openai', 'anthropic', 'gemini', 'deepseek'] }),
    model: text(),
    content: text().notNull(),
    status: integer().notNull(),
    statusMessage: text(),
    fragments: json<CitedFragment[]>()
      .notNull()
      .$defaultFn(() => []),
    candidates: json<CandidateFragment[]>()
      .notNull()
      .$defaultFn(() => []),
    /** Numbers of the cited fragments, in the order of the text. */
    cited: json<number[]>()
      .notNull()
      .$defaultFn(() => []),
    verdict: text({ enum: ['answered', 'partly', 'not-found'] }),
    searchQuery: text(),
    /** The question in the collection's language, which was searched as well. */
    translatedQuery: text(),
    tokensInput: integer(),
    tokensOutput: integer(),
    /** Milliseconds from the question to the end, to the end of the search, and to the first text. */
    timeProcessing: integer(),
    timeSearch: integer(),
    timeFirstText: integer(),
    /** A visitor's opinion of an answer. */
    feedback: text({ enum: ['up', 'down'] }),
    feedbackComment: text(),
    /** Time at which the claim of the process that answers the question expires; null without a pending answer. */
    leasedUntil: timestamp(),
    createdAt: createdAt(),
  },
  (row) => [
    index('messages_thread_created').on(row.threadId, row.createdAt),
    index('messages_leased').on(row.leasedUntil).where(sql`${row.leasedUntil} is not null`),
  ],
)
