import express, { type ErrorRequestHandler, type Router } from 'express'
import type { Logger } from 'pino'
import { invalidState } from '../../contract/texts/invalid-state'
import { isEmail, normalizeEmail } from '../../contract/values/email'
import type { Database } from '../../db/database'
import { system } from '../actor'
import type { Config } from '../config/config'
import { AppError } from '../errors'
import { createSealer } from '../sealing'
import { recordEvent } from '../services/audit/record-event'
import type { MailService } from '../services/mail/mail'
import { createAccessTokenLookup } from './access-tokens'
import { createCurrentAccount } from './account/current-account'
import { createEmailChange } from './account/email-change'
import { createOwnAccount, type OwnAccount } from './account/own-account'
import { createOwnSecondFactor, type OwnSecondFactor } from './account/own-second-factor'
import { createBearer, type RequestRate } from './bearer'
import type { CreateBurstLimiter } from './burst-limiter'
import { cookieName } from './cookies'
import { createUserDeletion, type UserDeletion } from './delete-user'
import { createAccountStore } from './embedded/account-store'
import { signInOfCode, sweepPayloads } from './embedded/adapter'
import { createAttempts } from './embedded/attempts'
import { boundRequests } from './embedded/bound-requests'
import { createInteraction } from './embedded/interaction'
import { createMailedLinks } from './embedded/mailed-links'
import { failurePage } from './embedded/pages/messages'
import { createPasswords } from './embedded/passwords/passwords'
import { createProvider } from './embedded/provider'
import { createPageHandlers, sendPage } from './embedded/send-page'
import { createSignUpOffers } from './embedded/sign-up-offer'
import { createLinkPages } from './link-pages/link-pages'
import { createPasswordReset } from './link-pages/password-reset'
import { createLinks, isSetUp } from './links/links'
import { createClient, embeddedClientId } from './openid/client'
import { createFailureCookie, type FailureCookie } from './openid/failure-cookie'
import { createProviderMetadata } from './openid/provider-metadata'
import { createPeople } from './people'
import { createPersonReader, type Person } from './person'
import { createSecondFactor, removeSecondFactors } from './second-factor/second-factor'
import type { Secrets } from './secrets'
import { createSessions, type SignedIn } from './sessions'
import { createSignIns, type SignIns } from './sign-ins'

interface Deps {
  config: Config
  db: Database
  secrets: Secrets
  log: Logger
  /** Where this process listens, such as http://127.0.0.1:3000. Called only after it listens. */
  listenAddress: () => string
  createBurstLimiter: CreateBurstLimiter
  mail: MailService
  /** Limits each access token under /v1. */
  requests: RequestRate
  /** Fetches the picture that a provider named at a sign-in, in the background. */
  fetchPicture: (userId: string, url: string | null) => void
}

/**
 * Authentication. The product is an OpenID Connect client (`openid/`) of its own provider (`embedded/`) or of an external
 * one. People have a session with a cookie (`sessions.ts`), programs an access token (`bearer.ts`). `people.ts` decides
 * who becomes a user. `links/` has the links for set-up, invitations and password resets.
 */
