import express, { type Request, type Response, type Router } from 'express'
import type { Provider } from 'oidc-provider'
import type { BurstLimiter } from '../burst-limiter'
import type { SecondFactor } from '../second-factor/second-factor'
import type { Account, AccountStore } from './account-store'
import type { Attempts } from './attempts'
import { emptyForm, type FormState } from './pages/fields'
import { signInPage } from './pages/forms'
import { secondStepPage } from './pages/second-step'
import { type PageHandlers, readForm, sendPage } from './send-page'
import { tooManyAttempts } from './too-many'

interface Deps {
  provider: Provider
  accounts: AccountStore
  secondFactor: SecondFactor
  /** Of passkeys in place of a password, by network. */
  attempts: Attempts
  /** Of codes, by account: whoever guesses them knows the password. */
  codeAttempts: BurstLimiter
  handle: PageHandlers
  logRefusal(request: Request, response: Response, reason: string): void
  /** Signs the person in; `methods` are how they proved who they are. */
  finish(request: Request, response: Response, account: Account, methods: string[]): Promise<void>
}

/** What the interaction remembers between two requests. */
interface Step {
  /** The account whose password was right; null for a passkey in place of the password. */
  accountId: string | null
  /** Of the passkey; null without passkeys. */
  challenge: string | null
  startedAt: number
}

const maxStepMs = 15 * 60_000

/** The second step of a sign-in, and the sign-in with a passkey instead of a password. */
export function createSecondStep(deps: Deps) {
  const { provider, accounts, secondFactor, attempts, codeAttempts, handle, logRefusal, finish } = deps
  const { passkeys } = secondFactor
  const form = express.urlencoded({ extended: false, limit: '8kb', parameterLimit: 20 })
  const router: Router = express.Router()

  router.get(
    '/interaction/:uid/second-step',
    handle(async (request, response) => {
      const account = await accountOf(await stepOf(request, response))
      if (account) await show(request, response, 200, account, emptyForm)
      else response.redirect(303, interactionPath(request))
    }),
  )

  router.post(
    '/interaction/:uid/second-step',
    form,
    handle(async (request, response) => {
      const step = await stepOf(request, response)
      const account = await accountOf(step)
      if (!step || !account) return response.redirect(303, interactionPath(request))
      const refuse = (status: number, state: Partial<FormState>) =>
        show(request, response, status, account, { ...emptyForm, ...state })
      const wait = await codeAttempts.take(account.id)
      if (wait !== null) {
        logRefusal(request, response, 'too many codes')
        return refuse(429, { notice: tooManyAttempts(response, wait) })
      }
      const field = readForm(request)
      const credential = field('credential')
      const method = credential
        ? (await passkeys.accountOf(credential, step.challenge ?? '', account.id)) && 'passkey'
        : await secondFactor.acceptCode(account, field('code'))
      if (!method) {
        logRefusal(request, response, credential ? 'wrong passkey' : 'wrong code')
        if (credential) return refuse(401, { notice: 'The passkey was not accepted. Try again.' })
        return refuse(401, {
          errors: { code: 'Wrong code. A code of the app is valid for 30 seconds, and works once.' },
        })
      }
      await codeAttempts.forget(account.id)
      await finish(request, response, account, ['pwd', method])
    }),
  )

  router.post(
    '/interaction/:uid/passkey',
    form,
    handle(async (request, response) => {
      const step = await stepOf(request, response)
      const refuse = (status: number, notice: string) => showSignIn(request, response, status, { ...emptyForm, notice })
      const wait = await attempts.take(request.ip ?? '', 'passkey')
      if (wait !== null) return refuse(429, tooManyAttempts(response, wait))
      const credential = readForm(request)('credential')
      const accountId = step?.challenge ? await passkeys.accountOf(credential, step.challenge, null) : null
      const account = accountId === null ? null : await accounts.find(accountId)
      if (account === null) {
        logRefusal(request, response, 'wrong passkey')
        return refuse(401, 'The passkey was not accepted. Log in with your password.')
      }
      await attempts.succeeded(request.ip ?? '', 'passkey')
      await finish(request, response, account, ['passkey'])
    }),
  )

  return {
    router,
    showSignIn,

    /** Whether the sign-in of an account with the right password goes on with a second step. Shows it then. */
    async begin(request: Request, response: Response, account: Account): Promise<boolean> {
      const factors = await secondFactor.of(account)
      if (!factors.authenticator && !factors.passkeys) return false
      await remember(request, response, account.id, null)
      response.redirect(303, `${interactionPath(request)}/second-step`)
      return true
    },
  }

  /** Shows the form for e-mail and password, beside which a passkey can be used once anybody has one. */
  async function showSignIn(request: Request, response: Response, status: number, state: FormState): Promise<void> {
    const options = (await passkeys.anyExists()) ? await passkeys.requestOptions(null) : null
    if (options) await remember(request, response, null, options.challenge)
    sendPage(response, status, signInPage(interactionPath(request), state, options))
  }

  async function show(
    request: Request,
    response: Response,
    status: number,
    account: Account,
    state: FormState,
  ): Promise<void> {
    const factors = await secondFactor.of(account)
    const options = factors.passkeys ? await passkeys.requestOptions(account.id) : null
    await remember(request, response, account.id, options?.challenge ?? null)
    const page = secondStepPage(interactionPath(request), state, { authenticator: factors.authenticator, options })
    sendPage(response, status, page)
  }

  async function remember(
    request: Request,
    response: Response,
    accountId: string | null,
    challenge: string | null,
  ): Promise<void> {
    const startedAt = (await stepOf(request, response))?.startedAt
    const step: Step = { accountId, challenge, startedAt: accountId && startedAt ? startedAt : Date.now() }
    await provider.interactionResult(request, response, { step }, { mergeWithLastSubmission: false })
  }

  /** Null without one, or if it began more than 15 minutes ago. */
  async function stepOf(request: Request, response: Response): Promise<Step | null> {
    const { result } = await provider.interactionDetails(request, response)
    const step = result?.step as Step | undefined
    return step && step.startedAt > Date.now() - maxStepMs ? step : null
  }

  /** The account whose password was right in this sign-in, a short while ago. */
  async function accountOf(step: Step | null): Promise<Account | null> {
    return step?.accountId ? accounts.find(step.accountId) : null
  }
}

export function interactionPath(request: Request): string {
  return `/oidc/interaction/${encodeURIComponent(request.params.uid ?? '')}`
}
