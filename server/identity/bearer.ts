import { and, eq, type SQL } from 'drizzle-orm'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, importJWK, jwtVerify, SignJWT } from 'jose'
import { normalizeEmail } from '../../contract/email'
import type { Database } from '../../db/database'
import { users } from '../../db/schema/users'
import type { Config } from '../config'
import { AppError } from '../errors'
import { acceptedAlgorithms, type ProviderMetadata } from './openid/provider-metadata'
import { embeddedIssuer } from './people'
import type { Secrets } from './secrets'
import { type Person, personOf } from './sessions'

/** The client_id of tokens that the command line issued. Their subject is the id of our user. */
const commandLineClientId = 'sitelore-command-line'
const clockToleranceSeconds = 60

interface Holder {
  user: SQL | undefined
  /** Null for tokens of an external issuer, which revokes its own tokens. */
  issuedAt: Date | null
  /** Null for tokens of a sign-in. They share one limit per person, so that refreshing a token does not reset it. */
  tokenId: string | null
}

interface Deps {
  db: Database
  config: Config
  secrets: Secrets
  /** Metadata of the external issuer. */
  metadata: () => Promise<ProviderMetadata>
  requests: RequestRate
}

/** Limits the requests of one token. */
export interface RequestRate {
  max: number
  /** Counts a request. Returns null, or the milliseconds to wait if the request exceeds the limit. */
  take(key: string): number | null
}

/** Access tokens of programs: signed by our own key or, if one is configured, by the external issuer. */
export function createBearer({ db, config, secrets, metadata, requests }: Deps) {
  const issuer = `${config.publicUrl}/oidc`
  const audience = `${config.publicUrl}/v1`
  const { d: _, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...publicKey } = secrets.signingKey
  const ownKeys = createLocalJWKSet({ keys: [publicKey] })

  return {
    /** Counts one request. Throws unauthenticated with the reason, and rate_limited. */
    async actorFrom(authorization: string | null): Promise<Person> {
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
      if (!token) throw unauthenticated('Send an access token: Authorization: Bearer <token>.')
      const { user: holder, issuedAt, tokenId } = await holderOf(token)
      const [user] = await db.read.select().from(users).where(holder)
      if (!user) throw unauthenticated('Nobody here has this access token any more. Sign in on the site first.')
      if (user.tokensValidFrom && issuedAt && issuedAt < user.tokensValidFrom)
        throw unauthenticated(
          'The password of this account was reset after the access token was issued. Get a new token.',
        )
      assertWithinRate(tokenId === null ? `person ${user.id}` : `token ${tokenId}`)
      return personOf(db, user)
    },

    /** A token for a user, valid for `ttl` seconds. Throws not_found. */
    async issue(email: string, ttl: number): Promise<string> {
      const [user] = await db.read
        .select()
        .from(users)
        .where(eq(users.emailNormalized, normalizeEmail(email)))
      if (!user) throw new AppError('not_found', `No account has the e-mail address ${email}.`)
      // With milliseconds, so that a token and a password reset of the same second have an order.
      const now = Date.now() / 1000
      return new SignJWT({ client_id: commandLineClientId, scope: '' })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: secrets.signingKey.kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(user.id)
        .setJti(crypto.randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(now + ttl)
        .sign(await importJWK(secrets.signingKey, 'RS256'))
    },
  }

  function assertWithinRate(key: string): void {
    const waitMs = requests.take(key)
    if (waitMs === null) return
    const retryAfterSeconds = Math.ceil(waitMs / 1000)
    const message = `This access token may send ${requests.max} requests a minute. Try again in ${retryAfterSeconds} seconds.`
    throw new AppError('rate_limited', message, { details: { retryAfterSeconds } })
  }

  async function holderOf(token: string): Promise<Holder> {
    try {
      return decodeProtectedHeader(token).kid === secrets.signingKey.kid
        ? await ownHolder(token)
        : { user: await externalHolder(token), issuedAt: null, tokenId: null }
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
    const subject = String(payload.sub)
    const isFromCommandLine = payload.client_id === commandLineClientId
    return {
      user: isFromCommandLine
        ? eq(users.id, subject)
        : and(eq(users.issuer, embeddedIssuer), eq(users.subject, subject)),
      issuedAt: new Date(Math.round(Number(payload.iat) * 1000)),
      tokenId: isFromCommandLine ? String(payload.jti) : null,
    }
  }

  async function externalHolder(token: string): Promise<SQL | undefined> {
    // Tokens of other issuers must not cause a request.
    const claimed = decodeJwt(token).iss?.replace(/\/+$/, '')
    if (!config.externalIssuer || claimed !== config.externalIssuer.issuer)
      throw unauthenticated('The access token is not valid here.')
    if (!config.externalIssuer.audience)
      throw unauthenticated('Access tokens of the issuer are taken once the operator sets OIDC_AUDIENCE.')
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

function unauthenticated(message: string, cause?: unknown): AppError {
  return new AppError('unauthenticated', message, { cause })
}
