import type { Server } from 'node:http'

/** What Express keeps of a handler: a route, a router, or middleware. */
interface Layer {
  route?: { path: string | RegExp; methods: Record<string, boolean> }
  handle: { stack?: Layer[] }
  regexp: RegExp
}

/** The routes that Express serves itself, as `GET /reset`; those of Remix are the route '*'. */
export function mountedRoutes(server: Server): string[] {
  // Tests listen to the requests of the server, too.
  const listeners = server.listeners('request') as unknown as { _router?: { stack: Layer[] } }[]
  const site = listeners.find(({ _router }) => _router)
  if (!site?._router) throw new Error('The server has no Express application.')
  return routesIn(site._router.stack, '').filter((route) => !route.endsWith(' *'))
}

function routesIn(stack: Layer[], prefix: string): string[] {
  return stack.flatMap(({ route, handle, regexp }) => {
    if (route) return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${prefix}${route.path}`)
    return handle.stack ? routesIn(handle.stack, prefix + prefixOf(regexp)) : []
  })
}

/** Express turns the path of a router, such as /oidc, into an expression. */
function prefixOf({ source }: RegExp): string {
  const [, path = ''] = /^\^\\(\/[\w/\\-]+?)\\\/\?\(\?=/.exec(source) ?? []
  return path.replaceAll('\\', '')
}

/** The paths of the embedded provider, whose library has routes of its own, as its discovery document lists them. */
export async function providerPaths(origin: string): Promise<string[]> {
  const response = await fetch(`${origin}/oidc/.well-known/openid-configuration`)
  const found = Object.entries((await response.json()) as Record<string, unknown>)
  return found
    .filter(([name, url]) => name !== 'issuer' && typeof url === 'string' && url.startsWith(`${origin}/oidc/`))
    .map(([, url]) => new URL(String(url)).pathname)
}
