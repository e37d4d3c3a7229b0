import { z } from 'zod'
import { sourceStatuses, sourceTypes, verdicts } from '../values/enumerations'
import { count, id, text, textOrNull, time } from '../views/fields'
import { searchSchema } from './search-query'
import { chatSchema } from './thread'

/** The tools of the Model Context Protocol: what they take, and what they return as structured content. */

/** Characters of the content of one fragment that a tool returns. */
export const maxToolContent = 4_000
/** Hits of a search without a limit. */
export const defaultToolHits = 8

const reference = (what: string) => z.string().trim().min(1).max(128).optional().describe(what)
const agent = reference(
  'Id or name of the agent. Leave it out with the key of an agent, or if list_sources shows a single agent.',
)

export const searchToolSchema = z.object({
  query: searchSchema.shape.query.min(1).describe('What to look for: keywords or a question, in any language.'),
  agent,
  collection: reference('Id or name of a collection to search instead of the collection of an agent.'),
  limit: z.number().int().min(1).max(25).default(defaultToolHits).describe('Maximum number of results.'),
})
export type SearchToolInput = z.infer<typeof searchToolSchema>

export const askToolSchema = z.object({
  question: chatSchema.shape.prompt.describe('The question, as a person would ask it.'),
  agent,
  conversation: z.string().max(256).optional().describe('The `conversation` of an earlier answer, to continue it.'),
})
export type AskToolInput = z.infer<typeof askToolSchema>

export const listToolSchema = z.object({
  organization: reference(
    'Id or name of the organization to list. Leave it out to list everything that the token can access.',
  ),
})
export type ListToolInput = z.infer<typeof listToolSchema>

/** A passage with the number that citations refer to. */
const numbered = z.object({
  number: count.describe('The number that citations use.'),
  title: text,
  url: text.describe('The address of the page or file.'),
  link: text.describe('The same address with the nearest anchor. Cite this one.'),
})

export const searchResultSchema = z.object({
  results: z.array(numbered.extend({ score: z.number(), content: text })).describe('Best first.'),
})
export type SearchResult = z.infer<typeof searchResultSchema>

export const askResultSchema = z.object({
  answer: text.describe('Markdown. The citations are links such as [1](https://example.com/page).'),
  verdict: z.enum(verdicts).nullable().describe('Whether the sources answer the question.'),
  citations: z.array(numbered).describe('The cited sources, in the order of the answer.'),
  conversation: text.describe('Send it with the next question to continue the conversation.'),
})
export type AskResult = z.infer<typeof askResultSchema>

const reached = z.object({ id, name: text })

export const catalogSchema = z.object({
  agents: z.array(
    z.object({
      id,
      name: text,
      description: text,
      organization: reached,
      collection: reached.nullable().describe('The collection that it searches and answers from.'),
      status: text.describe(
        "'Operational' if the agent can answer. An agent with a collection can search in any case.",
      ),
    }),
  ),
  collections: z.array(
    z.object({
      id,
      name: text,
      description: text,
      organization: reached,
      sources: z.array(
        z.object({
          name: text,
          type: z.enum(sourceTypes),
          url: textOrNull,
          file_name: textOrNull,
          status: z.enum(sourceStatuses),
          refreshed_at: time.nullable(),
        }),
      ),
    }),
  ),
  is_truncated: z.boolean().describe('Whether the lists are incomplete. Name an organization to see more of it.'),
})
export type Catalog = z.infer<typeof catalogSchema>
