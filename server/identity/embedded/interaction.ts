import express, { type Request, type Response, type Router } from 'express'
import type { Provider } from 'oidc-provider'
import type { Logger } from 'pino'
import { storedIp, type VisitorIp } from '../../visitor-ip'
import type { BurstLimiter } from '../burst-limiter'
import { readCookie } from '../cookies'
import { verifyFirst } from '../people'
import type { SecondFactor } from '../second-factor/second-factor'
import type { Account, AccountStore } from './account-store'
import type { Attempts } from './attempts'
import { fieldErrors, signInSchema, signUpSchema } from './credentials'
import { handleMailForm, showMailForm } from './mail-forms'
import type { MailedLinks } from './mailed-links'
import { emptyForm, type FormState } from './pages/fields'
import { signUpPage } from './pages/forms'
import { forgotPage, noSignUpPage } from './pages/messages'
import { newPasswordProblem } from './passwords/new-password'
import { createSecondStep, interactionPath } from './second-step'
import { type PageHandlers, readForm, sendPage } from './send-page'
import type { SignUpOffer } from './sign-up-offer'
import { tooManyAttempts } from './too-many'

interface Deps {
  provider: Provider
  accounts: AccountStore
  attempts: Attempts
  codeAttempts: BurstLimiter
  secondFactor: SecondFactor
  /** Name of the cookie with the token of a set-up or invitation link. */
  linkCookie: string
  mailedLinks: Pick<MailedLinks, 'isConfigured' | 'request'>
  offerSignUp: (linkToken: string | null) => Promise<SignUpOffer>
  handle: PageHandlers
  log: Pick<Logger, 'info'>
  visitorIp: VisitorIp
}

