import express, { type Request, type Response, type Router } from 'express'
import type { Database } from '../../../db/database'
import { writeCookie } from '../cookies'
import type { AccountStore } from '../embedded/account-store'
import type { Attempts } from '../embedded/attempts'
import { emptyForm, type FormState } from '../embedded/pages/fields'
import { newPasswordPage } from '../embedded/pages/forms'
import { linkGonePage, passwordSavedPage, setupGonePage } from '../embedded/pages/messages'
import { newPasswordProblem } from '../embedded/passwords/new-password'
import { type PageHandlers, readForm, sendPage } from '../embedded/send-page'
import type { Links } from '../links/links'
import type { Sessions } from '../sessions'
import { createInvitationPages } from './invitation-pages'
import type { PasswordReset } from './password-reset'
import { createVerificationPages } from './verification-pages'

interface Deps {
  db: Database
  links: Links
  sessions: Sessions
  sessionToken: (request: Pick<globalThis.Request, 'headers'>) => string | null
  accounts: AccountStore
  passwordReset: PasswordReset
  attempts: Attempts
  handle: PageHandlers
  linkCookie: { name: string; secure: boolean }
}

const linkCookieMaxAgeSeconds = 3600

/** The pages of the links that people get: /setup, /invitation, /verification and /reset. */
export function createLinkPages(deps: Deps): Router {
  const { links, passwordReset, attempts, handle, linkCookie } = deps
  const router = express.Router()
  router.get(
    '/setup',
    handle(async (request, response) => startSetup(request, response)),
  )
  router.use(createInvitationPages({ ...deps, signIn }))
  router.use(createVerificationPages({ ...deps, signIn }))
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

  async function startSetup(request: Request, response: Response): Promise<void> {
    const token = queryToken(request)
    const link = await links.find(token)
    if (link?.purpose !== 'setup') return sendPage(response, 410, setupGonePage())
    signIn(response, token, true)
  }

  /** Stores the link in a cookie and starts the sign-in, at the provider's sign-up page if `newcomer`. */
  function signIn(response: Response, token: string, newcomer: boolean): void {
    const cookie = writeCookie(linkCookie.name, token, { maxAge: linkCookieMaxAgeSeconds, secure: linkCookie.secure })
    response.set({ 'set-cookie': cookie, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    response.redirect(303, newcomer ? '/login?screen_hint=signup' : '/login')
  }

  async function askForPassword(request: Request, response: Response): Promise<void> {
    const token = queryToken(request)
    const found = await passwordReset.find(token)
    if (!found) return sendPage(response, 410, linkGonePage())
    sendPage(response, 200, newPasswordPage(found.account.email, token, emptyForm))
  }

  async function setPassword(request: Request, response: Response): Promise<void> {
    const field = readForm(request)
    const token = field('token')
    const found = await passwordReset.find(token)
    if (!found) return sendPage(response, 410, linkGonePage())
    const { email } = found.account
    const password = field('password')
    const problem = newPasswordProblem(password, email)
    if (problem) {
      const state: FormState = { values: {}, errors: { password: problem } }
      return sendPage(response, 400, newPasswordPage(email, token, state))
    }
    if (!(await passwordReset.reset(found, password))) return sendPage(response, 410, linkGonePage())
    await attempts.succeeded(request.ip ?? '', email)
    sendPage(response, 200, passwordSavedPage())
  }
}

function queryToken(request: Request): string {
  return typeof request.query.token === 'string' ? request.query.token : ''
}
