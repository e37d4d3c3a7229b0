import { createHash } from 'node:crypto'
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import { OAuth2Strategy } from 'remix-auth-oauth2'
import { acceptedAlgorithms, type ProviderMetadata } from './provider-metadata'
import { requestTokens } from './token-request'

interface OpenIdOptions {
  metadata: ProviderMetadata
  clientId: string
  clientSecret: string | null
  /** Requested if the issuer makes access tokens for our API. */
  audience: string | null
  redirectUri: string
  cookie: { name: string; secure: boolean }
}

/** A validated ID token and its claims. */
export interface Identified {
  idToken: string
  claims: JWTPayload
}

type Tokens = OAuth2Strategy.VerifyOptions['tokens']

const clockToleranceSeconds = 60
const userinfoTimeoutMs = 10_000

/**
 * Adds OpenID Connect to OAuth 2: a nonce, derived from the code verifier in the transaction cookie, and the validation of
 * the ID token's signature, issuer, audience, times and nonce.
 */
export class OpenIdStrategy extends OAuth2Strategy<Identified> {
  override readonly name = 'openid'

  constructor(private readonly openId: OpenIdOptions) {
    const { metadata, clientId, clientSecret, audience, redirectUri, cookie } = openId
    const options = {
      clientId,
      clientSecret,
      redirectURI: redirectUri,
      authorizationEndpoint: metadata.authorizationEndpoint,
      tokenEndpoint: metadata.tokenEndpoint,
      scopes: ['openid', 'email', 'profile'],
      ...(audience && { audience }),
      cookie: { name: cookie.name, maxAge: 600, ...(cookie.secure && { secure: true as const }) },
    }
    super(options, async ({ tokens }) => {
      const idToken = tokens.idToken()
      const claims = decodeJwt(idToken)
      return { idToken, claims: claims.email ? claims : await withUserinfo(metadata, claims, tokens.accessToken()) }
    })
  }

  protected override createAuthorizationURL() {
    const started = super.createAuthorizationURL()
    started.url.searchParams.set('nonce', nonceOf(started.codeVerifier))
    return started
  }

  protected override authorizationParams(params: URLSearchParams, request: Request): URLSearchParams {
    const extended = new URLSearchParams(params)
    if (new URL(request.url).searchParams.get('screen_hint') === 'signup') extended.set('screen_hint', 'signup')
    return extended
  }

  protected override async validateAuthorizationCode(code: string, codeVerifier: string): Promise<Tokens> {
    const { metadata, clientId, clientSecret, redirectUri } = this.openId
    const endpoint = metadata.tokenEndpoint
    const tokens = await requestTokens({ endpoint, clientId, clientSecret, redirectUri, code, codeVerifier })
    await this.checkIdToken(tokens.idToken, nonceOf(codeVerifier))
    // The callback of super() reads only these two.
    return { idToken: () => tokens.idToken, accessToken: () => tokens.accessToken } as Tokens
  }

  /** OpenID Connect Core 1.0, section 3.1.3.7. */
  private async checkIdToken(idToken: string, nonce: string): Promise<void> {
    const { metadata, clientId } = this.openId
    const { payload } = await jwtVerify(idToken, metadata.keys, {
      issuer: metadata.issuer,
      audience: clientId,
      algorithms: acceptedAlgorithms,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    })
    if (payload.nonce !== nonce) throw new Error('The nonce of the ID token belongs to another sign-in')
    const foreign =
      payload.azp === undefined ? Array.isArray(payload.aud) && payload.aud.length > 1 : payload.azp !== clientId
    if (foreign) throw new Error('The ID token was made for another client')
  }
}

/** The prefix makes the nonce differ from the PKCE challenge, which is a hash of the verifier as well. */
function nonceOf(codeVerifier: string): string {
  return createHash('sha256').update(`nonce:${codeVerifier}`).digest('base64url')
}

/** Some issuers send a person's claims only from the userinfo endpoint. */
async function withUserinfo(metadata: ProviderMetadata, claims: JWTPayload, accessToken: string): Promise<JWTPayload> {
  if (!metadata.userinfoEndpoint) return claims
  const response = await fetch(metadata.userinfoEndpoint, {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    signal: AbortSignal.timeout(userinfoTimeoutMs),
  })
  if (!response.ok) throw new Error(`The userinfo endpoint responded ${response.status}`)
  const found = (await response.json()) as JWTPayload
  // OpenID Connect Core 1.0, section 5.3.2.
  if (found.sub !== claims.sub) throw new Error('The subject of the userinfo response differs from the ID token')
  return { ...found, ...claims }
}
