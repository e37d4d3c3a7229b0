import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node'
import type { z } from 'zod'
import type { AnyOperation, Method, Operation } from '../../../contract/api/operation'
import type { Actor } from '../../../server/actor'
import { AppError, isAppError } from '../../../server/errors'
import type { Reauthenticate } from '../../../server/services/access/watch-access'
import { anonymousLimit, maxBodyBytes, readBody } from '../body.server'
import {
  acceptsPublicKey,
  actorOfKey,
  actorOfKeyOrToken,
  actorOfOwnPage,
  newReply,
  personOfBearer,
  type Reply,
  rateLimitAnonymous,
  setPreflightOrigin,
  setRate,
} from './callers.server'
import { methodNotAllowed, problem } from './problem.server'

export interface ApiCall<Body> extends OpenCall<Body> {
  actor: Actor
  /** For streams, which have to end when the caller loses access. */
  reauthenticate: Reauthenticate
}

interface OpenCall<Body> {
  services: AppLoadContext['services']
  context: AppLoadContext
  request: Request
  /** Validated by the operation's schema; undefined without one. */
  body: Body
  query: URLSearchParams
  /** The token of the visitor who began a thread; null without one. */
  visitorToken: string | null
  /** A parameter of the path. Throws not_found if it is missing or empty. */
  param(name: string): string
}

interface Endpoint<Body, Answer, Call> {
  /** What the call takes and answers. Its body is not read where the operation has none, or where it is an upload. */
  operation: Operation<Body, Answer>
  /** Title of the error for a body that does not match the schema. */
  invalidTitle?: string
  /** Message of the error for a call without a bearer token. */
  withoutToken?: string
  /** Whether a valid access token of a person without an account gets 404 instead of 401. */
  accountRequired?: boolean
  /** Converts the response to an error; a problem detail by default. */
  failed?(problem: Response): Promise<Response>
  /** Whether the handler counts the call toward the plan itself. */
  meteredByHandler?: boolean
  /** Returns the answer, or a Response to be sent unchanged. */
  handler(call: Call): Response | Answer | Promise<Response | Answer>
}

type Args = LoaderFunctionArgs | ActionFunctionArgs
type Route = (args: Args) => Promise<Response>

/** One method of a route; without an operation if there is no such route. */
type Handler = Route & { operation?: Pick<AnyOperation, 'path'> }

/**
 * Builds one method of a /v1 route: authenticates the access token, counts the call toward the plan, validates the body, calls the handler and responds
 * with JSON or a problem detail. Never throws.
 */
export function api<Body, Answer>(endpoint: Endpoint<Body, Answer, ApiCall<Body>>): Handler {
  return respond(endpoint, (args) => personOfBearer(args, endpoint))
}

/** Like `api`, for calls with an access token or with a key of an agent. */
export function apiWithKeys<Body, Answer>(endpoint: Endpoint<Body, Answer, ApiCall<Body>>): Handler {
  return respond(endpoint, actorOfKeyOrToken)
}

/** Like `apiWithKeys`, and for pages of this server, with the session of a person. */
export function apiWithKeysAndSessions<Body, Answer>(endpoint: Endpoint<Body, Answer, ApiCall<Body>>): Handler {
  return respond(endpoint, async (args, reply) => {
    const actor = args.request.headers.has('authorization') ? null : await actorOfOwnPage(args)
    return actor ?? actorOfKeyOrToken(args, reply)
  })
}

/** Like `api`, for calls with a key of an agent. */
export function apiOfKeys<Body, Answer>(endpoint: Endpoint<Body, Answer, ApiCall<Body>>): Handler {
  return respond(endpoint, async (args, reply) => {
    const actor = await actorOfKey(args, reply)
    if (actor) return actor
    throw new AppError('unauthenticated', "Send a key of the agent's keychain: Authorization: Bearer <key>.")
  })
}

