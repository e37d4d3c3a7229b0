import { match } from 'path-to-regexp'
import {
  acceptsPublicKey,
  type Method,
  methods,
  type Operation,
  type Operations,
} from '../../../contract/api/operation'
import { operations } from '../../../contract/api/operations'
import { AppError } from '../../../server/errors'
import type { Handlers } from '../api/handler.server'
import { methodNotAllowed, problem } from '../api/problem.server'
import { type Args, setPreflightOrigin } from './callers.server'
import { handlers } from './handlers/handlers.server'
import { type Endpoint, serveOperation } from './serve-operation.server'

type Params = Readonly<Record<string, string>>
type Route = (args: Args) => Promise<Response>

/** The operations of one path. */
interface Resource {
  match(pathname: string): Params | null
  /** Empty where there is nothing at the path. */
  endpoints: Partial<Record<Method, Endpoint>>
  /** Methods of the path, with those that every resource has. */
  methods: string[]
  acceptsPublicKey: boolean
  isSameOrigin: boolean
}

/** Serves a request to the HTTP API: the function that its routes export as loader and action. */
export const serveApi = createRouter(operations, handlers)

/**
 * Creates the router of a table. It adds HEAD and OPTIONS to each path, responds 405 to other methods and 404 to other paths,
 * and sets the CORS headers.
 */
export function createRouter<Table extends Operations>(table: Table, handlersOfTable: Handlers<Table>): Route {
  const endpoints = Object.entries(table).map(
    ([id, operation]): Endpoint => ({
      operation,
      handler: handlersOfTable[id] as Endpoint['handler'],
    }),
  )
  const resources = resourcesOf(endpoints)
  // First parts of paths that are no organization's id.
  const reserved = new Set<string | undefined>(endpoints.map(({ operation }) => operation.path.split('/')[2] ?? ''))

  return async (args) => {
    const { pathname } = new URL(args.request.url)
    for (const resource of resources) {
      const params = resource.match(pathname)
      if (params && !reserved.has(params.orgId)) return serve(resource, args, params)
    }
    return serve(noSuchResource, args, {})
  }
}

/** What is at any other path: 404, whatever the method of HTTP and without authentication. */
const noSuchResource: Resource = {
  match: () => null,
  endpoints: {},
  methods: [...methods, 'HEAD', 'OPTIONS'],
  acceptsPublicKey: false,
  isSameOrigin: false,
}

/** The paths of a table with their operations. A path with a fixed part is matched before one with a parameter there. */
function resourcesOf(endpoints: Endpoint[]): Resource[] {
  const byPath = new Map<string, Endpoint[]>()
  for (const endpoint of endpoints) {
    const { path } = endpoint.operation
    byPath.set(path, [...(byPath.get(path) ?? []), endpoint])
  }
  const paths = [...byPath].sort(([a], [b]) => parameterPositions(a).localeCompare(parameterPositions(b)))
  return paths.map(([path, ofPath]) => resourceOf(path, ofPath))
}

/** Sorts fixed parts before parameters, from left to right: '010' for '/a/{b}/c'. */
function parameterPositions(path: string): string {
  return path
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') ? '1' : '0'))
    .join('')
}

function resourceOf(path: string, endpoints: Endpoint[]): Resource {
  const matchPath = match<Record<string, string>>(path.replaceAll(/\{(\w+)\}/g, ':$1'))
  const operationsOfPath = endpoints.map(({ operation }) => operation)
  const names = operationsOfPath.map(({ method }) => method)
  return {
    match(pathname) {
      const matched = matchPath(pathname)
      return matched ? matched.params : null
    },
    endpoints: Object.fromEntries(endpoints.map((endpoint) => [endpoint.operation.method, endpoint])),
    methods: [...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'],
    acceptsPublicKey: operationsOfPath.some(acceptsPublicKey),
    isSameOrigin: operationsOfPath.some(({ sameOrigin = false }: Operation) => sameOrigin),
  }
}

async function serve(resource: Resource, args: Args, params: Params): Promise<Response> {
  const { request, context } = args
  const method = request.method.toUpperCase()
  const endpoint = resource.endpoints[(method === 'HEAD' ? 'GET' : method) as Method]
  const response = endpoint ? await serveOperation(endpoint, args, params) : withoutEndpoint(resource, method, context)
  // A stream that is never read would keep polling until its source is idle.
  if (method === 'HEAD') await response.body?.cancel()
  // Any origin is safe: browsers never add a bearer token by themselves, as they do with cookies.
  if (!endpoint) response.headers.set('Access-Control-Allow-Origin', '*')
  allowOrigins(resource, request, response.headers)
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
  return response
}

function withoutEndpoint({ methods }: Resource, method: string, context: Args['context']): Response {
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: methods.join(', ') } })
  if (!methods.includes(method)) return methodNotAllowed(methods, context.requestId)
  return problem(new AppError('not_found', 'The API has no such route.'), context)
}

/** Completes the CORS headers of a response, or removes them where no page of another origin may read it. */
function allowOrigins({ methods, acceptsPublicKey, isSameOrigin }: Resource, request: Request, headers: Headers): void {
  if (isSameOrigin) {
    for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name)
    return
  }
  headers.set('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy')
  if (request.method.toUpperCase() !== 'OPTIONS') return
  if (acceptsPublicKey) setPreflightOrigin(request, headers)
  headers.set('Access-Control-Allow-Methods', methods.join(', '))
  headers.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Visitor-Token')
  headers.set('Access-Control-Max-Age', '86400')
}
