import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { Config } from '../../config/config'
import { AppError } from '../../errors'
import type { Secrets } from '../secrets'

/** What the relying party uses of a provider's metadata. */
export interface ProviderMetadata {
  /** Issuer as in the `iss` claim of its tokens. */
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  userinfoEndpoint: string | null
  endSessionEndpoint: string | null
  keys: JWTVerifyGetKey
}

/** Asymmetric signatures only: no shared secrets, no 'none'. */
export const acceptedAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

const timeoutMs = 10_000

const discoverySchema = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
})

interface Deps {
  config: Config
  secrets: Secrets
  /** Where this process listens, such as http://127.0.0.1:3000. */
  listenAddress: () => string
}

/** The embedded provider needs no request. An external one is discovered once, and again only after a failure. */
export function createProviderMetadata({ config, secrets, listenAddress }: Deps): () => Promise<ProviderMetadata> {
  const { externalIssuer } = config
  if (!externalIssuer) return async () => embedded(config.publicUrl, listenAddress(), secrets)

  let known: Promise<ProviderMetadata> | undefined
  return () => {
    known ??= discover(externalIssuer.issuer).catch((error: unknown) => {
      known = undefined
      throw new AppError('upstream_failed', 'The sign-in service does not answer. Please try again later.', {
        cause: error,
      })
    })
    return known
  }
}

function embedded(publicUrl: string, listenAddress: string, secrets: Secrets): ProviderMetadata {
  const { kty, n, e, kid, alg, use } = secrets.signingKey
  return {
    issuer: `${publicUrl}/oidc`,
    authorizationEndpoint: `${publicUrl}/oidc/auth`,
    // The server calls itself at its listen address: it may not be able to reach the proxy at its public URL.
    tokenEndpoint: `${listenAddress}/oidc/token`,
    userinfoEndpoint: null,
    endSessionEndpoint: `${publicUrl}/oidc/session/end`,
    keys: createLocalJWKSet({ keys: [{ kty, n, e, kid, alg, use }] }),
  }
}

/** OpenID Connect Discovery 1.0, section 4. */
async function discover(issuer: string): Promise<ProviderMetadata> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`Discovery at ${issuer} responded ${response.status}`)
  const found = discoverySchema.parse(await response.json())
  // Section 4.3. Reading the configuration removes a trailing slash, which is part of some issuers' names.
  if (found.issuer.replace(/\/+$/, '') !== issuer) throw new Error(`Discovery at ${issuer} describes ${found.issuer}`)
  return {
    issuer: found.issuer,
    authorizationEndpoint: found.authorization_endpoint,
    tokenEndpoint: found.token_endpoint,
    userinfoEndpoint: found.userinfo_endpoint ?? null,
    endSessionEndpoint: found.end_session_endpoint ?? null,
    keys: createRemoteJWKSet(new URL(found.jwks_uri), { timeoutDuration: timeoutMs }),
  }
}
