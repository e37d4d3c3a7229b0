import type { RequestHandler } from 'express'
import { isSameOrigin } from '../identity/same-origin'
import { isApi, type Refusal, refuse, unreadable } from './refusal'

const foreign: Refusal = {
  status: 403,
  code: 'forbidden',
  title: 'Not allowed',
  message: 'This request was sent from another site, so nothing was done.',
}

/**
 * Refuses requests to pages that change something and come from another site: browsers send cookies along with those.
 * Calls under /v1 carry a bearer token, which no browser sends by itself. Answers 403.
 */
export function sameOriginOnly(publicUrl: string): RequestHandler {
  return (req, res, next) => {
    // With this ending the request comes from the router of a page, also under /v1.
    const isPage = !isApi(req) || req.path.endsWith('.data')
    if (!isPage) return next()
    if (!isSameOrigin({ method: req.method, header: (name) => req.get(name) }, publicUrl))
      return refuse(req, res, foreign)
    // Remix repeats the check for these two headers and fails on values that it does not expect.
    if (req.headers.origin !== publicUrl) delete req.headers.origin
    delete req.headers['x-forwarded-host']
    next()
  }
}

/**
 * Refuses addresses that cannot be decoded, control characters in a path, and NUL in a query, before a route reads an
 * id or a text from them. Answers 400.
 */
export function readableAddress(): RequestHandler {
  return (req, res, next) => (isReadable(req.url) ? next() : refuse(req, res, unreadable))
}

function isReadable(address: string): boolean {
  const [path = '', query = ''] = address.split(/\?(.*)/s)
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path)) && !/%00/.test(query)
  } catch {
    return false
  }
}
