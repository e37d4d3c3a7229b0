import type { Request, RequestHandler, Response } from 'express'

/** Limit for a body to arrive completely. Uploads of signed-in people get more time. */
const bodyTimeoutMs = 30_000

const timeoutResponse = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/** What the middleware adds to `res.locals`. */
export interface BodyDeadline {
  /** Removes the deadline. Uploads call it after they have authenticated the sender. */
  allowSlowBody(): void
}

/**
 * Closes connections on which the body of a request does not arrive in time, even if the response has been sent. Responds
 * 408 otherwise.
 */
export function bodyDeadline(): RequestHandler {
  return (req, res, next) => {
    const timer = hasBody(req) ? setTimeout(() => timeOut(req, res), bodyTimeoutMs) : undefined
    timer?.unref()
    const stop = () => clearTimeout(timer)
    req.once('end', stop).once('close', stop)
    ;(res.locals as BodyDeadline).allowSlowBody = stop
    next()
  }
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Like Node's http server when a request exceeds `requestTimeout`. Routes see a closed connection. */
function timeOut(req: Request, res: Response): void {
  if (req.complete) return
  if (!res.headersSent && req.socket.writable) req.socket.write(timeoutResponse)
  req.destroy()
}