/** Like `api`, for programs with the private key of an agent. */
export function apiOfPrivateKeys<Body, Answer>(endpoint: Endpoint<Body, Answer, ApiCall<Body>>): Handler {
  return respond(endpoint, async (args, reply) => {
    const actor = await actorOfKey(args, reply)
    if (actor?.kind === 'key' && actor.keyType === 'private') return actor
    throw new AppError('unauthenticated', "Send the private key of the agent's keychain: Authorization: Bearer <key>.")
  })
}

/** Like `api`, for programs with an access token or the private key of an agent. */
export function apiOfPrograms<Body, Answer>(endpoint: Endpoint<Body, Answer, ApiCall<Body>>): Handler {
  return respond(endpoint, async (args, reply) => {
    const actor = await actorOfKeyOrToken(args, reply)
    if (actor.kind !== 'key' || actor.keyType === 'private') return actor
    throw new AppError(
      'unauthenticated',
      'Send an access token, or the private key of an agent instead of its public key.',
    )
  })
}

/** Like `api`, for calls without authentication. */
export function openApi<Body, Answer>(endpoint: Endpoint<Body, Answer, OpenCall<Body>>): Handler {
  return respond(endpoint, async () => null)
}

/**
 * Counts the call toward the plan of the organization that it concerns: the key's, or the one in the path if the person
 * belongs to it. A call that is rejected does not count. Throws quota_exceeded, and the errors of `work`.
 */
async function countRequest(
  actor: Actor | null,
  { context, params }: Args,
  work: () => Promise<Response>,
): Promise<Response> {
  if (actor === null || actor.kind === 'system') return work()
  const named = organizationIn(params)
  const isMember = actor.kind === 'person' && actor.memberships.some(({ organizationId }) => organizationId === named)
  const organizationId = actor.kind === 'person' ? (isMember ? named : null) : actor.organizationId
  if (organizationId === null) return work()
  return context.services.monthlyLimits.count(actor, organizationId, 'apiRequests', work, {
    isCounted: ({ status }) => !isRejection(status),
  })
}

/** The organization in the path of a call; null without one. */
function organizationIn(params: Args['params']): string | null {
  return params.orgId ?? params.organizationId ?? null
}

function isRejection(status: number): boolean {
  return status >= 400 && status < 500
}

/** Authenticates a request again, without counting it. */
async function recheck(args: Args): Promise<Actor> {
  return (await actorOfKey(args, newReply(), { isRecheck: true })) ?? args.context.identity.recheckBearer(args.request)
}

function respond<Body, Answer, Caller extends Actor | null>(
  {
    operation,
    invalidTitle,
    meteredByHandler = false,
    failed,
    handler,
  }: Endpoint<Body, Answer, OpenCall<Body> & { actor: Caller; reauthenticate: Reauthenticate }>,
  authenticate: (args: Args, reply: Reply) => Promise<Caller>,
): Handler {
  const { body: schema, form = false, optional = false, status = 200, maxTextLength } = operation

  async function handle(args: Args): Promise<Response> {
    const reply = newReply()
    const response = await answer(args, reply)
    if (isRejection(response.status)) reply.refund()
    for (const [name, value] of reply.headers) response.headers.set(name, value)
    return response
  }

  function limitOf(actor: Actor | null): number {
    const isKnown = actor !== null && !('keyType' in actor && actor.keyType === 'public')
    return isKnown ? maxBodyBytes : anonymousLimit(maxTextLength)
  }

  async function answer(args: Args, reply: Reply): Promise<Response> {
    const { context, request, params } = args
    try {
      context.noteCall({ route: operation.path })
      await rateLimitAnonymous(args, operation, reply)
      const actor = await authenticate(args, reply)
      const organizationId = organizationIn(params)
      context.noteCall({ actor, organizationId })
      // Before the body: who may not make the call at all learns nothing of what it takes.
      if (actor) context.authorizeRole(actor, operation.role ?? 'viewer', organizationId)
      const body = schema
        ? parse(schema, await readBody(request, { form, optional, maxBytes: limitOf(actor) }), invalidTitle)
        : (undefined as Body)
      const param = (name: string) => params[name] || missing()
      const query = new URL(request.url).searchParams
      const visitorToken = request.headers.get('x-visitor-token')
      const { services } = context
      const reauthenticate = () => recheck(args)
      const call = { actor, reauthenticate, services, context, request, body, query, visitorToken, param }
      const work = async () => {
        const result = await handler(call)
        return result instanceof Response ? result : json(result, status)
      }
      return await (meteredByHandler ? work() : countRequest(actor, args, work))
    } catch (error) {
      if (isAppError(error) && error.details.rate) setRate(reply.headers, error.details.rate)
      const response = problem(error, context)
      return failed ? failed(response) : response
    }
  }

  return Object.assign(handle, { operation })
}

