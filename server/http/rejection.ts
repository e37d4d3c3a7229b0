import type { Request, RequestHandler, Response } from 'express'

export interface Rejection {
  status: number
  code: string
  title: string
  /** Safe to show. */
  message: string
}

const allowedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export const unreadable: Rejection = {
  status: 400,
  code: 'invalid_input',
  title: 'The request is not valid',
  message: 'This request is unreadable.',
}

/** Responds to a request that reaches no route: a problem detail (RFC 9457) to programs, a line of text elsewhere. */
export function sendRejection(req: Request, res: Response, { status, code, title, message }: Rejection): void {
  res.status(status)
  if (!isApi(req) && !wantsJson(req) && !isWellKnown(req)) return void res.type('text').send(message)
  res.set('Cache-Control', 'no-store')
  if (!isMcp(req)) res.set('Access-Control-Allow-Origin', '*')
  res.type('application/problem+json').send(
    JSON.stringify({
      type: `urn:sitelore:problem:${code}`,
      title,
      status,
      detail: message,
      instance: `urn:uuid:${res.getHeader('X-Request-Id')}`,
      code,
      message,
    }),
  )
}

/** Responds 405 to methods that no route has. Remix cannot represent some of them, such as TRACE. */
export function rejectUnknownMethods(): RequestHandler {
  return (req, res, next) => {
    if (allowedMethods.includes(req.method)) return next()
    const message = `Use ${allowedMethods.join(', ')}.`
    res.set('Allow', allowedMethods.join(', '))
    sendRejection(req, res, { status: 405, code: 'method_not_allowed', title: 'Method not allowed', message })
  }
}

/** Responds 405 to OPTIONS of a page: Remix would fail, and log it as an error. */
export function rejectOptionsOfPages(): RequestHandler {
  return (req, res, next) => {
    if (req.method !== 'OPTIONS' || isApi(req)) return next()
    res.set('Allow', 'GET, HEAD, POST')
    sendRejection(req, res, {
      status: 405,
      code: 'method_not_allowed',
      title: 'Method not allowed',
      message: 'Use GET, HEAD, POST.',
    })
  }
}

/**
 * Responds 404 below /.well-known: programs look there for what other servers have, and read a page as if it were the
 * document that they expect.
 */
export function rejectWellKnown(): RequestHandler {
  return (req, res, next) => (isWellKnown(req) ? sendRejection(req, res, missing) : next())
}

const missing: Rejection = {
  status: 404,
  code: 'not_found',
  title: 'Not found',
  message: 'There is nothing at this address.',
}

/** Whether a program asks, which reads no page. */
function wantsJson(req: Request): boolean {
  const accept = req.get('accept') ?? ''
  return /\bjson\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
}

function isWellKnown(req: Request): boolean {
  return /^\/\.well-known(\/|$)/.test(req.path)
}

/** Removes the host from a request target in absolute form, which proxies send (RFC 9112, section 3.2.2). */
export function toOriginForm(): RequestHandler {
  return (req, _res, next) => {
    const [host] = /^https?:\/\/[^/?#]*/i.exec(req.url) ?? []
    if (host !== undefined) {
      const rest = req.url.slice(host.length)
      req.url = rest.startsWith('/') ? rest : `/${rest}`
      req.originalUrl = req.url
    }
    next()
  }
}

/** Whether a request is a call of a program: of /v1, or of the Model Context Protocol. */
export function isApi(req: Request): boolean {
  return /^\/v1(\/|$)/.test(req.path) || isMcp(req)
}

export function isMcp(req: Request): boolean {
  return /^\/mcp\/?$/.test(req.path)
}
