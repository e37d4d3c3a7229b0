import type { z } from 'zod'
import { type ErrorCode, errorCodes } from '../values/error-codes'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call: everybody, without a token; a person with an access token; a program with a key of an agent. */
export type Callers = 'everybody' | 'person' | 'person-or-key' | 'key' | 'private-key'

/** One call of /v1: what its route checks, and what the description at /v1/openapi.json says. */
export interface Operation<Body = undefined, Answer = void> {
  /** Its unique name, such as 'listCollections'. */
  id: string
  method: Method
  /** With the names of the route's parameters in braces. */
  path: string
  /** A few words, without a period. */
  summary: string
  description?: string
  callers: Callers
  /** Whether a call with a key needs the token of the visitor who began the thread; 'optional' if a thread may begin. */
  visitorToken?: 'required' | 'optional'
  /** The role that a person needs, where a viewer may not call; 'staff' are the administrators of the platform. */
  role?: 'member' | 'admin' | 'staff'
  /** The parameters of the query. */
  query?: z.ZodObject
  /** The body, as the route checks it. */
  body?: z.ZodType<Body>
  /** Characters of the text in the body, where callers with a public key, or without any, may send it. */
  maxTextLength?: number
  /** What the description says of the body, where `body` chooses among schemas. */
  documentedBody?: z.ZodType
  /** A body that the route reads itself: fields as JSON or a form, or a form with a file. */
  upload?: { fields: z.ZodType; file: z.ZodType }
  /** Whether forms are accepted as well as JSON. */
  form?: boolean
  /** Whether the body may be empty. */
  optional?: boolean
  /** Status of a success: 200 by default, 204 without an answer. */
  status?: 200 | 201 | 204
  /** A success as JSON. */
  answer?: z.ZodType<Answer>
  /** The data of each server-sent event of a success; with `answer`, if the header Accept asks for events. */
  events?: z.ZodType
  /** A success is a file. */
  file?: true
  /** Errors beside those that `errorsOf` derives from the rest. */
  errors?: readonly ErrorCode[]
  /** Errors have the form of OpenAI's. */
  errorFormat?: 'openai'
}

/** An operation of any body and answer. */
export type AnyOperation = Operation<unknown, unknown>

/** Infers the types of body and answer from their schemas. */
export function operation<Body = undefined, Answer = void>(row: Operation<Body, Answer>): Operation<Body, Answer> {
  return row
}

/** The names of the parameters in the path, in its order. */
export function pathParameters({ path }: Pick<AnyOperation, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** The codes of all errors that an operation responds with, besides an unexpected one. */
export function errorsOf(operation: AnyOperation): ErrorCode[] {
  const { callers, role, body, upload, errors = [] } = operation
  const hasBody = body !== undefined || upload !== undefined
  const isKnown = callers !== 'everybody'
  const takesKeys = isKnown && callers !== 'person'
  const parameters = pathParameters(operation)
  const isOfOrganization = parameters.some((name) => name === 'orgId' || name === 'organizationId')
  const codes: (ErrorCode | false)[] = [
    'invalid_input',
    isKnown && 'unauthenticated',
    // A key refuses origins and addresses that it does not allow.
    (takesKeys || role === 'member' || role === 'admin') && 'forbidden',
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