/**
 * Combines the methods of a /v1 route into one function, which the route exports as its loader and its action. Adds HEAD
 * and OPTIONS, responds 405 to other methods, and sets the CORS headers.
 */
export function methods(handlers: Partial<Record<Method, Handler>>): Route {
  const allowed = [...Object.keys(handlers), ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS']
  const areForPages = Object.values(handlers).some(({ operation }) => operation && acceptsPublicKey(operation))

  return async (args) => {
    const { request, context, params } = args
    if (reservedNames.includes(params.orgId ?? '')) return noSuchRoute(args)
    const method = request.method.toUpperCase()
    const handle = handlers[(method === 'HEAD' ? 'GET' : method) as Method]
    const response =
      method === 'OPTIONS'
        ? new Response(null, { status: 204, headers: { Allow: allowed.join(', ') } })
        : handle
          ? await handle(args)
          : methodNotAllowed(allowed, context.requestId)
    // A stream that is never read would keep polling until its source is idle.
    if (method === 'HEAD') await response.body?.cancel()
    response.headers.set('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy')
    // Any origin is safe: browsers never add a bearer token by themselves, as they do with cookies.
    if (!handle) response.headers.set('Access-Control-Allow-Origin', '*')
    if (method === 'OPTIONS') {
      if (areForPages) setPreflightOrigin(request, response.headers)
      response.headers.set('Access-Control-Allow-Methods', allowed.join(', '))
      response.headers.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Visitor-Token')
      response.headers.set('Access-Control-Max-Age', '86400')
    }
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    return response
  }
}

/** Removes the CORS headers: no page of another origin can read the response. */
export function withoutCors(handle: Route): Route {
  return async (args) => {
    const response = await handle(args)
    for (const name of [...response.headers.keys()])
      if (name.startsWith('access-control-')) response.headers.delete(name)
    return response
  }
}

/** First parts of paths that are no organization's id. */
const reservedNames = ['public', 'chat', 'options', 'admin', 'openai']

/** Responds 404, whatever the method and without authentication. */
export async function noSuchRoute({ context }: Args): Promise<Response> {
  return problem(new AppError('not_found', 'The API has no such route.'), context)
}

/** Validates `input`. Throws invalid_input with the messages by field, titled `title`. */
export function parse<Value>(schema: z.ZodType<Value>, input: unknown, title?: string): Value {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const fields: Record<string, string[]> = {}
  for (const { path, message } of parsed.error.issues) {
    const name = path.join('.') || 'body'
    fields[name] = [...new Set([...(fields[name] ?? []), message])]
  }
  const [first] = parsed.error.issues
  throw new AppError('invalid_input', first?.message ?? 'The request is not valid.', {
    details: { fields, ...(title ? { title } : {}) },
  })
}

function json(value: unknown, status: number): Response {
  if (value === undefined) return new Response(null, { status: 204 })
  return new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json; charset=utf-8' } })
}

function missing(): never {
  throw new AppError('not_found', 'This does not exist or you do not have access to it.')
}
