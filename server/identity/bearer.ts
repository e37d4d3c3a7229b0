import { and, eq, type SQL } from 'drizzle-orm'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { tokenPrefixes } from '../../contract/values/token-prefixes'
import type { Database } from '../../db/database'
import { embeddedIssuer, users } from '../../db/schema/users'
import type { Config } from '../config/config'
import { AppError } from '../errors'
import type { createAccessTokenLookup } from './access-tokens'
import { acceptedAlgorithms, type ProviderMetadata } from './openid/provider-metadata'
import type { Person, PersonReader } from './person'
import type { Secrets } from './secrets'

const clockToleranceSeconds = 60

interface Holder {
  user: SQL | undefined
  /** Null for tokens of an external issuer, which revokes its own tokens. */
  issuedAt: Date | null
}

interface Deps {
  db: Database
  personOf: PersonReader
  config: Config
  secrets: Secrets
  /** Metadata of the external issuer. */
  metadata: () => Promise<ProviderMetadata>
  accessTokens: Pick<ReturnType<typeof createAccessTokenLookup>, 'personOf'>
  requests: RequestRate
}

/** Limits the requests of one token. */
export interface RequestRate {
  max: number
  /** Counts a request, unless it exceeds the limit: then `waitMs` is the time to wait. */
  take(key: string): Promise<{ waitMs: number | null }>
}

/** Bearers of programs: personal access tokens, and tokens of the embedded provider or of the external issuer. */
export function createBearer({ db, personOf, config, secrets, metadata, accessTokens, requests }: Deps) {
  const issuer = `${config.publicUrl}/oidc`
  const audience = `${config.publicUrl}/v1`
  const { d: _, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...publicKey } = secrets.signingKey
  const ownKeys = createLocalJWKSet({ keys: [publicKey] })

  return {
    /** Counts one request, unless `isRecheck`. Throws unauthenticated with the reason, and rate_limited. */
    async actorFrom(authorization: string | null, { isRecheck = false } = {}): Promise<Person> {
      const admit = isRecheck ? async () => {} : assertWithinRate
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
      if (!token) throw unauthenticated('Send an access token: Authorization: Bearer <token>.')
      if (token.startsWith(tokenPrefixes.accessToken)) return accessTokens.personOf(token, (id) => admit(`token ${id}`))
      const { user: holder, issuedAt } = await holderOf(token)
      const [user] = await db.read.select().from(users).where(holder)
      if (!user) throw personGone()
      if (user.tokensValidFrom && issuedAt && issuedAt < user.tokensValidFrom)
        throw unauthenticated(
          'The password of this account was reset after the access token was issued. Get a new token.',
        )
      // One limit per person, so that refreshing a token does not reset it.
      await admit(`person ${user.id}`)
      return personOf(user)
    },
  }

  async function assertWithinRate(key: string): Promise<void> {
    const { waitMs } = await requests.take(key)
    if (waitMs === null) return
    const retryAfterSeconds = Math.ceil(waitMs / 1000)
    const message = `This access token may send ${requests.max} requests a minute. Try again in ${retryAfterSeconds} seconds.`
    throw new AppError('rate_limited', message, { details: { retryAfterSeconds } })
  }

  async function holderOf(token: string): Promise<Holder> {
    try {
      return decodeProtectedHeader(token).kid === secrets.signingKey.kid
        ? await ownHolder(token)
        : { user: await externalHolder(token), issuedAt: null }
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw unauthenticated('The access token has expired.', error)
      if (error instanceof errors.JOSEError || error instanceof TypeError)
        throw unauthenticated('The access token is not valid here.', error)
      throw error
    }
  }

  async function ownHolder(token: string): Promise<Holder> {
    // The type excludes other tokens of the same key, such as ID tokens (RFC 9068).
    const { payload } = await jwtVerify(token, ownKeys, {
      issuer,
      audience,
      algorithms: ['RS256'],
      typ: 'at+jwt',
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    return {
      user: and(eq(users.issuer, embeddedIssuer), eq(users.subject, String(payload.sub))),
      issuedAt: new Date(Math.round(Number(payload.iat) * 1000)),
    }
  }

  async function externalHolder(token: string): Promise<SQL | undefined> {
    // Tokens of other issuers must not cause a request.
    const claimed = decodeJwt(token).iss?.replace(/\/+$/, '')
    if (!config.externalIssuer || claimed !== config.externalIssuer.issuer)
      throw unauthenticated('The access token is not valid here.')
    if (!config.externalIssuer.audience)
      throw unauthenticated('Access tokens of the issuer are accepted once the operator sets OIDC_AUDIENCE.')
    const { keys, issuer: external } = await metadata()
    const { payload } = await jwtVerify(token, keys, {
      issuer: external,
      audience: config.externalIssuer.audience,
      algorithms: acceptedAlgorithms,
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['sub', 'exp'],
    })
    return and(eq(users.issuer, external), eq(users.subject, String(payload.sub)))
  }
}

function personGone(): AppError {
  const message = 'The account of this access token does not exist here. Sign in on the site first.'
  return new AppError('unauthenticated', message, { details: { isPersonGone: true } })
}

function unauthenticated(message: string, cause?: unknown): AppError {
  return new AppError('unauthenticated', message, { cause })
}