export interface Identity {
  /** Serves /oidc, /setup, /invitation, /verification and /reset. Reads `req.ip`, so `trust proxy` must be set. */
  router: Router
  /** The person signed in in this browser, read from the database; null for guests and ended sessions. */
  actorFromCookie(request: Request): Promise<SignedIn | null>
  /** Counts the request against the token. Throws unauthenticated and rate_limited. */
  actorFromBearer(request: Request): Promise<Person>
  /** Like `actorFromBearer` for a request that was counted before, such as one with an open stream. */
  recheckBearer(request: Request): Promise<Person>
  login(request: Request): Promise<Response>
  /** Redirects to `destination`, a path of this site, after the sign-in. */
  callback(request: Request, clientIp: string, destination: string): Promise<Response>
  logout(request: Request): Promise<Response>
  /** Why the sign-in before this page failed, and the Set-Cookie header that removes it; null if none failed. */
  takeLoginFailure: FailureCookie['take']
  /** What people do with their own account. */
  account: OwnAccount
  secondFactor: OwnSecondFactor
  /** Throws forbidden for an organization of others, unauthenticated without a session. */
  selectOrganization(request: Request, organizationId: string): Promise<void>
  /**
   * Creates a set-up link, which replaces the previous one. Null if an account exists, and with `isFirst` if there is a link
   * that works.
   */
  setupLink(options?: { isFirst?: boolean }): Promise<string | null>
  /** Throws not_found, and conflict if an external provider keeps the passwords. */
  resetLink(email: string): Promise<string>
  /** Throws invalid_input, and conflict if sign-up is closed. */
  invitationLink(email: string): Promise<string>
  /** Mails an invitation link. Returns null without a mail server, false if the mail could not be sent. */
  mailInvitation(email: string, link: string): Promise<boolean | null>
  /** Sends an e-mail that a visitor asked for; the job `mail-link`. Throws if a later attempt may succeed. */
  mailLink(purpose: string, email: string): Promise<void>
  /** Tells a person that they signed in from a new browser; the job `mail-sign-in`. */
  mailNewDevice: SignIns['mailNewDevice']
  /** Removes the second factors of an account. Throws not_found, and conflict if an external provider manages them. */
  resetSecondFactor(email: string): Promise<void>
  /** See `delete-user.ts`. */
  soleAdministrations: UserDeletion['soleAdministrations']
  deleteUser: UserDeletion['remove']
  /** Deletes expired sessions, access tokens, links and rows of the embedded provider, and mails that could not be sent. */
  sweep(): Promise<void>
}

