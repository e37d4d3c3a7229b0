import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getRouteInfo } from 'remix-flat-routes'
import type { RouteModules } from './web-site'

const folder = fileURLToPath(new URL('../../../app/routes', import.meta.url))
const options = { appDir: 'app', routeDir: 'routes', basePath: '/', paramPrefixChar: '$', nestedDirectoryChar: '+' }

/** All routes of the product but /v1 and /mcp, by their paths. Where a layout and its first page share one, the one that acts. */
export async function pageRoutes(): Promise<RouteModules> {
  const routes: RouteModules = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || isForPrograms(name)) continue
    const path = getRouteInfo('routes', name, options).path?.replace(/^\//, '')
    if (!path) continue
    const module = await import(`${folder}/${name}`)
    if (!routes[path]?.action) routes[path] = module
  }
  return routes
}

/** Whether a file of app/routes answers programs, which send a credential with each call. */
export function isForPrograms(file: string): boolean {
  return /^(v1\+\/|mcp(\.ts)?$)/.test(file)
}
