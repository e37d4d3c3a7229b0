import type { KoaContextWithOIDC, Provider as OidcProvider } from 'oidc-provider'
import type { Logger } from 'pino'
import { fullNameOf } from '../../../contract/texts/full-name'
import type { Database } from '../../../db/database'
import type { Config } from '../../config/config'
import type { Secrets } from '../secrets'
import type { AccountStore } from './account-store'
import { createOidcAdapter } from './adapter'
import { errors, Provider } from './library'
import { type Page, renderPage } from './pages/layout'
import { failurePage, providerErrorPage, signedOutPage, signOutPage } from './pages/messages'
import { isStorageFull } from './storage-full'

interface Deps {
  config: Config
  db: Database
  secrets: Secrets
  log: Logger
  clientId: string
  accounts: AccountStore
}

const minuteSeconds = 60
const daySeconds = 24 * 3600
const scopes = 'openid email profile'

/** The embedded OpenID provider. The product is its only client. */
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
    // The product reads claims from the ID token, because its access token is only for /v1.
    conformIdTokenClaims: false,
    extraParams: ['screen_hint'],
    pkce: { required: () => true },
    ttl: {
      AccessToken: 15 * minuteSeconds,
      AuthorizationCode: minuteSeconds,
      IdToken: 15 * minuteSeconds,
      Interaction: 60 * minuteSeconds,
      // A session without an account only keeps an unconfirmed log-out.
      Session: (_ctx, session) => (session.accountId ? 14 * daySeconds : 10 * minuteSeconds),
      Grant: 14 * daySeconds,
      RefreshToken: 14 * daySeconds,
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
      // Makes access tokens JWTs with an audience instead of opaque strings.
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, requested) => {
          if (requested !== resource) throw new errors.InvalidTarget()
          return { scope: '', audience: resource, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }
        },
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => render(ctx, signOutPage(form, isOwnSession(ctx))),
        postLogoutSuccessSource: (ctx) => render(ctx, signedOutPage()),
      },
    },
    renderError: (ctx, out) => render(ctx, providerErrorPage(out)),
    async findAccount(_ctx, id) {
      const account = await accounts.find(id)
      if (!account) return undefined
      const { email, emailVerified, name, surname } = account
      const fullName = fullNameOf({ name, surname }) || undefined
      const claims = {
        sub: id,
        email,
        email_verified: emailVerified,
        name: fullName,
        given_name: name ?? undefined,
        family_name: surname ?? undefined,
      }
      return { accountId: id, claims: () => claims }
    },
    // The product is the only client, so no consent is needed.
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

  // The provider derives its URLs from forwarded headers, which identity.ts sets from PUBLIC_URL.
  provider.proxy = true
  // The provider saves the session when it has responded already, after its error handler.
  provider.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (!isStorageFull(error)) throw error
      ctx.status = error.status
      ctx.remove('location')
      render(ctx, failurePage(error.error_description))
    }
  })
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'The embedded provider failed'))
  provider.on('authorization.error', (_ctx, error) => log.warn({ err: error }, 'An authorization request was rejected'))
  provider.on('grant.error', (_ctx, error) => log.warn({ err: error }, 'A token request was rejected'))
  return provider
}

function render(ctx: Pick<KoaContextWithOIDC, 'set' | 'body'>, page: Page): void {
  const { text, headers } = renderPage(page)
  ctx.set(headers)
  ctx.body = text
}

/** Whether the log-out names this session by its own ID token, as the product does. */
function isOwnSession({ oidc }: KoaContextWithOIDC): boolean {
  const hint = oidc.entities.IdTokenHint as { payload?: { sub?: unknown } } | undefined
  return hint?.payload?.sub !== undefined && hint.payload.sub === oidc.session?.accountId
}
