import type { JWTPayload } from 'jose'
import type { Logger } from 'pino'
import { Authenticator } from 'remix-auth'
import { isEmail } from '../../../contract/email'
import type { Config } from '../../config'
import { AppError } from '../../errors'
import { cookieName, cookieNames, readCookie, writeCookie } from '../cookies'
import { embeddedIssuer, type Profile } from '../people'
import type { Sessions } from '../sessions'
import type { FailureCookie } from './failure-cookie'
import { loginFailure, MissingTransaction, StateMismatch } from './login-failures'
import { type Identified, OpenIdStrategy } from './openid-strategy'
import type { ProviderMetadata } from './provider-metadata'

export const embeddedClientId = 'sitelore'
/** The browser's cookie outlives the session's row, which alone says how long a session lasts. */
const cookieAge = 400 * 24 * 3600

interface Deps {
  config: Config
  log: Logger
  metadata: () => Promise<ProviderMetadata>
  sessions: Sessions
  admit: (profile: Profile, linkToken: string | null) => Promise<string>
  /** Name of the cookie that remembers the link by which the person came. */
  linkCookie: string
  failureCookie: FailureCookie
}

/** The product's side of signing in: off to the provider, back from it, and out again. */
export function createClient({ config, log, metadata, sessions, admit, linkCookie, failureCookie }: Deps) {
  const secure = config.publicUrl.startsWith('https:')
  const sessionCookie = cookieName('sitelore', secure)
  const transactionCookie = cookieName('sitelore-login', secure)
  const { externalIssuer } = config

  return {
    sessionToken: (request: Request) => readCookie(request.headers.get('cookie'), sessionCookie),

    /** Redirects to the provider; `?screen_hint=signup` asks it for its sign-up page. */
    async login(request: Request): Promise<Response> {
      // Whatever stands in the address, such as a state, must not turn this into the way back.
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

    /** Back from the provider: to the dashboard with a new session, or to the landing page with what went wrong. */
    async callback(request: Request): Promise<Response> {
      try {
        await checkTransaction(request)
        const identified = await authenticate(request)
        const cookies = request.headers.get('cookie')
        const profile = profileOf(identified.claims, externalIssuer ? (await metadata()).issuer : embeddedIssuer)
        const userId = await admit(profile, readCookie(cookies, linkCookie))
        const former = readCookie(cookies, sessionCookie)
        if (former) await sessions.end(former)
        const token = await sessions.create(userId, identified.idToken)
        return back('/dashboard', request, [
          writeCookie(sessionCookie, token, { maxAge: cookieAge, secure }),
          writeCookie(linkCookie, '', { maxAge: 0, secure }),
        ])
      } catch (error) {
        if (error instanceof MissingTransaction && (await isSignedIn(request))) return back('/dashboard', request)
        return failed(error, request)
      }
    },

    /** Ends the session here and sends the browser to end it at the provider too, which leads back to the site. */
    async logout(request: Request): Promise<Response> {
      const token = readCookie(request.headers.get('cookie'), sessionCookie)
      const idToken = token ? await sessions.end(token) : null
      const gone = writeCookie(sessionCookie, '', { maxAge: 0, secure })
      return back(idToken ? await endSessionUrl(idToken) : '/', request, [gone])
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
    // RFC 9207: the answer of another issuer is no answer.
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
    const failure = loginFailure(error)
    const { code, description } = failure
    // Anybody can ask for the way back without a sign-in: that is nothing to look into.
    const isStale = error instanceof MissingTransaction || error instanceof StateMismatch
    log[isStale ? 'debug' : 'warn']({ err: error, code }, 'A sign-in failed')
    const address = `/?${new URLSearchParams({ error: code, error_description: description })}`
    return back(address, request, [await failureCookie.write(failure)])
  }

  /** A redirect that also forgets the transactions of this browser: each works once. */
  function back(location: string, request: Request, cookies: string[] = []): Response {
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
    throw new AppError(
      'forbidden',
      'The sign-in service did not tell your e-mail address, which an account here needs.',
    )
  }
  const whole = text(claims.name)
  return {
    issuer,
    subject: claims.sub,
    email,
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: text(claims.given_name) ?? whole,
    surname: text(claims.family_name),
    picture: text(claims.picture),
  }
}

/** Claims come from people's own settings at the provider: control characters are dropped. */
function text(claim: unknown): string | null {
  return typeof claim === 'string' ? claim.replaceAll(/\p{Cc}/gu, ' ').trim() || null : null
}
