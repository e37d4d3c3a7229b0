import { randomBytes, randomUUID } from 'node:crypto'
import { escapeUTF8 } from 'entities/escape'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { isApi } from './rejection'

/** What the middleware adds to `res.locals`. */
export interface Locals {
  requestId: string
  cspNonce: string
  signal: AbortSignal
}

/** Gives each request an id, which its response and its log line carry. */
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
 * Adds a signal that aborts if the connection closes before the response is complete. It listens to the response, because
 * the Remix adapter does not always abort the signal of its request.
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

/** How much of a body is read and discarded after the response. */
const maxDiscardedBytes = 256 * 1024 * 1024
const idleTimeoutMs = 60_000

/**
 * Reads and discards the rest of a body after the response, up to a limit. A browser reads the response only after it has
 * sent the whole body, so a rejected upload would hang otherwise.
 */
export function discardUnreadBodies(): RequestHandler {
  return (req, res, next) => {
    res.once('finish', () => {
      if (!req.complete && !req.destroyed) discard(req)
    })
    next()
  }
}

function discard(req: Request): void {
  const idle = setTimeout(() => req.destroy(), idleTimeoutMs)
  let remaining = maxDiscardedBytes
  // A former reader would apply back pressure.
  req.removeAllListeners('data')
  req.on('data', (chunk: Buffer) => {
    idle.refresh()
    remaining -= chunk.length
    if (remaining < 0) req.destroy()
  })
  req.on('error', () => {})
  req.once('close', () => clearTimeout(idle))
  req.resume()
}

export interface SecurityOptions {
  https: boolean
  development: boolean
  /** Origins to which the response to a form may redirect: a log-out redirects to the issuer. */
  formTargets: string[]
}

/** Headers of every response. Only scripts with the page's nonce run; nothing is framed or loaded from other sites. */
export function securityHeaders({ https, development, formTargets }: SecurityOptions): RequestHandler {
  return (_req, res, next) => {
    const nonce = randomBytes(16).toString('base64')
    ;(res.locals as Partial<Locals>).cspNonce = nonce
    const policy = [
      "default-src 'self'",
      `script-src 'self' 'nonce-${nonce}'`,
      // React and Radix set style attributes, which cannot run code.
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      `connect-src 'self'${development ? ' ws:' : ''}`,
      "object-src 'none'",
      "base-uri 'none'",
      ["form-action 'self'", ...formTargets].join(' '),
      "frame-ancestors 'none'",
    ]
    res.setHeader('Content-Security-Policy', policy.join('; '))
    // Other sites can neither keep a reference to our windows nor embed our responses. CORS on /v1 is not affected.
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
 * Sign-in works only at the public URL. A page that is requested under another host gets status 421 and the setting to
 * change. Calls of /v1 may use any host.
 */
export function requirePublicHost(publicUrl: string): RequestHandler {
  const expected = new URL(publicUrl).host
  return (req: Request, res: Response, next: NextFunction) => {
    const requested = req.get('host') ?? ''
    // The server requests /oidc/token from itself, at its listen address.
    if (requested === expected || isApi(req) || req.path === '/oidc/token') return next()
    res
      .status(421)
      .type('html')
      .send(wrongHostPage(publicUrl, `${req.protocol}://${requested}`, req.originalUrl))
  }
}

function wrongHostPage(publicUrl: string, requested: string, path: string): string {
  const right = escapeUTF8(publicUrl + path)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sitelore: another address</title></head>
<body style="font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:10vh auto;padding:0 1rem">
<h1>This server answers at another address</h1>
<p>It was requested as <code>${escapeUTF8(requested)}</code>, and it is set up for <a href="${right}">${escapeUTF8(publicUrl)}</a>.</p>
<p>If people are to use <code>${escapeUTF8(requested)}</code>, set <code>PUBLIC_URL=${escapeUTF8(requested)}</code> and start the server again. Behind a proxy, set <code>TRUSTED_PROXIES</code> to the proxy's address as well.</p>
</body></html>`
}
