import type { Request, RequestHandler, Response } from 'express'

export interface Refusal {
  status: number
  code: string
  title: string
  /** Safe to show. */
  message: string
}

const readMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export const unreadable: Refusal = {
  status: 400,
  code: 'invalid_input',
  title: 'The request is not valid',
  message: 'This request cannot be read.',
}

/** Answers a request that reaches no route: a problem detail (RFC 9457) under /v1, a line of text elsewhere. */
export function refuse(req: Request, res: Response, { status, code, title, message }: Refusal): void {
  res.status(status)
  if (!isApi(req)) return void res.type('text').send(message)
  res.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' })
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

/** Refuses methods that no route could have, some of which cannot even be handed on. */
export function knownMethods(): RequestHandler {
  return (req, res, next) => {
    if (readMethods.includes(req.method)) return next()
    const message = `Use ${readMethods.join(', ')}.`
    res.set('Allow', readMethods.join(', '))
    refuse(req, res, { status: 405, code: 'method_not_allowed', title: 'Method not allowed', message })
  }
}

/** Takes the host out of an address that has one, as proxies write it (RFC 9112, section 3.2.2). */
export function originForm(): RequestHandler {
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

export function isApi(req: Request): boolean {
  return /^\/v1(\/|$)/.test(req.path)
}
