import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { cookieName, readCookie, writeCookie } from '../cookies'
import type { Secrets } from '../secrets'
import type { LoginFailure } from './login-failures'

const maxAgeSeconds = 120
const algorithm = 'HS256'
const audience = 'login-failure'

const failureSchema = z.object({ code: z.string(), description: z.string() })

interface Options {
  secrets: Pick<Secrets, 'cookieKeys'>
  secure: boolean
}

/**
 * Passes the reason of a failed sign-in to the next page in a signed cookie. The URL of that page would be no safe place:
 * anybody can write one, and its text would appear as ours.
 */
export function createFailureCookie({ secrets, secure }: Options) {
  const name = cookieName('sitelore-failure', secure)
  const key = new TextEncoder().encode(secrets.cookieKeys[0])

  return {
    /** The Set-Cookie header for this failure. */
    async write({ code, description }: LoginFailure): Promise<string> {
      const token = await new SignJWT({ code, description })
        .setProtectedHeader({ alg: algorithm })
        .setAudience(audience)
        .setExpirationTime(`${maxAgeSeconds}s`)
        .sign(key)
      return writeCookie(name, token, { maxAge: maxAgeSeconds, secure })
    },

    /**
     * Null without a cookie. `failure` is null if the cookie is not ours or too old; `setCookie` is the Set-Cookie
     * header that removes it.
     */
    async take(request: Request): Promise<{ failure: LoginFailure | null; setCookie: string } | null> {
      const token = readCookie(request.headers.get('cookie'), name)
      if (token === null) return null
      return { failure: await verified(token), setCookie: writeCookie(name, '', { maxAge: 0, secure }) }
    },
  }

  async function verified(token: string): Promise<LoginFailure | null> {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: [algorithm], audience, requiredClaims: ['exp'] })
      return failureSchema.parse(payload)
    } catch {
      return null
    }
  }
}
export type FailureCookie = ReturnType<typeof createFailureCookie>
