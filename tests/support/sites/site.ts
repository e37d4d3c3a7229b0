import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lampPages } from './lamp-pages'

/** What a path answers. A plain string is an HTML page. `{origin}` in texts becomes the site's own origin. */
export interface SitePage {
  status?: number
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Milliseconds before the head is sent; 'never' keeps the connection open without an answer. */
  delayMs?: number | 'never'
}

export type SiteAnswer = string | SitePage | ((request: SiteRequest) => string | SitePage)

export interface SiteRequest {
  method: string
  /** Path with query. */
  path: string
  headers: Record<string, string>
  /** Milliseconds since the site started. */
  at: number
}

export interface Site {
  origin: string
  port: number
  /** Every request in order, answered or not. */
  requests: SiteRequest[]
  /** Adds or replaces what a path answers; null takes it away. */
  set(path: string, answer: SiteAnswer | null): void
  /** Paths of the requests in order, without robots.txt and favicon.ico. */
  visited(): string[]
  close(): Promise<void>
}

export interface SiteOptions {
  /** Loopback address to listen on. */
  host?: string
  /** Answers paths that are not in `pages`. The default is a plain 404. */
  otherwise?: SiteAnswer
}

/**
 * Starts a scriptable web site on a free port of 127.0.0.1. Pages carry an ETag and answer 304 to it, unless they set
 * headers of their own for that. A path is looked up with its query first, then without.
 */
export async function startSite(pages: Record<string, SiteAnswer>, options: SiteOptions = {}): Promise<Site> {
  const answers = new Map(Object.entries(pages))
  const requests: SiteRequest[] = []
  const started = Date.now()
  const host = options.host ?? '127.0.0.1'
  let origin = ''

  const server = createServer((incoming, response) => {
    const request = describeRequest(incoming, Date.now() - started)
    requests.push(request)
    const path = request.path.split('?')[0] ?? ''
    const answer = answers.get(request.path) ?? answers.get(path) ?? options.otherwise ?? notFound
    const page = typeof answer === 'function' ? answer(request) : answer
    respond(request, response, typeof page === 'string' ? { body: page } : page, origin)
  })
  server.keepAliveTimeout = 1000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  server.unref()

  return {
    origin,
    port,
    requests,
    set(path, answer) {
      if (answer === null) answers.delete(path)
      else answers.set(path, answer)
    },
    visited: () =>
      requests.map((request) => request.path).filter((path) => path !== '/robots.txt' && path !== '/favicon.ico'),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const notFound: SitePage = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' }

function describeRequest(incoming: IncomingMessage, index: number): SiteRequest {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value)
  return { method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers, at: index }
}

function respond(request: SiteRequest, response: ServerResponse, page: SitePage, origin: string): void {
  if (page.delayMs === 'never') return
  if (page.delayMs) {
    setTimeout(() => respond(request, response, { ...page, delayMs: 0 }, origin), page.delayMs)
    return
  }
  const body = typeof page.body === 'string' ? Buffer.from(page.body.replaceAll('{origin}', origin)) : (page.body ?? '')
  const headers: Record<string, string> = { 'content-type': guessType(request.path) }
  for (const [name, value] of Object.entries(page.headers ?? {})) {
    headers[name.toLowerCase()] = value.replaceAll('{origin}', origin)
  }
  const status = page.status ?? 200
  if (status === 200 && !headers.etag) headers.etag = `"${fingerprint(body)}"`
  if (status === 200 && request.headers['if-none-match'] === headers.etag) {
    response.writeHead(304, { etag: headers.etag ?? '' }).end()
    return
  }
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
}

function guessType(path: string): string {
  if (/\.xml(\?|$)/.test(path)) return 'application/xml; charset=utf-8'
  if (/\.(txt|md)(\?|$)/.test(path)) return 'text/plain; charset=utf-8'
  if (/\.pdf(\?|$)/.test(path)) return 'application/pdf'
  return 'text/html; charset=utf-8'
}

/** FNV-1a: enough to see that a page changed. */
function fingerprint(body: string | Uint8Array): string {
  let hash = 0x811c9dc5
  for (const byte of typeof body === 'string' ? Buffer.from(body) : body) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16)
}

/** Starts the fixture shop of `lamp-pages.ts`; `changes` replace or, with null, take away single paths. */
export async function lampSite(changes: Record<string, SiteAnswer | null> = {}): Promise<Site> {
  const site = await startSite(lampPages())
  for (const [path, answer] of Object.entries(changes)) site.set(path, answer)
  return site
}
