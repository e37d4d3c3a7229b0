import type { JWTPayload } from 'jose'
import type { Logger } from 'pino'
import { Authenticator } from 'remix-auth'
import { isEmail } from '../../../contract/values/email'
import { statusOf } from '../../../contract/values/error-codes'
import { embeddedIssuer } from '../../../db/schema/users'
import type { Config } from '../../config/config'
import { AppError, isAppError } from '../../errors'
import { randomToken } from '../../tokens'
import { cookieName, cookieNames, readCookie, writeCookie } from '../cookies'
import type { ProviderSignIn } from '../embedded/adapter'
import { renderPage } from '../embedded/pages/layout'
import { failurePage } from '../embedded/pages/messages'
import type { Admitted, Profile } from '../people'
import type { Sessions } from '../sessions'
import type { SignIns } from '../sign-ins'
import type { FailureCookie } from './failure-cookie'
import { loginFailure, MissingTransaction, StateMismatch } from './login-failures'
import { type Identified, OpenIdStrategy } from './openid-strategy'
import type { ProviderMetadata } from './provider-metadata'

export const embeddedClientId = 'sitelore'
/** Longer than any session: the row of the session decides when it ends. */
const cookieMaxAgeSeconds = 400 * 24 * 3600

interface Deps {
  config: Config
  log: Logger
  metadata: () => Promise<ProviderMetadata>
  sessions: Sessions
  admit: (profile: Profile, linkToken: string | null) => Promise<Admitted>
  /** The sign-in in which the embedded provider issued a code; null with an external provider. */
  providerSignInOf: (code: string) => Promise<ProviderSignIn | null>
  signIns: Pick<SignIns, 'record'>
  /** Fetches the picture that the provider named, in the background. */
  fetchPicture: (userId: string, url: string | null) => void
  /** Name of the cookie with the token of a set-up or invitation link. */
  linkCookie: string
  failureCookie: FailureCookie
}

