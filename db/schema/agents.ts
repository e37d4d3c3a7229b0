import { boolean, bytes, createdAt, id, index, integer, json, real, table, text, timestamp } from '../columns'
import { collections } from './collections'
import { organizations } from './organizations'

export const agents = table(
  'agents',
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    collectionId: text().references(() => collections.id, { onDelete: 'set null' }),
    name: text().notNull(),
    description: text().notNull().default(''),
    provider: text({ enum: ['openai', 'anthropic', 'gemini', 'deepseek'] }),
    /** Sealed. */
    providerKey: text(),
    /** Whether the organization's default key is used if the agent has none of its own. */
    usesOrganizationKey: boolean().notNull().default(false),
    /** SHA-256 (hex) of the key that the provider rejected, wherever it came from; another key is not affected. */
    refusedKeyHash: text(),
    model: text(),
    prompt: text(),
    fragmentSimilarity: real().notNull(),
    fragmentLimit: integer().notNull(),
    maxTotalOutputTokens: integer().notNull(),
    historyLimit: integer().notNull(),
    messageLength: integer().notNull(),
    /** Whether its model turns questions in other languages than the collection's into queries in that language. */
    translatesQuestions: boolean().notNull().default(true),
    /** Questions that an empty chat offers; null for those proposed from the collection. */
    suggestions: json<string[]>(),
    /** Version of its row in `agent_logos`; null without a logo. */
    logoVersion: text(),
    disabled: boolean().notNull().default(false),
    /** Put away: it answers no questions until it is restored. */
    archivedAt: timestamp(),
    /** Number of latest answers that failed in a row, for another reason than the key. */
    failedAnswers: integer().notNull().default(0),
    /** Why the last connection test of what is saved failed; null if it succeeded, and after another change. */
    testFailure: text(),
    createdBy: text(),
    createdAt: createdAt(),
  },
  (row) => [
    index('agents_organization_created').on(row.organizationId, row.createdAt),
    index('agents_collection').on(row.collectionId),
    index('agents_created').on(row.createdAt, row.id),
  ],
)

/** Pictures that widgets show as the logo of an agent. */
export const agentLogos = table('agent_logos', {
  agentId: text()
    .primaryKey()
    .references(() => agents.id, { onDelete: 'cascade' }),
  mediaType: text().notNull(),
  content: bytes().notNull(),
})
