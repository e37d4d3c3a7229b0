import { randomToken } from '../../../server/tokens'
import { type Caller, callers } from '../api/api-world'
import type { MountedCall } from './mounted-call'
import { password, signInRequest } from './mounted-world'

const plain = (path: string, status = 200): MountedCall => ({
  method: 'GET',
  route: path,
  given: 'nothing',
  ask: async () => ({ path }),
  status,
})

/** A link that does not exist, or was used. */
const gone = (method: MountedCall['method'], path: string): MountedCall => ({
  method,
  route: path,
  given: 'an unknown token',
  ask: async () =>
    method === 'GET'
      ? { path: `${path}?token=${randomToken()}` }
      : { path, fields: { token: randomToken(), password } },
  status: 410,
})

const people: readonly Caller[] = ['stranger', 'platform', 'viewer', 'member', 'admin']
const newcomer = /^\/login\?screen_hint=signup$/
const linkPages: MountedCall[] = [
  {
    method: 'GET',
    route: '/setup',
    given: 'a link that somebody used',
    ask: async () => ({ path: `/setup?token=${randomToken()}` }),
    status: 410,
  },
  gone('GET', '/invitation'),
  gone('POST', '/invitation'),
  {
    method: 'GET',
    route: '/invitation',
    given: 'an invitation',
    ask: async ({ invitation }) => ({ path: `/invitation?token=${await invitation()}` }),
    status: 200,
    namesOrganization: true,
  },
  {
    // Whoever is signed in is somebody else than the person who is invited.
    method: 'POST',
    route: '/invitation',
    given: 'an invitation',
    ask: async ({ invitation }) => ({ path: '/invitation', fields: { token: await invitation() } }),
    status: 303,
    location: newcomer,
    except: { from: people, status: 403 },
    namesOrganization: true,
  },
  gone('GET', '/verification'),
  gone('POST', '/verification'),
  {
    method: 'GET',
    route: '/verification',
    given: 'a link to confirm an address',
    ask: async ({ link, account }) => ({
      path: `/verification?token=${await link('verification', await account({ isVerified: false }))}`,
    }),
    status: 200,
  },
  {
    method: 'POST',
    route: '/verification',
    given: 'the password of the account',
    ask: async ({ link, account }) => {
      const token = await link('verification', await account({ isVerified: false }))
      return { path: '/verification', fields: { token, password } }
    },
    status: 200,
    stores: true,
  },
  {
    method: 'POST',
    route: '/verification',
    given: 'a wrong password',
    ask: async ({ link, account }) => {
      const token = await link('verification', await account({ isVerified: false }))
      return { path: '/verification', fields: { token, password: 'wrong horse battery' } }
    },
    status: 401,
  },
  gone('GET', '/reset'),
  gone('POST', '/reset'),
  {
    method: 'GET',
    route: '/reset',
    given: 'a link to reset a password',
    ask: async ({ link, account }) => ({ path: `/reset?token=${await link('reset', await account())}` }),
    status: 200,
  },
  {
    method: 'POST',
    route: '/reset',
    given: 'a new password',
    ask: async ({ link, account }) => {
      const token = await link('reset', await account())
      return { path: '/reset', fields: { token, password: `${password} of mine` } }
    },
    status: 200,
    stores: true,
  },
]

const signIn = '/oidc/interaction/:uid'

type SignInPage = '' | '/sign-up' | '/forgot' | '/second-step' | '/passkey'

/** A page of the sign-in is for the browser that has begun it. */
const ofOthers = (method: MountedCall['method'], page: SignInPage): MountedCall => ({
  method,
  route: signIn + page,
  given: 'the sign-in of another browser',
  ask: async ({ interaction }) => {
    const path = (await interaction()).path + page
    return method === 'GET' ? { path } : { path, fields: { email: 'ada@example.test', password } }
  },
  status: 400,
})

