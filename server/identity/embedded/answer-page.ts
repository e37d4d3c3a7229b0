import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { isAppError, statusOf } from '../../errors'
import { isSameOrigin } from '../same-origin'
import { errors } from './library'
import { type Page, renderPage } from './pages/layout'
import { failurePage, stalePage, wrongOriginPage } from './pages/messages'

export function answerPage(response: Response, status: number, page: Page): void {
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

/** Forms of our own pages only; every failure becomes a page. */
export function createPageHandlers({ publicUrl, log }: { publicUrl: string; log: Logger }) {
  return (handler: (request: Request, response: Response) => Promise<void>): RequestHandler =>
    (request, response, _next: NextFunction) => {
      const asked = { method: request.method, header: (name: string) => request.get(name) }
      if (!isSameOrigin(asked, publicUrl)) return answerPage(response, 403, wrongOriginPage())
      handler(request, response).catch((error: unknown) => {
        if (error instanceof errors.SessionNotFound) return answerPage(response, 400, stalePage())
        if (isAppError(error)) return answerPage(response, statusOf[error.code], failurePage(error.message))
        log.error({ err: error }, 'A page of the sign-in failed')
        answerPage(response, 500, failurePage('Please try again. If it happens again, tell whoever runs this site.'))
      })
    }
}
export type PageHandlers = ReturnType<typeof createPageHandlers>
