import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node'
import type { z } from 'zod'
import type { Actor } from '../../server/actor'
import { AppError } from '../../server/errors'
import { readBody } from './body.server'
import { methodNotAllowed, problem } from './problem.server'

export interface ApiCall<Body> {
  actor: Actor
  app: AppLoadContext['app']
  context: AppLoadContext
  request: Request
  /** Checked by the endpoint's schema; undefined without one. */
  body: Body
  query: URLSearchParams
  /** A part of the path; throws not_found where it is missing or empty. */
  param(name: string): string
}

interface Endpoint<Body> {
  /** Of the body. Without it a body is not read. */
  schema?: z.ZodType<Body>
  /** Takes the text fields of forms beside JSON. */
  form?: boolean
  /** Of the answer; 200 unless said. */
  status?: number
  /** What it returns is sent as JSON; a Response is sent as it is. */
  handler(call: ApiCall<Body>): unknown
}

type Args = LoaderFunctionArgs | ActionFunctionArgs
type Answer = (args: Args) => Promise<Response>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * One method of a /v1 route: the bearer's Actor, the body by its schema, the call, and JSON or a problem detail.
 * Every failure is an answer; nothing is thrown.
 */
export function api<Body = undefined>({ schema, form = false, status = 200, handler }: Endpoint<Body>): Answer {
  return async ({ context, request, params }) => {
    try {
      const actor = await context.app.identity.actorFromBearer(request)
      const body = schema ? parse(schema, await readBody(request, form)) : (undefined as Body)
      const param = (name: string) => params[name] || missing()
      const query = new URL(request.url).searchParams
      const result = await handler({ actor, app: context.app, context, request, body, query, param })
      return result instanceof Response ? result : json(result, status)
    } catch (error) {
      return problem(error, context)
    }
  }
}

/**
 * All methods of a /v1 route, to be exported as its loader and as its action. Adds what all share: HEAD and OPTIONS,
 * 405 for other methods, and the headers by which pages of other sites may ask.
 */
export function methods(answers: Partial<Record<Method, Answer>>): Answer {
  const allowed = [...Object.keys(answers), ...(answers.GET ? ['HEAD'] : []), 'OPTIONS']

  return async (args) => {
    const { request, context } = args
    const method = request.method.toUpperCase()
    const answer = answers[(method === 'HEAD' ? 'GET' : method) as Method]
    const response =
      method === 'OPTIONS'
        ? new Response(null, { status: 204, headers: { Allow: allowed.join(', ') } })
        : answer
          ? await answer(args)
          : methodNotAllowed(allowed, context.requestId)
    // A stream that nobody reads would go on until its source is at rest.
    if (method === 'HEAD') await response.body?.cancel()
    // Any origin: a bearer is put into a request by its sender, never by a browser on its own as a cookie is.
    response.headers.set('Access-Control-Allow-Origin', '*')
    response.headers.set('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After')
    if (method === 'OPTIONS') {
      response.headers.set('Access-Control-Allow-Methods', allowed.join(', '))
      response.headers.set('Access-Control-Allow-Headers', 'Authorization, Content-Type')
      response.headers.set('Access-Control-Max-Age', '86400')
    }
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    return response
  }
}

/** For an address that leads nowhere, whatever the method and whoever asks. */
export async function noSuchRoute({ context }: Args): Promise<Response> {
  return problem(new AppError('not_found', 'There is no such address in the API.'), context)
}

/** Throws invalid_input with the messages of each field. */
export function parse<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const fields: Record<string, string[]> = {}
  for (const { path, message } of parsed.error.issues) {
    const name = path.join('.') || 'body'
    fields[name] = [...(fields[name] ?? []), message]
  }
  const [first] = parsed.error.issues
  throw new AppError('invalid_input', first?.message ?? 'The request is not valid.', { details: { fields } })
}

function json(value: unknown, status: number): Response {
  if (value === undefined) return new Response(null, { status: 204 })
  return new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json; charset=utf-8' } })
}

function missing(): never {
  throw new AppError('not_found', 'This does not exist or you do not have access to it.')
}