const signInPages: MountedCall[] = [
  ofOthers('GET', ''),
  ofOthers('POST', ''),
  ofOthers('GET', '/sign-up'),
  ofOthers('POST', '/sign-up'),
  ofOthers('GET', '/forgot'),
  ofOthers('POST', '/forgot'),
  ofOthers('GET', '/second-step'),
  ofOthers('POST', '/second-step'),
  ofOthers('POST', '/passkey'),
  ...(['GET', 'POST'] as const).map(
    (method): MountedCall => ({
      method,
      route: `${signIn}/second-step`,
      given: 'its own sign-in, without the password',
      ask: async ({ interaction }) => {
        const { path, cookies } = await interaction()
        const page = { path: `${path}/second-step`, cookies }
        return method === 'GET' ? page : { ...page, fields: { code: '123456' } }
      },
      status: 303,
      location: /\/oidc\/interaction\/[\w-]+$/,
    }),
  ),
  {
    method: 'POST',
    route: `${signIn}/passkey`,
    given: 'no passkey',
    ask: async ({ interaction }) => {
      const { path, cookies } = await interaction()
      return { path: `${path}/passkey`, cookies, fields: { credential: '{}' } }
    },
    status: 401,
  },
  { method: 'GET', route: signIn, given: 'its own sign-in', ask: ({ interaction }) => interaction(), status: 200 },
  {
    method: 'POST',
    route: signIn,
    given: 'the password of an account',
    ask: async ({ interaction, account }) => ({
      ...(await interaction()),
      fields: { email: await account(), password },
    }),
    status: 303,
    location: /\/oidc\/auth\/[\w-]+$/,
  },
  {
    method: 'POST',
    route: signIn,
    given: 'a wrong password',
    ask: async ({ interaction, account }) => ({
      ...(await interaction()),
      fields: { email: await account(), password: 'wrong horse battery' },
    }),
    status: 401,
  },
  {
    method: 'GET',
    route: `${signIn}/sign-up`,
    given: 'its own sign-in',
    ask: async ({ interaction }) => {
      const { path, cookies } = await interaction()
      return { path: `${path}/sign-up`, cookies }
    },
    status: 200,
  },
  {
    method: 'GET',
    route: `${signIn}/forgot`,
    given: 'its own sign-in',
    ask: async ({ interaction }) => {
      const { path, cookies } = await interaction()
      return { path: `${path}/forgot`, cookies }
    },
    status: 200,
  },
  ...(['sign-up', 'forgot'] as const).map(
    (page): MountedCall => ({
      method: 'POST',
      route: `${signIn}/${page}`,
      given: 'an e-mail address, which gets an e-mail',
      ask: async ({ interaction }) => {
        const { path, cookies } = await interaction()
        return { path: `${path}/${page}`, cookies, fields: { email: `${crypto.randomUUID()}@example.test` } }
      },
      status: 200,
      stores: true,
    }),
  ),
]

const provider: MountedCall[] = [
  plain('/oidc/.well-known/openid-configuration'),
  plain('/oidc/jwks'),
  {
    ...plain('/oidc/auth', 400),
    given: 'an unknown client',
    ask: async () => ({ path: '/oidc/auth?client_id=other' }),
  },
  {
    ...plain('/oidc/auth', 303),
    given: 'a sign-in of the product',
    ask: async ({ origin }) => signInRequest(origin),
    location: /^\/oidc\/interaction\/[\w-]+$/,
  },
  {
    ...plain('/oidc/auth/:uid', 400),
    given: 'the sign-in of another browser',
    ask: async ({ interaction }) => ({ path: (await interaction()).path.replace('interaction', 'auth') }),
  },
  {
    method: 'POST',
    route: '/oidc/token',
    given: 'an unknown code',
    ask: async ({ origin }) => ({
      path: '/oidc/token',
      fields: {
        client_id: 'sitelore',
        grant_type: 'authorization_code',
        code: randomToken(),
        redirect_uri: `${origin}/auth/callback`,
        code_verifier: 'v'.repeat(64),
      },
    }),
    status: 400,
  },
  {
    // It confirms nothing about the token (RFC 7009). A bearer is no authentication of a client.
    method: 'POST',
    route: '/oidc/token/revocation',
    given: 'an unknown token',
    ask: async () => ({ path: '/oidc/token/revocation', fields: { client_id: 'sitelore', token: randomToken() } }),
    status: 200,
    except: { from: callers.filter((caller) => caller !== 'guest'), status: 400 },
  },
  { ...plain('/oidc/session/end'), given: 'no session of the provider' },
  {
    method: 'POST',
    route: '/oidc/session/end/confirm',
    given: 'no log-out to confirm',
    ask: async () => ({ path: '/oidc/session/end/confirm', fields: { logout: 'yes' } }),
    status: 400,
  },
  plain('/oidc/session/end/success'),
]

/** Every route of Express, for every caller. */
export const mountedCalls: MountedCall[] = [
  plain('/healthz'),
  plain('/readyz'),
  {
    method: 'GET',
    route: String(/^\/widget(-[a-z0-9-]+)?\.(?:js|json)$/),
    given: 'the name of the loader',
    ask: async () => ({ path: '/widget.js' }),
    status: 200,
  },
  ...linkPages,
  ...signInPages,
  ...provider,
]
