import { z } from 'zod'
import * as shapes from './api-shapes'

/** Ids of one organization's things; each belongs to the one before it. */
export interface ApiIds {
  organization: string
  collection: string
  source: string
  address: string
  agent: string
  thread: string
  /** An agent's message in the thread. */
  message: string
}

export interface ApiEndpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{collection}` and the like are ids. */
  path: string
  /** The file in app/routes/v1+, without its ending. */
  file: string
  /** The least role; 'anyone' is whoever is signed in, in whatever organization. */
  may: 'viewer' | 'member' | 'admin' | 'anyone'
  /** A body that succeeds. */
  body?(ids: ApiIds): Record<string, unknown>
  /** Takes forms beside JSON. */
  form?: boolean
  /** What a success uses up, and is made anew for each. */
  spends?: keyof ApiIds
  status: 200 | 201 | 204
  /** Null where the answer is empty. */
  answer: z.ZodType | null
  /** Bodies that are refused, by the field that the answer names. `undefined` leaves the field out. */
  wrong?: Record<string, unknown[]>
}

const long = (length: number) => 'x'.repeat(length + 1)
const neverText = [7, true, [], {}, ['text']]
const requiredText = (most: number) => [undefined, null, '', '   ', long(most), ...neverText]
const optionalText = (most: number) => [long(most), ...neverText]
const neverNumber = [null, true, false, '', ' ', 'many', [], [5], {}]

const success = z.literal(true)
const named = { name: 'Named by the test', description: 'Described' }
const onboarding = {
  goals: ['chat_on_website'],
  sector: 'retail',
  position: 'sales',
  size: 'Solo (1)',
  source: 'search',
}
const choices = [undefined, null, '', 'nothing of these', 7, [], {}]

/** Every call of /v1. */
export const apiEndpoints: ApiEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/auth/me',
    file: 'auth.me',
    may: 'anyone',
    status: 200,
    answer: z.strictObject({ user: shapes.user }),
  },
  {
    method: 'POST',
    path: '/v1/organizations',
    file: 'organizations',
    may: 'anyone',
    body: () => ({ name: 'Made by the test', entity_name: 'Test Ltd' }),
    status: 201,
    answer: z.strictObject({ success, organization: shapes.organization }),
    wrong: { name: requiredText(32), entity_name: [null, ...optionalText(48)] },
  },
  {
    method: 'GET',
    path: '/v1/organizations/{organization}',
    file: 'organizations.$organizationId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ organization: shapes.organization }),
  },
  {
    method: 'PUT',
    path: '/v1/organizations/{organization}',
    file: 'organizations.$organizationId',
    may: 'admin',
    body: () => ({
      name: 'Fennel',
      entity_name: 'Fennel Ltd',
      default_agent_provider: 'openai',
      default_agent_model: 'gpt-4.1-nano',
      default_agent_provider_key: 'sk-of-the-organization',
    }),
    status: 200,
    answer: z.strictObject({ success, organization: shapes.organization }),
    wrong: {
      name: requiredText(32),
      entity_name: [null, ...optionalText(48)],
      default_agent_provider: ['', 'nobody', 7, [], {}],
      default_agent_model: optionalText(64),
      default_agent_provider_key: optionalText(512),
    },
  },
  {
    method: 'GET',
    path: '/v1/organizations/{organization}/currentUsage',
    file: 'organizations.$organizationId.currentUsage',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ usage: shapes.usage }),
  },
  {
    method: 'POST',
    path: '/v1/organizations/{organization}/onboard',
    file: 'organizations.$organizationId.onboard',
    may: 'admin',
    body: () => ({ ...onboarding }),
    status: 200,
    answer: z.strictObject({ success, organization: shapes.organization }),
    wrong: {
      goals: [undefined, null, [], 'chat_on_website', [7], [''], {}, [long(70)], Array(21).fill('other')],
      sector: [...choices, `other:${long(64)}`],
      position: choices,
      size: choices,
      source: choices,
    },
  },
  {
    method: 'GET',
    path: '/v1/{organization}/collections',
    file: '$orgId.collections',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ success, collections: shapes.paged(shapes.collection) }),
  },
  {
    method: 'POST',
    path: '/v1/{organization}/collections',
    file: '$orgId.collections',
    may: 'member',
    body: () => ({ ...named }),
    status: 201,
    answer: z.strictObject({ success, collection: shapes.collection }),
    wrong: { name: requiredText(64), description: optionalText(512) },
  },
  {
    method: 'GET',
    path: '/v1/{organization}/collections/{collection}',
    file: '$orgId.collections.$collectionId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ collection: shapes.collection }),
  },
  {
    method: 'PUT',
    path: '/v1/{organization}/collections/{collection}',
    file: '$orgId.collections.$collectionId',
    may: 'member',
    body: () => ({ ...named, agent_model: 'gpt-4.1-nano', agent_prompt: 'Be brief.' }),
    status: 200,
    answer: z.strictObject({ success, collection: shapes.collection }),
    wrong: {
      name: requiredText(64),
      description: optionalText(512),
      agent_model: optionalText(64),
      agent_prompt: optionalText(10_000),
    },
  },
  {
    method: 'DELETE',
    path: '/v1/{organization}/collections/{collection}',
    file: '$orgId.collections.$collectionId',
    may: 'member',
    spends: 'collection',
    status: 204,
    answer: null,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/search?query=lamp&collectionId={collection}&limit=3',
    file: '$orgId.search',
    may: 'viewer',
    status: 200,
    answer: shapes.search,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/search?query=lamp&agentId={agent}',
    file: '$orgId.search',
    may: 'viewer',
    status: 200,
    answer: shapes.search,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/urls/{collection}',
    file: '$orgId.urls.$collectionId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ urls: shapes.paged(shapes.address) }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/urls/{collection}/{address}/fragments',
    file: '$orgId.urls.$collectionId.$addressId.fragments',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ address: shapes.address, fragments: z.array(shapes.fragment).min(1) }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/sources/{collection}',
    file: '$orgId.sources.$collectionId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ sources: shapes.paged(shapes.source) }),
  },
  {
    method: 'POST',
    path: '/v1/{organization}/sources/{collection}',
    file: '$orgId.sources.$collectionId',
    may: 'member',
    // `status` is in the contract's form; what a source's status is, the product decides.
    body: () => ({ name: 'A page', type: 'url', url: 'https://lamps.example/one', status: 'new' }),
    form: true,
    status: 201,
    answer: z.strictObject({ source: shapes.source }),
    wrong: {
      name: [null, ...optionalText(64)],
      type: [...choices, 'file'],
      url: [undefined, null, '', 'lamps.example', 'ftp://lamps.example/', 'http://me:secret@lamps.example/', 'https://'],
    },
  },
  {
    method: 'GET',
    path: '/v1/{organization}/sources/{collection}/{source}',
    file: '$orgId.sources.$collectionId.$sourceId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ source: shapes.source }),
  },
  {
    method: 'PUT',
    path: '/v1/{organization}/sources/{collection}/{source}',
    file: '$orgId.sources.$collectionId.$sourceId',
    may: 'member',
    body: () => ({ name: 'Renamed by the test' }),
    status: 200,
    answer: z.strictObject({ success, source: shapes.source }),
    wrong: { name: requiredText(64) },
  },
  {
    method: 'DELETE',
    path: '/v1/{organization}/sources/{collection}/{source}',
    file: '$orgId.sources.$collectionId.$sourceId',
    may: 'member',
    spends: 'source',
    status: 204,
    answer: null,
  },
  {
    method: 'POST',
    path: '/v1/{organization}/sources/{collection}/{source}/refresh',
    file: '$orgId.sources.$collectionId.$sourceId.refresh',
    may: 'member',
    body: () => ({ crawl: true, auto: false }),
    spends: 'source',
    status: 200,
    answer: shapes.refresh,
    wrong: { crawl: [null, 'true', 1, [], {}], auto: [null, 'true', 0, [], {}] },
  },
  {
    method: 'POST',
    path: '/v1/{organization}/sources/{collection}/{source}/cancel',
    file: '$orgId.sources.$collectionId.$sourceId.cancel',
    may: 'member',
    status: 200,
    answer: z.strictObject({ success, source: shapes.source }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/agents',
    file: '$orgId.agents',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ agents: shapes.paged(shapes.agent) }),
  },
  {
    method: 'POST',
    path: '/v1/{organization}/agents',
    file: '$orgId.agents',
    may: 'member',
    body: () => ({ ...named, useDefaults: true }),
    status: 201,
    answer: z.strictObject({ success, agent: shapes.agent }),
    wrong: {
      name: requiredText(64),
      description: optionalText(512),
      useDefaults: [null, 'false', 'true', '', 0, 1, [], {}],
    },
  },
  {
    method: 'GET',
    path: '/v1/{organization}/agents/{agent}',
    file: '$orgId.agents.$agentId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ agent: shapes.agent }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/agents/{agent}?includeCollection=true',
    file: '$orgId.agents.$agentId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ agent: shapes.agentWithCollection }),
  },
  {
    method: 'PUT',
    path: '/v1/{organization}/agents/{agent}',
    file: '$orgId.agents.$agentId',
    may: 'admin',
    body: () => ({ ...named }),
    status: 200,
    answer: z.strictObject({ success, agent: shapes.agent }),
    wrong: { name: requiredText(64), description: optionalText(512) },
  },
  {
    method: 'PUT',
    path: '/v1/{organization}/agents/{agent}',
    file: '$orgId.agents.$agentId',
    may: 'admin',
    body: () => ({
      provider: 'openai',
      model: 'gpt-4.1-nano',
      prompt: 'Answer briefly.',
      fragment_similarity: 0.3,
      fragment_limit: 10,
      max_total_output_tokens: 1024,
      history_limit: 5,
      message_length: 512,
    }),
    status: 200,
    answer: z.strictObject({ success, agent: shapes.agent }),
    wrong: {
      provider: [null, '', 'nobody', 7, true, [], {}],
      provider_key: optionalText(512),
      model: requiredText(64),
      prompt: optionalText(10_000),
      fragment_similarity: [...neverNumber, 0, 1.1],
      fragment_limit: [...neverNumber, 0, 26, 1.5],
      max_total_output_tokens: [...neverNumber, 511, 4097],
      history_limit: [...neverNumber, -2, 7],
      message_length: [...neverNumber, 255, 2049],
    },
  },
  {
    method: 'DELETE',
    path: '/v1/{organization}/agents/{agent}',
    file: '$orgId.agents.$agentId',
    may: 'admin',
    spends: 'agent',
    status: 204,
    answer: null,
  },
  {
    method: 'PUT',
    path: '/v1/{organization}/agents/{agent}/link',
    file: '$orgId.agents.$agentId.link',
    may: 'admin',
    body: ({ collection }) => ({ collectionId: collection }),
    status: 200,
    answer: z.strictObject({ success, agent: shapes.agent }),
    wrong: { collectionId: [undefined, '', '  ', ...neverText] },
  },
  {
    method: 'POST',
    path: '/v1/{organization}/agents/{agent}/chat',
    file: '$orgId.agents.$agentId.chat',
    may: 'viewer',
    body: ({ thread }) => ({ threadId: thread, prompt: 'Which lamp is bright?', createdAt: '2026-01-01T00:00:00.000Z' }),
    status: 200,
    answer: z.strictObject({
      threadId: z.string(),
      message: shapes.message,
      fragments: z.array(shapes.fragment).min(1),
    }),
    wrong: {
      prompt: [undefined, null, '', ' \n ', long(2048), ...neverText],
      threadId: ['', ' ', long(128), ...neverText],
      createdAt: neverText,
    },
  },
  {
    method: 'GET',
    path: '/v1/{organization}/threads',
    file: '$orgId.threads',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ threads: shapes.paged(shapes.thread) }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/threads/{thread}',
    file: '$orgId.threads.$threadId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ thread: shapes.thread }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/threads/{thread}?messages=true',
    file: '$orgId.threads.$threadId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ thread: shapes.threadWithMessages }),
  },
  {
    method: 'DELETE',
    path: '/v1/{organization}/threads/{thread}',
    file: '$orgId.threads.$threadId',
    may: 'admin',
    spends: 'thread',
    status: 204,
    answer: null,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/threads/{thread}/message/{message}/fragments',
    file: '$orgId.threads.$threadId.message.$messageId.fragments',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ fragments: z.array(shapes.fragment).min(1) }),
  },
]

export function nameOf({ method, path }: ApiEndpoint): string {
  return `${method} ${path}`
}

export function pathOf({ path }: Pick<ApiEndpoint, 'path'>, ids: ApiIds): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name as keyof ApiIds]))
}

/** The ids that an address names, in its order. */
export function idsIn({ path }: Pick<ApiEndpoint, 'path'>): (keyof ApiIds)[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof ApiIds)
}
