import { createServer, type Server } from 'node:http'
import express, { type RequestHandler } from 'express'
import type { App } from '../app'
import { hasBearer } from './bearer-token'

/** Responds with the metrics, to callers with the token if there is one. */
export function metrics({ config, readMetrics, log }: Pick<App, 'config' | 'readMetrics' | 'log'>): RequestHandler {
  const token = config.metrics?.token ?? null
  return async (req, res) => {
    if (token !== null && !hasBearer(req, token)) {
      res.set('WWW-Authenticate', 'Bearer').status(401).type('text').send('Send the METRICS_TOKEN as a bearer token.\n')
      return
    }
    try {
      const { contentType, text } = await readMetrics()
      res.type(contentType).send(text)
    } catch (error) {
      log.error({ err: error }, 'The metrics could not be read.')
      res.status(503).type('text').send('The metrics could not be read. The log of the server says why.\n')
    }
  }
}

/** Serves the metrics alone, on a port that only those who watch the installation reach. */
export function createMetricsServer(app: Pick<App, 'config' | 'readMetrics' | 'log'>): Server {
  const site = express()
  site.disable('x-powered-by')
  site.get('/metrics', metrics(app))
  return createServer(site)
}
