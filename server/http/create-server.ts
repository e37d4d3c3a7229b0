import { existsSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { join } from 'node:path'
import { createRequestHandler } from '@remix-run/express'
import type { ServerBuild } from '@remix-run/node'
import compression from 'compression'
import express, { type ErrorRequestHandler } from 'express'
import type { App } from '../app'
import { bodyDeadline } from './body-deadline'
import { compressedFiles } from './compressed-files'
import { createContext } from './create-context'
import { healthz, readyz } from './health'
import { localCalls } from './local-calls'
import { metrics } from './metrics'
import {
  abortSignals,
  discardUnreadBodies,
  type Locals,
  requestIds,
  requirePublicHost,
  securityHeaders,
} from './middleware'
import {
  type Rejection,
  rejectOptionsOfPages,
  rejectUnknownMethods,
  rejectWellKnown,
  sendRejection,
  toOriginForm,
  unreadable,
} from './rejection'
import { rejectRebinding, rejectUnreadableAddresses, sameOriginOnly } from './request-checks'
import { requestLog } from './request-log'
import { createRouteLabels } from './route-label'
import { widgetFiles, widgetPath } from './widget-files'

export interface EdgeBuild {
  /** The Remix build, or in development a function that loads the current one for each request. */
  build: ServerBuild | (() => Promise<ServerBuild>)
  /** Adds the handlers of assets: the built files, or Vite. */
  assets(express: express.Express, server: Server): Promise<void>
  development: boolean
  /** The built widget. */
  widgetFolder: string
}

/** A query of a search has up to 10,000 characters, and each takes up to nine bytes in a URL. */
const maxHeaderBytes = 128 * 1024

/** One server for everything: sign-in, pages, /v1, assets; with a `localToken`, also for the command line. */
export async function createServer(app: App, edge: EdgeBuild, localToken?: string): Promise<Server> {
  const site = express()
  const server = createHttpServer({ maxHeaderSize: maxHeaderBytes }, site)
  // For large uploads over slow connections. Other bodies have less time (see bodyDeadline), and headers one minute.
  server.requestTimeout = 30 * 60_000
  site.disable('x-powered-by')
  site.set('trust proxy', app.config.trustedProxies)
  const { logRequests, visitorIp } = app.config
  const labels = createRouteLabels()
  site.use(
    requestIds(),
    requestLog({
      log: app.log,
      visitorIp,
      isOn: logRequests,
      onEnd: ({ method, route, status, durationMs }) =>
        app.metrics?.requestEnded({
          method: labels.method(method),
          route: labels.route(route, status),
          status,
          durationMs,
        }),
    }),
  )
  site.use(abortSignals(), discardUnreadBodies(), bodyDeadline())
  const { publicUrl, externalIssuer } = app.config
  const formTargets = externalIssuer ? [new URL(externalIssuer.issuer).origin] : []
  const https = publicUrl.startsWith('https:')
  site.use(securityHeaders({ https, development: edge.development, formTargets }))
  site.use(toOriginForm(), rejectUnknownMethods(), rejectUnreadableAddresses())
  site.get('/healthz', healthz(app))
  site.get('/readyz', readyz(app))
  if (app.config.metrics?.port === null) site.get('/metrics', metrics(app))
  if (localToken !== undefined) site.use(localCalls(app, localToken))
  site.use(requirePublicHost(publicUrl), rejectRebinding(publicUrl))
  site.use(compression())
  site.get(widgetPath, widgetFiles(edge.widgetFolder))
  await edge.assets(site, server)
  site.use(rejectWellKnown())
  site.use(app.identity.router)
  site.use(rejectOptionsOfPages(), sameOriginOnly(publicUrl))
  const handler = createRequestHandler({
    build: edge.build,
    mode: edge.development ? 'development' : 'production',
    getLoadContext: (req, res) => {
      ;(res.locals as Parsing).isParsing = false
      return { ...createContext(app, edge.widgetFolder, req, res) }
    },
  })
  site.use((_req, res, next) => {
    ;(res.locals as Parsing).isParsing = true
    next()
  })
  site.all('*', handler)
  site.use(errorHandler(app))
  return server
}

/** Remix builds its request before it asks for the context: an error until then is a fault of the client's request. */
interface Parsing {
  isParsing?: boolean
}

/** The built files. A missing asset is a plain 404, never a page. */
export function builtAssets(clientFolder: string): EdgeBuild['assets'] {
  return async (site) => {
    if (!existsSync(clientFolder)) throw new Error(`${clientFolder} is missing: run npm start, which builds it.`)
    site.use('/assets', compressedFiles(join(clientFolder, 'assets'), { immutable: true, maxAge: '1y' }))
    site.use('/assets', (_req, res) => void res.status(404).type('text').send('Not found'))
    site.use('/fonts', express.static(join(clientFolder, 'fonts'), { immutable: true, maxAge: '1y' }))
    site.use(compressedFiles(clientFolder, { maxAge: '1h' }))
    // No page has an extension, so such a path names a missing file. These have their own responses.
    const routes = /^\/((v1|help|oidc)\/|robots\.txt$|sitemap\.xml$)/
    site.use((req, res, next) => {
      if (!/\.[a-z0-9]{1,5}$/i.test(req.path) || routes.test(req.path) || req.path.endsWith('.data')) return next()
      res.status(404).type('text').send('Not found')
    })
  }
}

function errorHandler(app: App): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const { requestId, isParsing, signal } = res.locals as Partial<Locals> & Parsing
    const status = isParsing ? unreadable.status : statusOf(error)
    // Closing the connection aborted the work, so nothing failed, and there is no client to respond to.
    if (signal?.aborted && error instanceof Error && error.name === 'AbortError') {
      res.destroy()
      return
    }
    if (status >= 500) app.log.error({ err: error, requestId }, 'A request failed.')
    if (res.headersSent) return next(error)
    sendRejection(req, res, status >= 500 ? failed : { ...unreadable, status })
  }
}

const failed: Rejection = {
  status: 500,
  code: 'internal',
  title: 'Something went wrong',
  message: 'Something went wrong. Try again later.',
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  return status >= 400 && status < 500 ? status : 500
}
