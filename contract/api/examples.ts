import { adminLists } from './admin'
import { createAgent } from './agents'
import { chat } from './chat'
import { createCollection, search } from './collections'
import { getDescription } from './openapi/description'
import type { AnyOperation } from './operation'
import { getCurrentUser, getUsage } from './organizations'
import { createSource } from './sources'
import { createCompletion, publicChat, publicSearch } from './visitors'

/** A variable of the reader's shell or environment. */
export type Variable = 'TOKEN' | 'ORG' | 'COLLECTION' | 'AGENT' | 'PUBLIC_KEY' | 'PRIVATE_KEY'

/** A call as a reader makes it. `$NAME` in a value is a variable. */
export interface Example {
  operation: AnyOperation
  title: string
  /** The bearer token; none where everybody may call. */
  bearer?: Variable
  query?: Record<string, string>
  body?: Record<string, unknown>
  /** Asks for events. */
  streams?: true
}

/** Parameters of paths. */
export const pathVariables: Record<string, Variable> = {
  orgId: 'ORG',
  organizationId: 'ORG',
  collectionId: 'COLLECTION',
  agentId: 'AGENT',
}

const question = 'When are you open?'

/** By the group of their operations. */
export const examples: Example[] = [
  { operation: getCurrentUser, title: 'Find your organizations', bearer: 'TOKEN' },
  { operation: getUsage, title: 'Get the current usage', bearer: 'TOKEN' },
  {
    operation: createCollection,
    title: 'Create a collection',
    bearer: 'TOKEN',
    body: { name: 'Website', description: 'All pages of our site' },
  },
  {
    operation: search,
    title: 'Search a collection',
    bearer: 'TOKEN',
    query: { query: 'opening hours', collectionId: '$COLLECTION', limit: '5' },
  },
  {
    operation: createSource,
    title: 'Add a website',
    bearer: 'TOKEN',
    body: { type: 'domain', url: 'www.example.com', max_pages: 200, refresh_interval: 'weekly' },
  },
  {
    operation: createAgent,
    title: 'Create an agent',
    bearer: 'TOKEN',
    body: { name: 'Help desk', useDefaults: true, collectionId: '$COLLECTION' },
  },
  { operation: chat, title: 'Ask an agent', bearer: 'TOKEN', body: { prompt: question } },
  { operation: chat, title: 'Stream the answer', bearer: 'TOKEN', body: { prompt: question }, streams: true },
  {
    operation: publicSearch,
    title: 'Search from a page',
    bearer: 'PUBLIC_KEY',
    body: { query: 'opening hours', limit: 5 },
  },
  { operation: publicChat, title: 'Ask from a page', bearer: 'PUBLIC_KEY', body: { prompt: question } },
  {
    operation: createCompletion,
    title: "Ask in OpenAI's format",
    bearer: 'PRIVATE_KEY',
    body: { model: '$AGENT', messages: [{ role: 'user', content: question }] },
  },
  {
    operation: adminLists.users,
    title: 'List the newest users',
    bearer: 'TOKEN',
    query: { limit: '5', order: '[["created_at", "desc"]]' },
  },
  { operation: getDescription, title: 'Get the OpenAPI document' },
]