/** The provider's pages to sign in and to sign up: /interaction/{uid} and below. */
export function createInteraction(deps: Deps): Router {
  const { provider, accounts, attempts, linkCookie, mailedLinks, offerSignUp, handle } = deps
  const form = express.urlencoded({ extended: false, limit: '8kb', parameterLimit: 20 })
  const router = express.Router()
  const secondStep = createSecondStep({ ...deps, logRefusal, finish })
  router.use(secondStep.router)

  router.get(
    '/interaction/:uid',
    handle(async (request, response) => {
      const { params } = await provider.interactionDetails(request, response)
      const signUp = params.screen_hint === 'signup' && request.query.screen !== 'login'
      if (signUp) return response.redirect(303, `${interactionPath(request)}/sign-up`)
      await secondStep.showSignIn(request, response, 200, emptyForm)
    }),
  )

  router.post(
    '/interaction/:uid',
    form,
    handle(async (request, response) => {
      await provider.interactionDetails(request, response)
      const field = readForm(request)
      const values = { email: field('email') }
      const showAgain = (status: number, state: Partial<FormState>) =>
        secondStep.showSignIn(request, response, status, { values, errors: {}, ...state })

      const parsed = signInSchema.safeParse({ ...values, password: field('password') })
      if (!parsed.success) return showAgain(400, { errors: fieldErrors(parsed.error) })
      const { email, password } = parsed.data
      const wait = await attempts.take(request.ip ?? '', email)
      if (wait !== null) {
        logRefusal(request, response, 'too many attempts')
        return showAgain(429, { notice: tooManyAttempts(response, wait) })
      }
      const account = await accounts.authenticate(email, password)
      if (!account) {
        logRefusal(request, response, 'wrong e-mail or password')
        return showAgain(401, { errors: { password: 'Wrong e-mail or password' } })
      }
      await attempts.succeeded(request.ip ?? '', email)
      if (await secondStep.begin(request, response, account)) return
      await finish(request, response, account, ['pwd'])
    }),
  )

  router.get(
    '/interaction/:uid/sign-up',
    handle(async (request, response) => {
      await provider.interactionDetails(request, response)
      const offer = await offerTo(request)
      if (offer.kind !== 'offered') return sendPage(response, 403, noSignUpPage(interactionPath(request), offer))
      if (startsWithMail(offer)) return showMailForm('sign-up', interactionPath(request), response)
      sendPage(response, 200, signUpPage(frameOf(request, offer), emptyForm))
    }),
  )

  router.post(
    '/interaction/:uid/sign-up',
    form,
    handle(async (request, response) => {
      await provider.interactionDetails(request, response)
      const offer = await offerTo(request)
      if (offer.kind !== 'offered') return sendPage(response, 403, noSignUpPage(interactionPath(request), offer))
      if (startsWithMail(offer))
        return handleMailForm(mailedLinks, 'sign-up', interactionPath(request), request, response)
      const field = readForm(request)
      const values = { email: offer.link?.email ?? field('email'), name: field('name'), surname: field('surname') }
      const showAgain = (status: number, state: Partial<FormState>) =>
        sendPage(response, status, signUpPage(frameOf(request, offer), { values, errors: {}, ...state }))

      const parsed = signUpSchema.safeParse({ ...values, password: field('password') })
      if (!parsed.success) return showAgain(400, { errors: fieldErrors(parsed.error) })
      const problem = newPasswordProblem(parsed.data.password, parsed.data.email)
      if (problem) return showAgain(400, { errors: { password: problem } })
      // The token of a link cannot be guessed, so only sign-ups without one are attempts.
      const wait = offer.link ? null : await attempts.take(request.ip ?? '', parsed.data.email)
      if (wait !== null) return showAgain(429, { notice: tooManyAttempts(response, wait) })
      const account = await accounts.create({ ...parsed.data, emailVerified: offer.link?.verifiesEmail ?? false })
      if (!account)
        return showAgain(409, { errors: { email: 'There is an account with this e-mail address. Log in instead.' } })
      await finish(request, response, account, ['pwd'])
    }),
  )

  router.get(
    '/interaction/:uid/forgot',
    handle(async (request, response) => {
      await provider.interactionDetails(request, response)
      if (mailedLinks.isConfigured) return showMailForm('reset', interactionPath(request), response)
      sendPage(response, 200, forgotPage(interactionPath(request)))
    }),
  )

  router.post(
    '/interaction/:uid/forgot',
    form,
    handle(async (request, response) => {
      await provider.interactionDetails(request, response)
      if (!mailedLinks.isConfigured) return sendPage(response, 200, forgotPage(interactionPath(request)))
      await handleMailForm(mailedLinks, 'reset', interactionPath(request), request, response)
    }),
  )
  return router

  /** Logs a refused sign-in without the e-mail address: it may be a password that was typed into the wrong field. */
  function logRefusal(request: Request, response: Response, reason: string): void {
    const address = storedIp(request.ip ?? null, deps.visitorIp)
    deps.log.info({ requestId: response.locals.requestId, reason, address }, 'A sign-in was refused.')
  }

  function offerTo(request: Request): Promise<SignUpOffer> {
    return offerSignUp(readCookie(request.get('cookie'), linkCookie))
  }

  /** Whether an open sign-up begins with an e-mail to the address, as it does with a mail server. */
  function startsWithMail(offer: SignUpOffer): boolean {
    return mailedLinks.isConfigured && offer.kind === 'offered' && offer.link === null
  }

  /**
   * Signs the person in. If their address is not verified, mails a link to confirm it instead; the landing page explains
   * the failure.
   */
  async function finish(request: Request, response: Response, account: Account, methods: string[]): Promise<void> {
    const options = { mergeWithLastSubmission: false }
    if (!mailedLinks.isConfigured || account.emailVerified) {
      const login = { accountId: account.id, amr: methods }
      return provider.interactionFinished(request, response, { login }, options)
    }
    await mailedLinks.request('verification', request.ip ?? '', account.email)
    logRefusal(request, response, 'address not verified')
    const failure = { error: 'access_denied', error_description: verifyFirst }
    await provider.interactionFinished(request, response, failure, options)
  }
}

function frameOf(request: Request, { link }: Extract<SignUpOffer, { kind: 'offered' }>) {
  return { at: interactionPath(request), setup: link?.purpose === 'setup', invited: link?.email ?? null }
}
