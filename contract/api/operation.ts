import type { z } from 'zod'
import { type ErrorCode, errorCodes } from '../values/error-codes'

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/**
 * Who may call: everybody, without a token; a person with an access token; a web page or a program with a key of an agent;
 * only programs, which have the private key.
 */
export type Callers = 'everybody' | 'person' | 'person-or-key' | 'person-or-private-key' | 'key' | 'private-key'

/** A call as a reader makes it. `$NAME` in a value is one of the variables of `contract/api/examples`. */
export interface Example {
  /** A few words. The reference at /help/api shows the examples that have a title, as code. */
  title?: string
  query?: Record<string, string>
  body?: Record<string, unknown>
  /** Asks for events. */
  streams?: true
}

/** One call of the HTTP API: what the router checks, what the handler gets and returns, and what the description says. */
export interface Operation {
  method: Method
  /** Path, with the names of the parameters in braces. */
  path: `/v1/${string}` | '/mcp'
  /** A few words, without a period. */
  summary: string
  description?: string
  callers: Callers
  /** Whether pages of this server may call with the session of a person instead of a token. */
  session?: boolean
  /** Whether a call with a key needs the token of the visitor who began the thread; 'optional' if a thread may begin. */
  visitorToken?: 'required' | 'optional'
  /** The role that a person needs, where a viewer may not call; 'staff' are the administrators of the platform. */
  role?: 'member' | 'admin' | 'staff'
  /** Message of the error for a call without a token, where the contract has one of its own. */
  withoutToken?: string
  /** Whether a valid access token of a person without an account gets 404 instead of 401. */
  accountRequired?: boolean
  /** The parameters of the query. */
  query?: z.ZodObject
  /** Parameters of the query that can be repeated; of others, the last value counts. */
  repeatable?: readonly string[]
  /** The body, as the router checks it. */
  body?: z.ZodType
  /** Title of the error for a body that does not match the schema, where the contract has one of its own. */
  invalidTitle?: string
  /** Characters of the text in the body, where callers with a public key, or without any, may send it. */
  maxTextLength?: number
  /** What the description says of the body, where `body` chooses among schemas. */
  documentedBody?: z.ZodType
  /** A body that the handler reads itself: fields as JSON or a form, or a form with a file. */
  upload?: { fields: z.ZodType; file: z.ZodType }
  /** Whether forms are accepted as well as JSON. */
  form?: boolean
  /** Whether the body may be empty. */
  optional?: boolean
  examples?: readonly Example[]
  /** Status of a success: 200 by default, 204 without a response. */
  status?: 200 | 201 | 204
  /** A success as JSON. */
  response?: z.ZodType
  /** The data of each server-sent event of a success; with `response`, if the header Accept asks for events. */
  events?: z.ZodType
  /** A success is a file of this type. */
  file?: 'application/octet-stream' | 'application/x-ndjson'
  /** Errors beside those that `errorsOf` derives from the rest. */
  errors?: readonly ErrorCode[]
  /** Errors have the form of OpenAI's. */
  errorFormat?: 'openai'
  /** Whether the handler counts the call toward the plan itself. */
  meteredByHandler?: boolean
  /** Whether pages of other origins cannot read the response. */
  sameOrigin?: boolean
}

/** Operations by their ids, such as 'listCollections'. */
export type Operations = Record<string, Operation>

/** An operation with its id. */
export interface NamedOperation extends Operation {
  id: string
}

/** The names of the parameters in a path: 'a' | 'b' for '/v1/{a}/{b}'. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

/** The names of the parameters in the path, in its order. */
export function pathParameters({ path }: Pick<Operation, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Whether pages of other sites can call, with a public key. */
export function acceptsPublicKey({ callers }: Pick<Operation, 'callers'>): boolean {
  return callers === 'key' || callers === 'person-or-key'
}

/** Whether anybody can call: without a token, or with the key and the visitor's token that a page hands out. */
export function isPublic({ callers, visitorToken }: Pick<Operation, 'callers' | 'visitorToken'>): boolean {
  return callers === 'everybody' || callers === 'key' || visitorToken === 'required'
}

/** The codes of all errors that an operation responds with, besides an unexpected one. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const { callers, role, body, upload, errors = [] } = operation
  const hasBody = body !== undefined || upload !== undefined
  const isKnown = callers !== 'everybody'
  const takesKeys = isKnown && callers !== 'person'
  const parameters = pathParameters(operation)
  const isOfOrganization = parameters.some((name) => name === 'orgId' || name === 'organizationId')
  const codes: (ErrorCode | false)[] = [
    'invalid_input',
    isKnown && 'unauthenticated',
    // A key refuses origins and addresses that it does not allow, an organization may require a second factor.
    isKnown && 'forbidden',
    (parameters.length > 0 || role === 'staff') && 'not_found',
    hasBody && 'too_large',
    (takesKeys || (isKnown && isOfOrganization)) && 'quota_exceeded',
    'rate_limited',
    // Other calls write, if only what they count.
    operation.method !== 'GET' && 'storage_full',
    ...errors,
  ]
  return errorCodes.filter((code) => codes.includes(code))
}
