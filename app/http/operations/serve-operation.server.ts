import type { AppLoadContext } from '@remix-run/node'
import type { Operation } from '../../../contract/api/operation'
import type { Actor } from '../../../server/actor'
import { isAppError } from '../../../server/errors'
import type { AnyHandler } from '../api/handler.server'
import { parse } from '../api/parse.server'
import { problem } from '../api/problem.server'
import { anonymousLimit, maxBodyBytes, readBody } from '../body.server'
import { openAiFailure } from '../streams/openai.server'
import {
  type Args,
  authenticate,
  authenticateAgain,
  newReply,
  type Reply,
  rateLimitAnonymous,
  setRate,
} from './callers.server'

export interface Endpoint {
  operation: Operation
  handler: AnyHandler
}

type Params = Readonly<Record<string, string>>

/**
 * Serves a call of an operation: authenticates it, counts it toward the plan, validates query and body, calls the handler
 * and responds with JSON, or with an error in the operation's format. Never throws.
 */
export async function serveOperation(endpoint: Endpoint, args: Args, params: Params): Promise<Response> {
  const reply = newReply()
  const response = await handle(endpoint, args, params, reply).catch((error: unknown) => {
    if (isAppError(error) && error.details.rate) setRate(reply.headers, error.details.rate)
    const described = problem(error, args.context)
    return endpoint.operation.errorFormat === 'openai' ? openAiFailure(described) : described
  })
  if (isRejection(response.status)) reply.refund()
  for (const [name, value] of reply.headers) response.headers.set(name, value)
  return response
}

async function handle({ operation, handler }: Endpoint, args: Args, params: Params, reply: Reply): Promise<Response> {
  const { context, request } = args
  context.noteCall({ route: operation.path })
  await rateLimitAnonymous(operation, args, reply)
  const actor = await authenticate(operation, args, reply)
  const organizationId = organizationIn(params)
  context.noteCall({ actor, organizationId })
  // Before the body: who may not make the call at all learns nothing of what it takes.
  if (actor) context.authorizeRole(actor, operation.role ?? 'viewer', organizationId)
  const body = await bodyOf(operation, request, actor)
  const query = queryOf(operation, request)
  const visitorToken = request.headers.get('x-visitor-token')
  const reauthenticate = () => authenticateAgain(args)
  const call = {
    services: context.services,
    context,
    request,
    actor,
    reauthenticate,
    params,
    query,
    body,
    visitorToken,
  }
  const work = async () => {
    // The router calls each handler with the operation of its own id, which its type cannot say.
    const result = await handler(call as Parameters<AnyHandler>[0])
    return result instanceof Response ? result : json(result, operation.status ?? 200)
  }
  return operation.meteredByHandler ? work() : countRequest(actor, organizationId, context, work)
}

function bodyOf(operation: Operation, request: Request, actor: Actor | null): Promise<unknown> {
  const { body, form = false, optional = false, invalidTitle, maxTextLength } = operation
  if (!body) return Promise.resolve(undefined)
  const isKnown = actor !== null && !('keyType' in actor && actor.keyType === 'public')
  const maxBytes = isKnown ? maxBodyBytes : anonymousLimit(maxTextLength)
  return readBody(request, { form, optional, maxBytes }).then((fields) => parse(body, fields, invalidTitle))
}

function queryOf({ query, repeatable = [] }: Operation, request: Request): unknown {
  if (!query) return undefined
  const { searchParams } = new URL(request.url)
  const lists = repeatable.filter((name) => searchParams.has(name)).map((name) => [name, searchParams.getAll(name)])
  return parse(query, { ...Object.fromEntries(searchParams), ...Object.fromEntries(lists) })
}

/**
 * Counts the call toward the plan of the organization that it concerns: the key's, or the one in the path if the person
 * belongs to it. A call that is rejected does not count. Throws quota_exceeded, and the errors of `work`.
 */
function countRequest(
  actor: Actor | null,
  named: string | null,
  { services }: AppLoadContext,
  work: () => Promise<Response>,
): Promise<Response> {
  if (actor === null || actor.kind === 'system') return work()
  const isMember = actor.kind === 'person' && actor.memberships.some(({ organizationId }) => organizationId === named)
  const organizationId = actor.kind === 'person' ? (isMember ? named : null) : actor.organizationId
  if (organizationId === null) return work()
  return services.monthlyLimits.count(actor, organizationId, 'apiRequests', work, {
    isCounted: ({ status }) => !isRejection(status),
  })
}

/** The organization in the path of a call; null without one. */
function organizationIn(params: Params): string | null {
  return params.orgId ?? params.organizationId ?? null
}

function isRejection(status: number): boolean {
  return status >= 400 && status < 500
}

function json(value: unknown, status: number): Response {
  if (value === undefined) return new Response(null, { status: 204 })
  return new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json; charset=utf-8' } })
}
