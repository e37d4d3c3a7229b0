import type { Request, RequestHandler, Response } from 'express'
import { networkOf } from '../../network'
import type { BurstLimiter } from '../burst-limiter'
import { failurePage } from './pages/messages'
import { sendPage } from './send-page'

/** Limit of URL and body together, because the provider stores the parameters of each sign-in. */
const maxRequestBytes = 8 * 1024

/** Paths that store nothing for anonymous requests. The product itself calls /token for everybody. */
const storelessPaths = /^\/(?:token|jwks|\.well-known|interaction)(?:\/|$)/

/** Limits what anonymous requests make the provider store, by length and by the number per network. */
export function boundRequests(limiter: BurstLimiter): RequestHandler {
  return async (request, response, next) => {
    const status = statusOfTooLong(request)
    if (status !== null) return sendPage(response, status, failurePage('The request is too long. Start again.'))
    try {
      const wait = storelessPaths.test(request.path) ? null : await limiter.take(networkOf(request.ip ?? ''))
      if (wait === null) next()
      else sendTooManyRequests(response, wait)
    } catch (error) {
      next(error)
    }
  }
}

function statusOfTooLong(request: Request): number | null {
  if (request.headers['transfer-encoding'] !== undefined) return 411
  const addressBytes = request.originalUrl.length
  if (addressBytes > maxRequestBytes) return 414
  return addressBytes + Number(request.headers['content-length'] ?? 0) > maxRequestBytes ? 413 : null
}

function sendTooManyRequests(response: Response, seconds: number): void {
  response.set('retry-after', String(seconds))
  const delay = seconds === 1 ? 'a second' : `${seconds} seconds`
  sendPage(response, 429, failurePage(`Your network sends too many sign-in requests. Try again in ${delay}.`))
}
