import express, { type Request, type Response, type Router } from 'express'
import { writeCookie } from '../cookies'
import { answerPage, type PageHandlers, readForm } from '../embedded/answer-page'
import type { Attempts } from '../embedded/attempts'
import { newPassword } from '../embedded/credentials'
import { emptyForm, type FormState } from '../embedded/pages/fields'
import { newPasswordPage } from '../embedded/pages/forms'
import { linkGonePage, passwordSavedPage, setupGonePage } from '../embedded/pages/messages'
import type { LinkPurpose, Links } from './links'
import type { PasswordReset } from './password-reset'

interface Deps {
  links: Links
  passwordReset: PasswordReset
  attempts: Attempts
  handle: PageHandlers
  linkCookie: { name: string; secure: boolean }
}

const remembered = 3600

/** Where the links lead that the server and its administrators hand out: /setup, /invitation and /reset. */
export function createLinkPages({ links, passwordReset, attempts, handle, linkCookie }: Deps): Router {
  const router = express.Router()
  router.get('/setup', comeBy('setup'))
  router.get('/invitation', comeBy('invitation'))
  router.get(
    '/reset',
    handle(async (request, response) => askForPassword(request, response)),
  )
  router.post(
    '/reset',
    express.urlencoded({ extended: false, limit: '8kb', parameterLimit: 20 }),
    handle(async (request, response) => setPassword(request, response)),
  )
  return router

  /** Remembers the link in a cookie and begins the sign-in, with whichever provider, at its sign-up page. */
  function comeBy(purpose: LinkPurpose) {
    return handle(async (request: Request, response: Response) => {
      const token = queryToken(request)
      const link = await links.find(token)
      if (link?.purpose !== purpose)
        return answerPage(response, 410, purpose === 'setup' ? setupGonePage() : linkGonePage())
      const cookie = writeCookie(linkCookie.name, token, { maxAge: remembered, secure: linkCookie.secure })
      response.set({ 'set-cookie': cookie, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      response.redirect(303, '/login?screen_hint=signup')
    })
  }

  async function askForPassword(request: Request, response: Response): Promise<void> {
    const token = queryToken(request)
    const found = await passwordReset.find(token)
    if (!found) return answerPage(response, 410, linkGonePage())
    answerPage(response, 200, newPasswordPage(found.account.email, token, emptyForm))
  }

  async function setPassword(request: Request, response: Response): Promise<void> {
    const given = readForm(request)
    const token = given('token')
    const found = await passwordReset.find(token)
    if (!found) return answerPage(response, 410, linkGonePage())
    const password = newPassword.safeParse(given('password'))
    if (!password.success) {
      const state: FormState = {
        values: {},
        errors: { password: password.error.issues[0]?.message ?? 'Choose another one' },
      }
      return answerPage(response, 400, newPasswordPage(found.account.email, token, state))
    }
    if (!(await passwordReset.reset(found, password.data))) return answerPage(response, 410, linkGonePage())
    await attempts.succeeded(request.ip ?? '', found.account.email)
    answerPage(response, 200, passwordSavedPage())
  }
}

function queryToken(request: Request): string {
  return typeof request.query.token === 'string' ? request.query.token : ''
}