/** The OpenID Connect relying party: login, callback and logout. */
export function createClient(deps: Deps) {
  const { config, log, metadata, sessions, admit, linkCookie, failureCookie } = deps
  const secure = config.publicUrl.startsWith('https:')
  const sessionCookie = cookieName('sitelore', secure)
  /** Recognizes the browser in later sign-ins. */
  const deviceCookie = cookieName('sitelore-device', secure)
  const transactionCookie = cookieName('sitelore-login', secure)
  const { externalIssuer } = config

  return {
    sessionToken: (request: Pick<Request, 'headers'>) => readCookie(request.headers.get('cookie'), sessionCookie),

    /** Redirects to the provider, with `?screen_hint=signup` to its sign-up page. */
    async login(request: Request): Promise<Response> {
      // Only the hint is copied: a `state` or `code` would make the strategy treat this as the callback.
      const hint = new URL(request.url).searchParams.get('screen_hint')
      const start = new Request(`${config.publicUrl}/login${hint === 'signup' ? '?screen_hint=signup' : ''}`)
      try {
        await authenticate(start)
      } catch (thrown) {
        if (thrown instanceof Response) return thrown
        return failed(thrown, request)
      }
      throw new Error('The strategy did not redirect')
    },

    /** Redirects to `destination` with a new session, to the invitation of another person that was opened before, or to the landing page with the failure. */
    async callback(request: Request, clientIp: string, destination: string): Promise<Response> {
      try {
        await checkTransaction(request)
        const identified = await authenticate(request)
        const cookies = request.headers.get('cookie')
        const profile = profileOf(identified.claims, externalIssuer ? (await metadata()).issuer : embeddedIssuer)
        const linkToken = readCookie(cookies, linkCookie)
        const { userId, joined, isForOther } = await admit(profile, linkToken)
        const former = readCookie(cookies, sessionCookie)
        if (former) await sessions.end(former)
        const signIn = await deps.providerSignInOf(new URL(request.url).searchParams.get('code') ?? '')
        const browser = { userAgent: text(request.headers.get('user-agent')), ip: clientIp }
        const providerSession = signIn?.session ?? null
        const token = await sessions.create(userId, identified.idToken, { ...browser, providerSession })
        const device = readCookie(cookies, deviceCookie) ?? randomToken()
        await deps.signIns.record(userId, { ...browser, methods: signIn?.methods ?? null, device })
        deps.fetchPicture(userId, profile.picture)
        if (joined) await sessions.selectOrganization(token, joined)
        // Its page says for whom the invitation is.
        const next = isForOther ? `/invitation?${new URLSearchParams({ token: linkToken ?? '' })}` : destination
        return redirectTo(next, request, [
          writeCookie(sessionCookie, token, { maxAge: cookieMaxAgeSeconds, secure }),
          writeCookie(deviceCookie, device, { maxAge: cookieMaxAgeSeconds, secure }),
          writeCookie(linkCookie, '', { maxAge: 0, secure }),
        ])
      } catch (error) {
        if (error instanceof MissingTransaction && (await isSignedIn(request))) return redirectTo(destination, request)
        return failed(error, request)
      }
    },

    /** Ends the session and redirects to the provider, which ends its own and redirects back to the site. */
    async logout(request: Request): Promise<Response> {
      const token = readCookie(request.headers.get('cookie'), sessionCookie)
      const idToken = token ? await sessions.end(token) : null
      const removal = writeCookie(sessionCookie, '', { maxAge: 0, secure })
      return redirectTo(idToken ? await endSessionUrl(idToken) : '/', request, [removal])
    },
  }

  async function authenticate(request: Request): Promise<Identified> {
    const strategy = new OpenIdStrategy({
      metadata: await metadata(),
      clientId: externalIssuer?.clientId ?? embeddedClientId,
      clientSecret: externalIssuer?.clientSecret ?? null,
      audience: externalIssuer?.audience ?? null,
      redirectUri: `${config.publicUrl}/auth/callback`,
      cookie: { name: transactionCookie, secure },
    })
    return new Authenticator<Identified>().use(strategy).authenticate(strategy.name, request)
  }

  async function checkTransaction(request: Request): Promise<void> {
    const { searchParams } = new URL(request.url)
    const cookies = request.headers.get('cookie')
    const transactions = cookieNames(cookies, `${transactionCookie}:`).map((name) => readCookie(cookies, name) ?? '')
    const states = transactions.map((value) => new URLSearchParams(value).get('state'))
    if (states.length === 0) throw new MissingTransaction()
    const state = searchParams.get('state')
    if (state === null || !states.includes(state)) throw new StateMismatch()
    // RFC 9207: rejects responses of another issuer.
    const issuer = searchParams.get('iss')
    if (issuer !== null && issuer !== (await metadata()).issuer) throw new StateMismatch()
  }

  async function isSignedIn(request: Request): Promise<boolean> {
    const token = readCookie(request.headers.get('cookie'), sessionCookie)
    return token !== null && (await sessions.find(token)) !== null
  }

  async function endSessionUrl(idToken: string): Promise<string> {
    const known = await metadata().catch(() => null)
    if (!known?.endSessionEndpoint) return '/'
    const url = new URL(known.endSessionEndpoint)
    url.searchParams.set('id_token_hint', idToken)
    url.searchParams.set('client_id', externalIssuer?.clientId ?? embeddedClientId)
    url.searchParams.set('post_logout_redirect_uri', `${config.publicUrl}/`)
    return url.toString()
  }

  async function failed(error: unknown, request: Request): Promise<Response> {
    if (isAppError(error) && error.code === 'storage_full') {
      const { text, headers } = renderPage(failurePage(error.message))
      return new Response(text, { status: statusOf[error.code], headers })
    }
    const failure = loginFailure(error)
    const { code, description } = failure
    // Anybody can open the callback without a sign-in, so these failures are not worth a warning.
    const isStale = error instanceof MissingTransaction || error instanceof StateMismatch
    log[isStale ? 'debug' : 'warn']({ err: error, code }, 'A sign-in failed')
    const address = `/?${new URLSearchParams({ error: code, error_description: description })}`
    return redirectTo(address, request, [await failureCookie.write(failure)])
  }

  /** Redirects and removes the transaction cookies of this browser, because each works once. */
  function redirectTo(location: string, request: Request, cookies: string[] = []): Response {
    const headers = new Headers({ location, 'cache-control': 'no-store' })
    for (const cookie of cookies) headers.append('set-cookie', cookie)
    for (const name of cookieNames(request.headers.get('cookie'), `${transactionCookie}:`)) {
      headers.append('set-cookie', writeCookie(name, '', { maxAge: 0, secure }))
    }
    return new Response(null, { status: 303, headers })
  }
}

function profileOf(claims: JWTPayload, issuer: string): Profile {
  const email = text(claims.email)
  if (!email || !isEmail(email) || !claims.sub) {
    throw new AppError('forbidden', 'The sign-in service did not send your e-mail address, which an account requires.')
  }
  const fullName = text(claims.name)
  return {
    issuer,
    subject: claims.sub,
    email,
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: text(claims.given_name) ?? fullName,
    surname: text(claims.family_name),
    picture: text(claims.picture),
  }
}

/** People set their own claims at the provider, so control characters are replaced by spaces. */
function text(claim: unknown): string | null {
  return typeof claim === 'string' ? claim.replaceAll(/\p{Cc}/gu, ' ').trim() || null : null
}
