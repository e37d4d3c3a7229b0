import { z } from 'zod'
import { withValues } from '../../../contract/api/examples'
import { operationGroups } from '../../../contract/api/groups'
import type { Example, NamedOperation } from '../../../contract/api/operation'
import { type ApiEndpoint, type ApiIds, idsIn } from './api-endpoint'
import { wrongBodies } from './wrong-bodies'

/** What the variables of examples stand for. */
const idOfVariable: Record<string, keyof ApiIds> = {
  ORG: 'organization',
  COLLECTION: 'collection',
  SOURCE: 'source',
  AGENT: 'agent',
  THREAD: 'thread',
}
const idOfParameter: Record<string, keyof ApiIds> = {
  orgId: 'organization',
  organizationId: 'organization',
  collectionId: 'collection',
  sourceId: 'source',
  addressId: 'address',
  agentId: 'agent',
  threadId: 'thread',
  messageId: 'message',
  userId: 'person',
  invitationId: 'invitation',
}
/** Of the parameter `id` of the back office, by the list. */
const idOfList: Record<string, keyof ApiIds> = { users: 'person', urls: 'address' }

/** What a success of these consumes. */
const spent: Record<string, keyof ApiIds> = {
  refreshSource: 'source',
  pauseSource: 'source',
  resumeSource: 'source',
  cancelSource: 'source',
  retryAddress: 'address',
  ignoreAddress: 'address',
  unshareThread: 'thread',
  eraseVisitor: 'thread',
}

/** Each call of these is recorded. */
const recorded = ['inspectCollection', 'inspectAddress', 'inspectAgent', 'inspectThread', 'inspectMessageFragments']

// Nobody may connect there, so a preview of it ends at once.
const nowhere = 'http://127.0.0.1:22/'

/** What the example of an operation cannot have in a world of its own. */
const ownFields: Record<string, (body: Record<string, unknown>) => Record<string, unknown>> = {
  // A collection has a source only once. `status` is in the contract's form; the product decides on it.
  createSource: ({ type }) => ({ url: `https://${crypto.randomUUID()}.lamps.example/${type}`, status: 'new' }),
  previewSource: () => ({ type: 'url', url: nowhere }),
  previewPage: () => ({ page: nowhere }),
  // What the pages of the world are about.
  chat: () => ({ prompt: 'Which lamp is bright?' }),
  // The callers with keys come from here, without an origin.
  saveKeychain: () => ({ allowedIps: '203.0.113.7, 127.0.0.0/8', allowedOrigins: '' }),
}

const source = (fields: z.ZodRawShape) => z.looseObject({ source: z.looseObject(fields) })
const atLeastOne = (name: string) => z.looseObject({ [name]: z.array(z.unknown()).min(1) })

/** What the response of these says beyond its schema. */
const stricter: Record<string, z.ZodType> = {
  pauseSource: source({ paused: z.literal(true) }),
  resumeSource: source({ paused: z.literal(false) }),
  cancelSource: source({ last_run: z.looseObject({ cancelled: z.literal(true) }) }),
  retryAddress: z.looseObject({ url: z.looseObject({ status: z.literal('pending') }) }),
  ignoreAddress: z.looseObject({ url: z.looseObject({ ignored: z.literal(true), fragments: z.literal(0) }) }),
  search: atLeastOne('fragments'),
  chat: atLeastOne('fragments'),
  listMessageFragments: atLeastOne('fragments'),
  inspectMessageFragments: atLeastOne('fragments'),
  getUserGrowth: z.array(z.unknown()).min(1),
}

/** Each example of each call of /v1, but those that ask for a stream of an answer. */
export const apiEndpoints: ApiEndpoint[] = operationGroups
  .flatMap(({ operations }) => operations)
  .flatMap((operation) =>
    (operation.examples ?? [{}])
      .filter(({ streams }) => !streams)
      .map((example, index) => endpointOf(operation, example, index)),
  )

function endpointOf(operation: NamedOperation, example: Example, index: number): ApiEndpoint {
  const { id, method, query, response, events, file, upload, form = false } = operation
  const path = pathWithIds(operation, example)
  const spends = spent[id] ?? (method === 'DELETE' && !query ? idsIn({ path }).at(-1) : undefined)
  const withKey = withKeyOf(operation, example)
  const { status = response || events || file ? 200 : 204 } = operation
  const also = stricter[id]
  return {
    operation,
    method,
    path,
    index,
    may: mayOf(operation, path),
    recordsRead: recorded.includes(id),
    ...(withKey && { withKey }),
    ...(example.body && { body: (ids: ApiIds) => bodyWithIds(id, example, ids) }),
    form: form || upload !== undefined,
    ...(spends && { spends }),
    status,
    response: response ? (also ? response.and(also) : response) : null,
    ...(events && !response && { events: eventsOf(id, events) }),
    wrong: wrongBodies[id]?.[index],
  }
}

function pathWithIds({ id, path }: NamedOperation, { query = {} }: Example): string {
  const [, list = ''] = /^\/v1\/admin\/(\w+)/.exec(path) ?? []
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (id === 'getSourceFile' && name === 'sourceId') return '{upload}'
    return `{${idOfParameter[name] ?? idOfList[list] ?? list.replace(/s$/, '')}}`
  })
  const own = id === 'search' ? { query: 'lamp' } : {}
  const fields = Object.entries({ ...query, ...own }).map(([name, value]) => {
    const variable = idOfVariable[value.replace('$', '')]
    return `${name}=${variable ? `{${variable}}` : encodeURIComponent(value)}`
  })
  return fields.length > 0 ? `${named}?${fields.join('&')}` : named
}

function bodyWithIds(id: string, { body = {} }: Example, ids: ApiIds): Record<string, unknown> {
  const values = Object.fromEntries(Object.entries(idOfVariable).map(([name, what]) => [name, ids[what]]))
  return { ...withValues(body, values), ...ownFields[id]?.(body) }
}

function mayOf({ callers, visitorToken, role }: NamedOperation, path: string): ApiEndpoint['may'] {
  if (callers === 'everybody') return callers
  if (callers === 'key') return visitorToken === 'required' ? 'visitor' : 'key'
  if (callers === 'private-key') return 'private'
  return role ?? (path.includes('{organization}') ? 'viewer' : 'anyone')
}

/** Only the visitor who began a thread may continue, share or delete it. */
function withKeyOf({ callers, visitorToken }: NamedOperation, { body }: Example): number | undefined {
  if (callers !== 'person-or-key') return undefined
  return visitorToken === 'required' || body?.threadId ? 404 : 200
}

function eventsOf(id: string, data: z.ZodType): z.ZodType {
  const kinds = id === 'watchSource' ? ['progress', 'done'] : ['address', 'progress', 'done']
  return z
    .strictObject({ event: z.enum(kinds), data })
    .refine(({ event, data }) => event === ((data as { kind?: string }).kind ?? event), 'The kind of its data names it')
}
