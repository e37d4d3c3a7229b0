import type { z } from 'zod'
import type { NamedOperation } from '../../../contract/api/operation'

/** Ids of one organization's things; each belongs to the one before it. */
export interface ApiIds {
  organization: string
  collection: string
  source: string
  /** A source of type file, in the same collection. */
  upload: string
  address: string
  agent: string
  thread: string
  /** An agent's message in the thread. */
  message: string
  /** A viewer of the organization, who is none of the callers. */
  person: string
  invitation: string
}

/** One example of an operation, as the tests send it. */
export interface ApiEndpoint {
  operation: NamedOperation
  method: NamedOperation['method']
  /** With its query. `{collection}` and the like are ids. */
  path: string
  /** Of the example among those of its operation. */
  index: number
  /**
   * The least role; 'anyone' is whoever is signed in, in whatever organization; 'everybody' needs no sign-in; 'key' is a
   * program with a key of an agent, and nobody who is signed in; 'visitor' is one that also has the token of the thread;
   * 'private' is one with the private key; 'staff' are the platform's administrators.
   */
  may: 'viewer' | 'member' | 'admin' | 'anyone' | 'everybody' | 'key' | 'visitor' | 'private' | 'staff'
  /** A success is written into the audit log of the organization. */
  recordsRead: boolean
  /** What a key of the agent gets where `may` names people; 401 if not given. */
  withKey?: number
  /** A body that succeeds. */
  body?(ids: ApiIds): Record<string, unknown>
  /** Takes forms beside JSON. */
  form: boolean
  /** What a success consumes; created for each request. */
  spends?: keyof ApiIds
  status: number
  /** Null where the response is empty or a stream. */
  response: z.ZodType | null
  /** Of each event, where a success is a stream of server-sent events; its last one is 'done'. */
  events?: z.ZodType
  /** Bodies that are refused, by the field that the answer names. `undefined` leaves the field out. */
  wrong?: Record<string, unknown[]> | undefined
}

export function nameOf({ method, path, index }: ApiEndpoint): string {
  return `${method} ${path}${index > 0 ? ` (example ${index + 1})` : ''}`
}

export function pathOf({ path }: Pick<ApiEndpoint, 'path'>, ids: ApiIds): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name as keyof ApiIds]))
}

/** The ids that an address names, in its order. */
export function idsIn({ path }: Pick<ApiEndpoint, 'path'>): (keyof ApiIds)[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof ApiIds)
}
