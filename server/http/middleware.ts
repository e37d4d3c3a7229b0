import { randomBytes, randomUUID } from 'node:crypto'
import { escapeUTF8 } from 'entities/escape'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { look } from '../look'
import { isApi } from './rejection'
import type { RequestNotes } from './request-log'

/** What the middleware adds to `res.locals`. */
export interface Locals {
  requestId: string
  cspNonce: string
  signal: AbortSignal
  notes: RequestNotes
}

/** Gives each request an id, which its response and its log line carry. */
export function requestIds(): RequestHandler {
  return (_req, res, next) => {
    const requestId = randomUUID()
    ;(res.locals as Partial<Locals>).requestId = requestId
    res.setHeader('X-Request-Id', requestId)
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
  return (req, res, next) => {
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
    // Other sites can neither keep a reference to our windows nor embed our responses, but the pictures of their
    // widgets. CORS on /v1 is not affected.
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    res.setHeader('Cross-Origin-Resource-Policy', /^\/(logo|icon)\//.test(req.path) ? 'cross-origin' : 'same-origin')
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin')
    res.setHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=()')
    if (https) res.setHeader('Strict-Transport-Security', 'max-age=31536000')
    next()
  }
}

/**
 * Sign-in works only at the public URL. A page that is requested under another host gets status 421 and the setting to
 * change. Calls of /v1 may use any host; `rejectRebinding` checks that of the Model Context Protocol.
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

/** The rules of the page. The style sheet of the others, and the font, are at the public URL. */
const wrongHostStyle = `${look}
body{margin:0;background:var(--page);color:var(--text);font:14px/1.6 var(--font);overflow-wrap:anywhere}
main{box-sizing:border-box;max-width:min(36rem,100% - 32px);margin:12vh auto;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:14px}
h1{margin:.6em 0 .3em;font-size:24px;font-weight:600;line-height:1.25}h2{margin:2em 0 0;font-size:14px}p{margin:.5em 0;color:var(--text-soft)}
.brand{display:flex;gap:8px;align-items:center;margin:0;color:var(--text);font-weight:650;font-size:16px}.brand svg{fill:var(--accent)}.evidence{fill:var(--mark-line)}
code{font-family:var(--mono);color:var(--text)}
.button{display:inline-block;margin-top:8px;padding:6px 12px;border-radius:6px;background:var(--accent);color:var(--on-accent);font-weight:550;text-decoration:none}`

function wrongHostPage(publicUrl: string, requested: string, path: string): string {
  const right = escapeUTF8(publicUrl + path)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Another address · Sitelore</title><style>${wrongHostStyle}</style></head>
<body><main>
<p class="brand"><svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><rect x="1" y="3" width="11" height="4" rx="1.5"/><rect class="evidence" x="1" y="8.5" width="18" height="4" rx="1.5"/><rect x="1" y="14" width="15" height="4" rx="1.5"/></svg>Sitelore</p>
<h1>Sitelore runs at another address</h1>
<p>You opened <code>${escapeUTF8(requested)}</code>. This server is set up for <code>${escapeUTF8(publicUrl)}</code>.</p>
<p><a class="button" href="${right}">Open ${escapeUTF8(publicUrl)}</a></p>
<h2>For the operator</h2>
<p>To use this address instead, set <code>PUBLIC_URL=${escapeUTF8(requested)}</code> and restart the server. Behind a proxy, also set <code>TRUSTED_PROXIES</code> to the address of the proxy.</p>
</main></body></html>`
}