export function createIdentity({
  config,
  db,
  secrets,
  log,
  listenAddress,
  createBurstLimiter,
  mail,
  requests,
  fetchPicture,
}: Deps): Identity {
  const { publicUrl } = config
  const secure = publicUrl.startsWith('https:')
  const linkCookie = { name: cookieName('sitelore-link', secure), secure }
  const links = createLinks({ db, publicUrl })
  const sealer = createSealer(secrets.sealingKeys)
  const personOf = createPersonReader(db, config.staffNeedsSecondFactor)
  const sessions = createSessions({ db, personOf, sealer, log })
  const signIns = createSignIns({ db, mail, publicUrl, log })
  const { admit } = createPeople({ db, config })
  const metadata = createProviderMetadata({ config, secrets, listenAddress })
  const failureCookie = createFailureCookie({ secrets, secure })
  const client = createClient({
    config,
    log,
    metadata,
    sessions,
    admit,
    providerSignInOf: async (code) => (config.externalIssuer ? null : signInOfCode(db, code)),
    signIns,
    fetchPicture,
    linkCookie: linkCookie.name,
    failureCookie,
  })
  const accessTokens = createAccessTokenLookup({ db, personOf, log })
  const bearer = createBearer({ db, personOf, config, secrets, metadata, accessTokens, requests })
  const passwords = createPasswords()
  const accounts = createAccountStore({ db, passwords })
  const mailedLinks = createMailedLinks({ db, config, links, accounts, mail, log })
  const passwordReset = createPasswordReset({ db, links, accounts, passwords })
  const attempts = createAttempts(createBurstLimiter)
  const handle = createPageHandlers({ publicUrl, log })

  const secondFactor = createSecondFactor({ db, sealer, publicUrl })
  const current = createCurrentAccount({ db, passwords, attempts, sessionToken: client.sessionToken })
  const emailChange = createEmailChange({ db, current, mail, publicUrl, log })
  const userDeletion = createUserDeletion({ db })

  const router = express.Router()
  const { sessionToken } = client
  router.use(
    createLinkPages({ db, links, sessions, sessionToken, accounts, passwordReset, attempts, handle, linkCookie }),
  )
  if (!config.externalIssuer) router.use('/oidc', embedded())

  return {
    router,

    async actorFromCookie(request) {
      const token = client.sessionToken(request)
      return token ? sessions.find(token) : null
    },
    actorFromBearer: (request) => bearer.actorFrom(request.headers.get('authorization')),
    recheckBearer: (request) => bearer.actorFrom(request.headers.get('authorization'), { isRecheck: true }),

    login: client.login,
    callback: client.callback,
    logout: client.logout,
    takeLoginFailure: failureCookie.take,
    account: createOwnAccount({ db, passwords, current, emailChange, signIns }),
    secondFactor: createOwnSecondFactor({ db, current, secondFactor, sealer, mail, publicUrl, log }),

    async selectOrganization(request, organizationId) {
      const token = client.sessionToken(request)
      if (!token) throw new AppError('unauthenticated', invalidState.user)
      await sessions.selectOrganization(token, organizationId)
    },

    async setupLink({ isFirst = false } = {}) {
      if (await isSetUp(db.read)) return null
      return isFirst && (await links.hasUsable('setup')) ? null : links.create('setup', null)
    },

    async resetLink(email) {
      if (config.externalIssuer) {
        throw new AppError('conflict', 'The external sign-in service manages passwords. Change the password there.')
      }
      const account = await accounts.findByEmail(email)
      if (!account) throw new AppError('not_found', `No account has the e-mail address ${email}.`)
      const subject = { id: account.id, name: account.email }
      return links.create('reset', account.emailNormalized, (tx) =>
        recordEvent(tx, system, { organizationId: null, action: 'user.reset', subject }),
      )
    },

    async invitationLink(email) {
      if (!isEmail(email.trim())) throw new AppError('invalid_input', `${email} is not an e-mail address.`)
      if (config.signUp === 'closed') throw new AppError('conflict', 'SIGN_UP is closed, so nobody can be invited.')
      const invited = normalizeEmail(email)
      const subject = { id: invited, name: invited }
      return links.create('invitation', invited, (tx) =>
        recordEvent(tx, system, { organizationId: null, action: 'user.invited', subject }),
      )
    },

    soleAdministrations: userDeletion.soleAdministrations,
    deleteUser: userDeletion.remove,
    mailInvitation: mailedLinks.sendInvitation,
    mailLink: mailedLinks.send,
    mailNewDevice: signIns.mailNewDevice,

    async resetSecondFactor(email) {
      if (config.externalIssuer)
        throw new AppError('conflict', 'The external sign-in service manages second factors. Reset them there.')
      const account = await accounts.findByEmail(email)
      if (!account) throw new AppError('not_found', `No account has the e-mail address ${email}.`)
      const subject = { id: account.id, name: account.email }
      await db.writeAlone(`account ${account.id}`, async (tx) => {
        await removeSecondFactors(tx, account.id)
        await recordEvent(tx, system, { organizationId: null, action: 'user.second-factor-reset', subject })
      })
    },

    async sweep() {
      await sessions.sweep()
      await signIns.sweep()
      await accessTokens.sweep()
      await links.sweep()
      await sweepPayloads(db)
    },
  }

  function embedded(): Router {
    const provider = createProvider({ config, db, secrets, log, clientId: embeddedClientId, accounts })
    const offerSignUp = createSignUpOffers({ db, signUp: config.signUp, links })
    const inner = express.Router()
    inner.use(boundRequests(createBurstLimiter({ name: 'openid', burst: 30, burstSeconds: 60, everySeconds: 2 })))
    inner.use((request, _response, next) => {
      // The provider has one address, whatever host a proxy or a client sends.
      const { protocol, host } = new URL(publicUrl)
      request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
      request.headers['x-forwarded-host'] = host
      next()
    })
    inner.use(
      createInteraction({
        provider,
        accounts,
        attempts,
        codeAttempts: createBurstLimiter({ name: 'second factor', burst: 10, burstSeconds: 900, everySeconds: 90 }),
        secondFactor,
        linkCookie: linkCookie.name,
        mailedLinks,
        offerSignUp,
        handle,
        log,
        visitorIp: config.visitorIp,
      }),
    )
    inner.use(provider.callback())
    const unreadable: ErrorRequestHandler = (error, _request, response, next) => {
      if (response.headersSent || !(error?.status >= 400 && error.status < 500)) return next(error)
      sendPage(response, error.status, failurePage('The form could not be read. Go back and try again.'))
    }
    inner.use(unreadable)
    return inner
  }
}
