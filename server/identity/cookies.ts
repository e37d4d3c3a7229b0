import { parseCookie, stringifySetCookie } from 'cookie'

interface CookieOptions {
  /** Seconds; 0 removes the cookie. */
  maxAge: number
  secure: boolean
}

/** Returns the name of a cookie. With the `__Host-` prefix, browsers reject it from other hosts and over plain http. */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}

/** The value of the first cookie with this name, decoded; null if the header has none. */
export function readCookie(header: string | null | undefined, name: string): string | null {
  return parseCookie(header ?? '')[name] ?? null
}

/** Names of all cookies that start with `prefix`. */
export function cookieNames(header: string | null | undefined, prefix: string): string[] {
  return Object.keys(parseCookie(header ?? '')).filter(
    (name) => name.startsWith(prefix) && /^[\w-]+$/.test(name.slice(prefix.length)),
  )
}

/** A Set-Cookie header for an HttpOnly cookie with the path `/`. */
export function writeCookie(name: string, value: string, { maxAge, secure }: CookieOptions): string {
  return stringifySetCookie({ name, value, maxAge, secure, path: '/', httpOnly: true, sameSite: 'lax' })
}
