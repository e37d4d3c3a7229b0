import type { Request, RequestHandler, Response } from 'express'

/** For the whole body of a request to arrive. Uploads of signed-in people get more. */
const bodyMs = 30_000

const timedOut = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/** What the middleware leaves for those behind it. */
export interface BodyDeadline {
  /** Lifts the deadline. For uploads, once it is known who sends them. */
  allowSlowBody(): void
}

/**
 * Ends connections on which the body of a request does not arrive in time, also after the request was answered. A
 * connection without an answer gets status 408.
 */
export function bodyDeadline(): RequestHandler {
  return (req, res, next) => {
    const timer = hasBody(req) ? setTimeout(() => endSlow(req, res), bodyMs) : undefined
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

/** As Node's http server ends a request that exceeds `requestTimeout`: routes see a connection that broke off. */
function endSlow(req: Request, res: Response): void {
  if (req.complete) return
  if (!res.headersSent && req.socket.writable) req.socket.write(timedOut)
  req.destroy()
}
