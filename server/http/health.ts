import { createServer, type Server } from 'node:http'
import { sql } from 'drizzle-orm'
import express, { type Request as ExpressRequest, type RequestHandler } from 'express'
import type { App } from '../app'
import { metrics } from './metrics'

/** Responds as long as the process runs. Platform administrators also see its version. */
export function healthz(app: Pick<App, 'identity' | 'version'>): RequestHandler {
  return async (req, res) => {
    res.json((await isStaff(app, req)) ? { ok: true, version: app.version } : { ok: true })
  }
}

async function isStaff({ identity }: Pick<App, 'identity'>, req: ExpressRequest): Promise<boolean> {
  const { cookie, authorization } = req.headers
  if (cookie === undefined && authorization === undefined) return false
  try {
    const headers = { ...(cookie ? { cookie } : {}), ...(authorization ? { authorization } : {}) }
    const request = new Request('http://localhost/healthz', { headers })
    const actor = authorization
      ? await identity.recheckBearer(request)
      : ((await identity.actorFromCookie(request))?.actor ?? null)
    return actor?.staff ?? false
  } catch {
    // The database may be away.
    return false
  }
}

/**
 * Responds 200 if the database responds and none of its pages is known to be damaged. Without an embedding model, keyword
 * search is ready, and `search` says so.
 */
export function readyz(app: Pick<App, 'db' | 'databaseCheck' | 'services'>): RequestHandler {
  return (_req, res, next) => {
    app.db.read
      .execute(sql`select hash from migrations limit 1`)
      .then(() => {
        const isSound = app.databaseCheck.damage() === null
        const embedding = app.services.embedding.state()
        const search = embedding.kind === 'ready' ? 'hybrid' : 'keyword'
        res
          .status(isSound ? 200 : 503)
          .json({ ok: isSound, database: isSound ? 'ready' : 'damaged', embedding, search })
      })
      .catch(next)
  }
}

/** What a process without a site serves, for those who watch over it. */
export function createHealthServer(
  app: Pick<App, 'db' | 'databaseCheck' | 'services' | 'config' | 'readMetrics' | 'log' | 'identity' | 'version'>,
): Server {
  const site = express()
  site.disable('x-powered-by')
  site.get('/healthz', healthz(app))
  site.get('/readyz', readyz(app))
  if (app.config.metrics?.port === null) site.get('/metrics', metrics(app))
  return createServer(site)
}
