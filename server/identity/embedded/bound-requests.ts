import type { Request, RequestHandler, Response } from 'express'
import { type BurstLimiter, networkOf } from '../burst-limiter'
import { answerPage } from './answer-page'
import { failurePage } from './pages/messages'

/** Of the address and the body together: the provider stores the parameters of a sign-in that begins. */
const maxRequestBytes = 8 * 1024

/** Paths that store nothing for strangers. The product itself sends the codes of all people to /token. */
const storesNothing = /^\/(?:token|jwks|\.well-known|interaction)(?:\/|$)/

/** Bounds what strangers can make the provider store: the length of each request and how many a network sends. */
export function boundRequests(limiter: BurstLimiter): RequestHandler {
  return async (request, response, next) => {
    const status = statusOfTooLong(request)
    if (status !== null) return answerPage(response, status, failurePage('The request is too long. Start again.'))
    try {
      const wait = storesNothing.test(request.path) ? null : await limiter.take(networkOf(request.ip ?? ''))
      if (wait === null) next()
      else answerTooMany(response, wait)
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

function answerTooMany(response: Response, seconds: number): void {
  response.set('retry-after', String(seconds))
  const pause = seconds === 1 ? 'a second' : `${seconds} seconds`
  answerPage(response, 429, failurePage(`Your network sends too many sign-in requests. Try again in ${pause}.`))
}
