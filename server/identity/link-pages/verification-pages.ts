import express, { type Response, type Router } from 'express'
import type { Database } from '../../../db/database'
import type { AccountStore } from '../embedded/account-store'
import type { Attempts } from '../embedded/attempts'
import { emptyForm, type FormState } from '../embedded/pages/fields'
import { addressConfirmedPage, confirmAddressPage } from '../embedded/pages/mail-forms'
import { linkGonePage } from '../embedded/pages/messages'
import { type PageHandlers, readForm, sendPage } from '../embedded/send-page'
import { tooManyAttempts } from '../embedded/too-many'
import { type Link, type Links, spendLink } from '../links/links'

interface Deps {
  db: Database
  links: Links
  accounts: AccountStore
  attempts: Attempts
  handle: PageHandlers
  /** Stores the link and starts the sign-in, at the provider's sign-up page if `newcomer`. */
  signIn: (response: Response, token: string, newcomer: boolean) => void
}

/** /verification: confirms the e-mail address of an account, or continues a sign-up with a confirmed address. */
export function createVerificationPages({ db, links, accounts, attempts, handle, signIn }: Deps): Router {
  const router = express.Router()
  router.get(
    '/verification',
    handle(async (request, response) => {
      const token = typeof request.query.token === 'string' ? request.query.token : ''
      const found = await find(token)
      if (!found) return sendPage(response, 410, linkGonePage())
      if (!found.account) return signIn(response, token, true)
      if (found.account.emailVerified) return sendPage(response, 200, addressConfirmedPage())
      sendPage(response, 200, confirmAddressPage(found.account.email, token, emptyForm))
    }),
  )
  router.post(
    '/verification',
    express.urlencoded({ extended: false, limit: '8kb', parameterLimit: 20 }),
    handle(async (request, response) => {
      const field = readForm(request)
      const token = field('token')
      const found = await find(token)
      if (!found?.account) return sendPage(response, 410, linkGonePage())
      const { link, account } = found
      const showAgain = (status: number, state: Partial<FormState>) =>
        sendPage(response, status, confirmAddressPage(account.email, token, { ...emptyForm, ...state }))
      const wait = await attempts.take(request.ip ?? '', account.email)
      if (wait !== null) return showAgain(429, { notice: tooManyAttempts(response, wait) })
      if (!(await accounts.authenticate(account.email, field('password'))))
        return showAgain(401, { errors: { password: 'Wrong password' } })
      await attempts.succeeded(request.ip ?? '', account.email)
      const isConfirmed = await db.write(async (tx) => {
        if (!(await spendLink(tx, link))) return false
        await accounts.verify(tx, account.id)
        return true
      })
      sendPage(response, isConfirmed ? 200 : 410, isConfirmed ? addressConfirmedPage() : linkGonePage())
    }),
  )
  return router

  async function find(token: string) {
    const link: Link | null = await links.find(token)
    if (link?.purpose !== 'verification' || !link.email) return null
    return { link, account: await accounts.findByEmail(link.email) }
  }
}
