import { randomBytes, randomUUID } from 'node:crypto'
import { escapeUTF8 } from 'entities/escape'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { isApi } from './refusal'

/** What the middleware leaves for those behind it. */
export interface Locals {
  requestId: string
  cspNonce: string
  signal: AbortSignal
}

/** Every request has an id; every answer says it, and its line in the log. */
export function requestIds(log: Logger): RequestHandler {
  return (req, res, next) => {
    const started = performance.now()
    const requestId = randomUUID()
    const locals = res.locals as Partial<Locals>
    locals.requestId = requestId
    res.setHeader('X-Request-Id', requestId)
    res.on('finish', () => {
      const ms = Math.round(performance.now() - started)
      log[res.statusCode >= 500 ? 'error' : 'debug'](
        { requestId, method: req.method, path: req.path, status: res.statusCode, ms },
        'request',
      )
    })
    next()
  }
}

/**
 * Aborts when the connection closes before the answer is whole. `close` of the response, for a request's own signal is
 * not always fired by the adapter.
 */
export function abortSignals(): RequestHandler {
  return (_req, res, next) => {
    const controller = new AbortController()
    ;(res.locals as Partial<Locals>).signal = controller.signal
    res.on('close', () => {
      if (!res.writableFinished) controller.abort()
    })
    next()
  }
}

/** Bytes of a body that are read and thrown away after its request was answered. */
const patience = 256 * 1024 * 1024
const idleMs = 60_000

/**
 * Reads on what is left of a body, within reason, when its request is answered: a browser looks at the answer only after
 * it has sent everything, so an upload that is refused would hang for ever.
 */
export function leftBodies(): RequestHandler {
  return (req, res, next) => {
    res.once('finish', () => {
      if (!req.complete && !req.destroyed) throwAway(req)
    })
    next()
  }
}

function throwAway(req: Request): void {
  const idle = setTimeout(() => req.destroy(), idleMs)
  let left = patience
  // Who was reading holds the body back.
  req.removeAllListeners('data')
  req.on('data', (piece: Buffer) => {
    idle.refresh()
    left -= piece.length
    if (left < 0) req.destroy()
  })
  req.on('error', () => {})
  req.once('close', () => clearTimeout(idle))
  req.resume()
}

export interface SecurityOptions {
  https: boolean
  development: boolean
  /** Origins to which the answer to a form may redirect: log out leads to the issuer. */
  formTargets: string[]
}

/** Headers of every answer. Scripts run with the nonce of their page alone; nothing is framed or loaded from elsewhere. */
export function securityHeaders({ https, development, formTargets }: SecurityOptions): RequestHandler {
  return (_req, res, next) => {
    const nonce = randomBytes(16).toString('base64')
    ;(res.locals as Partial<Locals>).cspNonce = nonce
    const policy = [
      "default-src 'self'",
      `script-src 'self' 'nonce-${nonce}'`,
      // React and Radix set style attributes; a style cannot run anything.
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      `connect-src 'self'${development ? ' ws:' : ''}`,
      "object-src 'none'",
      "base-uri 'none'",
      ["form-action 'self'", ...formTargets].join(' '),
      "frame-ancestors 'none'",
    ]
    res.setHeader('Content-Security-Policy', policy.join('; '))
    // No page of another site keeps a handle on our windows or embeds what we serve. CORS on /v1 is not affected.
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin')
    res.setHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=()')
    if (https) res.setHeader('Strict-Transport-Security', 'max-age=31536000')
    next()
  }
}

/**
 * Sign-in works on one address alone. A page asked for under another name is answered with what to set; a program
 * with a bearer, and the health checks, may use any.
 */
export function rightHost(publicUrl: string): RequestHandler {
  const expected = new URL(publicUrl).host
  return (req: Request, res: Response, next: NextFunction) => {
    const asked = req.get('host') ?? ''
    // The server itself asks /oidc/token, at the address where it listens.
    if (asked === expected || isApi(req) || req.path === '/oidc/token') return next()
    res
      .status(421)
      .type('html')
      .send(wrongHostPage(publicUrl, `${req.protocol}://${asked}`, req.originalUrl))
  }
}

function wrongHostPage(publicUrl: string, asked: string, path: string): string {
  const right = escapeUTF8(publicUrl + path)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sitelore: another address</title></head>
<body style="font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:10vh auto;padding:0 1rem">
<h1>This server answers at another address</h1>
<p>It was asked as <code>${escapeUTF8(asked)}</code>, and it is set up for <a href="${right}">${escapeUTF8(publicUrl)}</a>.</p>
<p>If people are to use <code>${escapeUTF8(asked)}</code>, set <code>PUBLIC_URL=${escapeUTF8(asked)}</code> and start the server again. Behind a proxy, set <code>TRUSTED_PROXIES</code> to the proxy's address as well.</p>
</body></html>`
}
