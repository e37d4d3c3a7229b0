import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ServerBuild } from '@remix-run/node'
import pino from 'pino'
import { type App, createApp, type Overrides } from '../../../server/app'
import { readConfig } from '../../../server/config/config'
import { createServer, type EdgeBuild } from '../../../server/http/create-server'
import { clusterEnvironment } from '../database/cluster'
import { newDataFolder } from '../database/data-folder'
import { noRetryDelays } from '../no-retry-delays'
import { sharedExtractor } from '../shared-extractor'
import { watchResponses } from './described-responses'
import type { RouteNode } from './route-tree'

/**
 * A route's module by its path, such as `'v1/auth/me': await import('../../../app/routes/v1+/auth.me')`. A path that ends
 * with a slash is the layout of the paths under it.
 */
export type RouteModules = Record<string, Record<string, unknown>>

export interface WebSite {
  app: App
  origin: string
  /** Where it really listens. */
  listening: string
  server: Server
  close(): Promise<void>
}

const widgetFolder = fileURLToPath(new URL('../../../build/widget', import.meta.url))

/** The whole server on 127.0.0.1, with just these routes and no jobs: the request handler is the real one. `edge` replaces the routes by a build. */
export async function startWebSite(
  routes: RouteModules | RouteNode[],
  environment: Record<string, string> = {},
  overrides: Overrides = {},
  edge: Partial<Pick<EdgeBuild, 'build' | 'assets'>> = {},
): Promise<WebSite> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const dataDir = await newDataFolder()
  const input = {
    ...{ DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: origin, NODE_ENV: 'test', STAFF_MFA: 'off' },
    ...(await clusterEnvironment(dataDir)),
    ...environment,
  }
  const config = readConfig(input)
  const app = await createApp(config, {
    log: pino({ level: 'silent' }),
    embedder: async () => null,
    extractor: sharedExtractor(config.embedding.modelFolder),
    retryDelaysMs: noRetryDelays,
    ...overrides,
  })
  const served = { build: buildOf(routes), development: false, assets: async () => {}, widgetFolder, ...edge }
  const server = await createServer(app, served)
  const undescribedResponses = watchResponses(server)
  await listen(server, port)
  const listening = `http://127.0.0.1:${port}`
  app.listensOn(listening)
  return {
    app,
    origin,
    listening,
    server,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await app.close()
      const undescribed = undescribedResponses()
      if (undescribed.length > 0) throw new Error(`/v1/openapi.json is wrong:\n${undescribed.join('\n')}`)
    },
  }
}

function nodesOf(modules: RouteModules) {
  const layouts = Object.keys(modules).filter((path) => path.endsWith('/'))
  return Object.entries(modules).map(([path, module]) => {
    const layout = layouts.find((prefix) => path !== prefix && path.startsWith(prefix))
    const isLayout = layouts.includes(path)
    return { id: path, path: isLayout ? undefined : path, parentId: layout ?? 'root', module }
  })
}

function buildOf(input: RouteModules | RouteNode[]): ServerBuild {
  const root = { id: 'root', path: '', module: { default: () => null } }
  const routes = Array.isArray(input) ? input : nodesOf(input)
  return {
    entry: { module: { default: respond, handleError: () => {} } },
    routes: Object.fromEntries([root, ...routes].map((route) => [route.id, route])),
    assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '' },
    publicPath: '/',
    assetsBuildDirectory: '',
    future: {
      v3_fetcherPersist: true,
      v3_relativeSplatPath: true,
      v3_throwAbortReason: true,
      v3_singleFetch: true,
      v3_lazyRouteDiscovery: true,
      v3_routeConfig: false,
      unstable_optimizeDeps: false,
    },
    isSpaMode: false,
    mode: 'production',
  } as unknown as ServerBuild
}

function respond(_request: Request, status: number, headers: Headers): Response {
  return new Response('A page', { status, headers })
}

async function freePort(): Promise<number> {
  const { createServer: listenSomewhere } = await import('node:net')
  const probe = listenSomewhere()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}
