import { existsSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { join } from 'node:path'
import { createRequestHandler } from '@remix-run/express'
import type { ServerBuild } from '@remix-run/node'
import compression from 'compression'
import express, { type ErrorRequestHandler } from 'express'
import type { App } from '../app'
import { bodyDeadline } from './body-deadline'
import { createContext } from './create-context'
import { healthz, readyz } from './health'
import { abortSignals, type Locals, leftBodies, requestIds, rightHost, securityHeaders } from './middleware'
import { knownMethods, originForm, type Refusal, refuse, unreadable } from './refusal'
import { readableAddress, sameOriginOnly } from './request-checks'

export interface EdgeBuild {
  /** The Remix build, or how to get it anew for each request in development. */
  build: ServerBuild | (() => Promise<ServerBuild>)
  /** Adds what serves assets: the built files, or Vite. */
  assets(express: express.Express, server: Server): Promise<void>
  development: boolean
}

/** A search may have 10,000 characters, of which each takes up to nine in an address. */
const longestHead = 128 * 1024

/** One server for everything: sign-in, pages, /v1, assets. */
export async function createServer(app: App, edge: EdgeBuild): Promise<Server> {
  const site = express()
  const server = createHttpServer({ maxHeaderSize: longestHead }, site)
  // For large uploads over a slow line; other bodies have less, see bodyDeadline. Headers keep their one minute.
  server.requestTimeout = 30 * 60_000
  site.disable('x-powered-by')
  site.set('trust proxy', app.config.trustedProxies)
  site.use(requestIds(app.log), abortSignals(), leftBodies(), bodyDeadline())
  const { publicUrl, externalIssuer } = app.config
  const formTargets = externalIssuer ? [new URL(externalIssuer.issuer).origin] : []
  const https = publicUrl.startsWith('https:')
  site.use(securityHeaders({ https, development: edge.development, formTargets }))
  site.use(originForm(), knownMethods(), readableAddress())
  site.get('/healthz', healthz)
  site.get('/readyz', readyz(app))
  site.use(rightHost(publicUrl))
  site.use(compression())
  await edge.assets(site, server)
  site.use(app.identity.router)
  site.use(sameOriginOnly(publicUrl))
  const handler = createRequestHandler({
    build: edge.build,
    mode: edge.development ? 'development' : 'production',
    getLoadContext: (req, res) => {
      ;(res.locals as Reading).reading = false
      return { ...createContext(app, req, res) }
    },
  })
  site.use((_req, res, next) => {
    ;(res.locals as Reading).reading = true
    next()
  })
  site.all('*', handler)
  site.use(lastResort(app))
  return server
}

/** The adapter makes the request before it asks for the context: what fails until then is the sender's mistake. */
interface Reading {
  reading?: boolean
}

/** The built files. A missing asset is a plain 404, never a page. */
export function builtAssets(clientFolder: string): EdgeBuild['assets'] {
  return async (site) => {
    if (!existsSync(clientFolder)) throw new Error(`${clientFolder} is missing: run npm start, which builds it.`)
    site.use('/assets', express.static(join(clientFolder, 'assets'), { immutable: true, maxAge: '1y', index: false }))
    site.use('/assets', (_req, res) => void res.status(404).type('text').send('Not found'))
    site.use(express.static(clientFolder, { maxAge: '1h', index: false }))
    // A name with an ending is a file, and none of ours: pages have no ending. /help and /v1 have their own answers.
    site.use((req, res, next) => {
      if (!/\.[a-z0-9]{1,5}$/i.test(req.path) || /^\/(v1|help|oidc)\//.test(req.path) || req.path.endsWith('.data'))
        return next()
      res.status(404).type('text').send('Not found')
    })
  }
}

function lastResort(app: App): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const { requestId, reading, signal } = res.locals as Partial<Locals> & Reading
    const status = reading ? unreadable.status : statusOf(error)
    // Who closes the connection stops the work by that: nothing failed, and nobody is left to be told.
    if (signal?.aborted && error instanceof Error && error.name === 'AbortError') {
      res.destroy()
      return
    }
    if (status >= 500) app.log.error({ err: error, requestId }, 'A request failed.')
    if (res.headersSent) return next(error)
    refuse(req, res, status >= 500 ? failed : { ...unreadable, status })
  }
}

const failed: Refusal = {
  status: 500,
  code: 'internal',
  title: 'Something went wrong',
  message: 'Something went wrong. Try again later.',
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  return status >= 400 && status < 500 ? status : 500
}
