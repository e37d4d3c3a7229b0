import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node'
import type { z } from 'zod'
import type { Actor } from '../../../server/actor'
import { AppError } from '../../../server/errors'
import { readBody } from './body.server'
import { methodNotAllowed, problem } from './problem.server'

export interface ApiCall<Body> extends OpenCall<Body> {
  actor: Actor
}

interface OpenCall<Body> {
  services: AppLoadContext['services']
  context: AppLoadContext
  request: Request
  /** Validated by the endpoint's schema; undefined without one. */
  body: Body
  query: URLSearchParams
  /** The token of the visitor who began a thread; null without one. */
  visitorToken: string | null
  /** A parameter of the path. Throws not_found if it is missing or empty. */
  param(name: string): string
}

interface Endpoint<Body, Call> {
  /** Schema of the body. Without it the body is not read. */
  schema?: z.ZodType<Body>
  /** Whether forms are accepted as well as JSON. */
  form?: boolean
  /** Whether the body may be empty. */
  optional?: boolean
  /** Title of the error for a body that does not match the schema. */
  invalidTitle?: string
  /** Status of a successful response; 200 by default. */
  status?: number
  /** Returns a value to be sent as JSON, or a Response to be sent unchanged. */
  handler(call: Call): unknown
}

/** Keys of agents begin so; access tokens do not. */
const keyPrefix = 'sitelore_'

type Args = LoaderFunctionArgs | ActionFunctionArgs
type Handler = (args: Args) => Promise<Response>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Builds one method of a /v1 route: authenticates the access token, counts the call toward the plan, validates the body, calls the handler and responds
 * with JSON or a problem detail. Never throws.
 */
export function api<Body = undefined>(endpoint: Endpoint<Body, ApiCall<Body>>): Handler {
  return respond(endpoint, ({ context, request }) => context.identity.actorFromBearer(request))
}

/** Like `api`, for calls with an access token or with a key of an agent. */
export function apiWithKeys<Body = undefined>(endpoint: Endpoint<Body, ApiCall<Body>>): Handler {
  return respond(
    endpoint,
    async (args) => (await actorOfKey(args)) ?? args.context.identity.actorFromBearer(args.request),
  )
}

/** Like `api`, for calls with a key of an agent. */
export function apiOfKeys<Body = undefined>(endpoint: Endpoint<Body, ApiCall<Body>>): Handler {
  return respond(endpoint, async (args) => {
    const actor = await actorOfKey(args)
    if (actor) return actor
    throw new AppError('unauthenticated', "Send a key of the agent's keychain: Authorization: Bearer <key>.")
  })
}

/** Like `api`, for calls without authentication. */
export function openApi<Body = undefined>(endpoint: Endpoint<Body, OpenCall<Body>>): Handler {
  return respond(endpoint, async () => null)
}

/**
 * Counts the call toward the plan of the organization that it concerns: the key's, or the one in the path if the person
 * belongs to it. Throws quota_exceeded.
 */
async function countRequest(actor: Actor | null, { context, params }: Args): Promise<void> {
  if (actor === null || actor.kind === 'system') return
  const named = params.orgId ?? params.organizationId ?? ''
  const isMember = actor.kind === 'person' && actor.memberships.some(({ organizationId }) => organizationId === named)
  const organizationId = actor.kind === 'person' ? (isMember ? named : null) : actor.organizationId
  if (organizationId !== null) await context.services.monthlyLimits.take(actor, organizationId, 'apiRequests')
}

/** Returns null if the call has no key. */
async function actorOfKey({ context, request }: Args): Promise<Actor | null> {
  const key = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (!key?.startsWith(keyPrefix)) return null
  return context.services.admitKey({ key, origin: request.headers.get('origin'), ip: context.clientIp })
}

function respond<Body, Caller extends Actor | null>(
  {
    schema,
    form = false,
    optional = false,
    invalidTitle,
    status = 200,
    handler,
  }: Endpoint<Body, OpenCall<Body> & { actor: Caller }>,
  authenticate: (args: Args) => Promise<Caller>,
): Handler {
  return async (args) => {
    const { context, request, params } = args
    try {
      const actor = await authenticate(args)
      await countRequest(actor, args)
      const body = schema
        ? parse(schema, await readBody(request, { form, optional }), invalidTitle)
        : (undefined as Body)
      const param = (name: string) => params[name] || missing()
      const query = new URL(request.url).searchParams
      const visitorToken = request.headers.get('x-visitor-token')
      const { services } = context
      const result = await handler({ actor, services, context, request, body, query, visitorToken, param })
      return result instanceof Response ? result : json(result, status)
    } catch (error) {
      return problem(error, context)
    }
  }
}

/**
 * Combines the methods of a /v1 route into one function, which the route exports as its loader and its action. Adds HEAD
 * and OPTIONS, responds 405 to other methods, and sets the CORS headers.
 */
export function methods(handlers: Partial<Record<Method, Handler>>): Handler {
  const allowed = [...Object.keys(handlers), ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS']

  return async (args) => {
    const { request, context } = args
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
    // Any origin is safe: browsers never add a bearer token by themselves, as they do with cookies.
    response.headers.set('Access-Control-Allow-Origin', '*')
    response.headers.set('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After')
    if (method === 'OPTIONS') {
      response.headers.set('Access-Control-Allow-Methods', allowed.join(', '))
      response.headers.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Visitor-Token')
      response.headers.set('Access-Control-Max-Age', '86400')
    }
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    return response
  }
}

/** Responds 404, whatever the method and without authentication. */
export async function noSuchRoute({ context }: Args): Promise<Response> {
  return problem(new AppError('not_found', 'There is no such address in the API.'), context)
}

/** Validates `input`. Throws invalid_input with the messages by field, titled `title`. */
export function parse<Value>(schema: z.ZodType<Value>, input: unknown, title?: string): Value {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const fields: Record<string, string[]> = {}
  for (const { path, message } of parsed.error.issues) {
    const name = path.join('.') || 'body'
    fields[name] = [...(fields[name] ?? []), message]
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
