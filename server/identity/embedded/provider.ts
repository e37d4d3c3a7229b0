import type { KoaContextWithOIDC, Provider as OidcProvider } from 'oidc-provider'
import type { Logger } from 'pino'
import type { Database } from '../../../db/database'
import type { Config } from '../../config'
import type { Secrets } from '../secrets'
import type { AccountStore } from './account-store'
import { createOidcAdapter } from './adapter'
import { errors, Provider } from './library'
import { type Page, renderPage } from './pages/layout'
import { providerErrorPage, signedOutPage, signOutPage } from './pages/messages'

interface Deps {
  config: Config
  db: Database
  secrets: Secrets
  log: Logger
  clientId: string
  accounts: AccountStore
}

const minute = 60
const day = 24 * 3600
const scopes = 'openid email profile'

/** The OpenID provider of the product itself, for one client: the product. */
export function createProvider({ config, db, secrets, log, clientId, accounts }: Deps): OidcProvider {
  const resource = `${config.publicUrl}/v1`

  const provider = new Provider(`${config.publicUrl}/oidc`, {
    adapter: (name) => createOidcAdapter(db, name),
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${config.publicUrl}/auth/callback`],
        post_logout_redirect_uris: [`${config.publicUrl}/`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [secrets.signingKey] },
    cookies: {
      keys: secrets.cookieKeys,
      names: { session: 'sitelore-op', interaction: 'sitelore-op-step', resume: 'sitelore-op-resume' },
      long: { signed: true, httpOnly: true, sameSite: 'lax', path: '/oidc' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    responseTypes: ['code'],
    scopes: scopes.split(' '),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    // The product reads a person's claims from the ID token: its access token is for /v1.
    conformIdTokenClaims: false,
    extraParams: ['screen_hint'],
    pkce: { required: () => true },
    ttl: {
      AccessToken: 15 * minute,
      AuthorizationCode: minute,
      IdToken: 15 * minute,
      Interaction: 60 * minute,
      // A stranger's session only carries a log-out that nobody confirmed.
      Session: (_ctx, session) => (session.accountId ? 14 * day : 10 * minute),
      Grant: 14 * day,
      RefreshToken: 14 * day,
    },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    interactions: { url: (_ctx, { uid }) => `/oidc/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true },
      // Makes access tokens JWTs with an audience instead of opaque texts.
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, asked) => {
          if (asked !== resource) throw new errors.InvalidTarget()
          return { scope: '', audience: resource, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }
        },
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => show(ctx, signOutPage(form, isOwnSession(ctx))),
        postLogoutSuccessSource: (ctx) => show(ctx, signedOutPage()),
      },
    },
    renderError: (ctx, out) => show(ctx, providerErrorPage(out)),
    async findAccount(_ctx, id) {
      const account = await accounts.find(id)
      if (!account) return undefined
      const { email, emailVerified, name, surname } = account
      const whole = [name, surname].filter(Boolean).join(' ') || undefined
      const claims = {
        sub: id,
        email,
        email_verified: emailVerified,
        name: whole,
        given_name: name ?? undefined,
        family_name: surname ?? undefined,
      }
      return { accountId: id, claims: () => claims }
    },
    // The only client is the product itself: there is nothing to consent to.
    async loadExistingGrant({ oidc }) {
      const { client, session, result } = oidc
      if (!client || !session?.accountId) return undefined
      const grantId = result?.consent?.grantId ?? session.grantIdFor(client.clientId)
      const existing = grantId ? await oidc.provider.Grant.find(grantId) : undefined
      if (existing) return existing
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope(scopes)
      await grant.save()
      return grant
    },
  })

  // Addresses are made of forwarded headers, which the router in front sets from PUBLIC_URL for each request.
  provider.proxy = true
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'The embedded provider failed'))
  provider.on('authorization.error', (_ctx, error) => log.warn({ err: error }, 'An authorization request was refused'))
  provider.on('grant.error', (_ctx, error) => log.warn({ err: error }, 'A token request was refused'))
  return provider
}

function show(ctx: KoaContextWithOIDC, page: Page): void {
  const { text, headers } = renderPage(page)
  ctx.set(headers)
  ctx.body = text
}

/** Whether the product itself asks to end the session that its own ID token began. */
function isOwnSession({ oidc }: KoaContextWithOIDC): boolean {
  const hint = oidc.entities.IdTokenHint as { payload?: { sub?: unknown } } | undefined
  return hint?.payload?.sub !== undefined && hint.payload.sub === oidc.session?.accountId
}
