import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { statusOf } from '../../../contract/values/error-codes'
import { isAppError } from '../../errors'
import { isSameOrigin } from '../same-origin'
import { errors } from './library'
import { type Page, renderPage } from './pages/layout'
import { failurePage, stalePage, wrongOriginPage } from './pages/messages'
import { isStorageFull } from './storage-full'

export function sendPage(response: Response, status: number, page: Page): void {
  const { text, headers } = renderPage(page)
  response.status(status).set(headers).send(text)
}

export function readForm(request: Request): (name: string) => string {
  const body: unknown = request.body
  return (name) => {
    const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
    return typeof value === 'string' ? value : ''
  }
}

/** Wraps handlers of pages: rejects requests from other sites, and responds with a page to every failure. */
export function createPageHandlers({ publicUrl, log }: { publicUrl: string; log: Logger }) {
  return (handler: (request: Request, response: Response) => Promise<void>): RequestHandler =>
    (request, response, _next: NextFunction) => {
      const head = { method: request.method, header: (name: string) => request.get(name) }
      if (!isSameOrigin(head, publicUrl)) return sendPage(response, 403, wrongOriginPage())
      handler(request, response).catch((thrown: unknown) => {
        const error = isStorageFull(thrown) ? thrown.cause : thrown
        if (error instanceof errors.SessionNotFound) return sendPage(response, 400, stalePage())
        if (isAppError(error)) return sendPage(response, statusOf[error.code], failurePage(error.message))
        log.error({ err: error }, 'A page of the sign-in failed')
        sendPage(
          response,
          500,
          failurePage('Please try again. If it happens again, contact the administrator of this site.'),
        )
      })
    }
}
export type PageHandlers = ReturnType<typeof createPageHandlers>
