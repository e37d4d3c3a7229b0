import type { RequestHandler } from 'express'
import { isSameOrigin } from '../identity/same-origin'
import { isApi, isMcp, type Rejection, sendRejection, unreadable } from './rejection'

const crossSite: Rejection = {
  status: 403,
  code: 'forbidden',
  title: 'Not allowed',
  message: 'This request came from another site, so nothing was changed.',
}

/**
 * Rejects unsafe requests to pages from other sites with 403, because browsers add cookies to them. Calls of /v1 carry a
 * bearer token, which no browser adds by itself.
 */
export function sameOriginOnly(publicUrl: string): RequestHandler {
  return (req, res, next) => {
    // The router of a page adds this extension, under /v1 as well.
    const isPage = !isApi(req) || req.path.endsWith('.data')
    if (!isPage) return next()
    if (!isSameOrigin({ method: req.method, header: (name) => req.get(name) }, publicUrl))
      return sendRejection(req, res, crossSite)
    // Remix checks these two headers again and fails on unexpected values.
    if (req.headers.origin !== publicUrl) delete req.headers.origin
    delete req.headers['x-forwarded-host']
    next()
  }
}

const localHosts = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * The checks that the Model Context Protocol asks for against DNS rebinding: a page of another site can neither call as
 * itself (403), nor under a name of its own that resolves to this server (421).
 */
export function rejectRebinding(publicUrl: string): RequestHandler {
  const { host, origin } = new URL(publicUrl)
  return (req, res, next) => {
    if (!isMcp(req)) return next()
    const requested = req.get('host') ?? ''
    if (requested !== host && !localHosts.test(requested)) return sendRejection(req, res, wrongHost(publicUrl))
    const caller = req.get('origin')
    if (caller !== undefined && caller !== origin) return sendRejection(req, res, crossSite)
    next()
  }
}

function wrongHost(publicUrl: string): Rejection {
  const message = `This server answers at ${publicUrl}. Connect to ${publicUrl}/mcp.`
  return { status: 421, code: 'wrong_host', title: 'Another address', message }
}

/**
 * Rejects URLs that cannot be decoded, control characters in a path, and NUL in a query with 400, before a route reads
 * an id or a text from them.
 */
export function rejectUnreadableAddresses(): RequestHandler {
  return (req, res, next) => (isReadable(req.url) ? next() : sendRejection(req, res, unreadable))
}

function isReadable(address: string): boolean {
  const [path = '', query = ''] = address.split(/\?(.*)/s)
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path)) && !/%00/.test(query)
  } catch {
    return false
  }
}
