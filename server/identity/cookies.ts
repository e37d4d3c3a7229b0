interface CookieOptions {
  /** Seconds; 0 removes the cookie. */
  maxAge: number
  secure: boolean
  path?: string
}

/** The `__Host-` prefix makes a browser refuse the cookie from other hosts and over plain http. */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}

export function readCookie(header: string | null | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name)
      return part
        .slice(at + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1')
  }
  return null
}

/** Names of all cookies that start with `prefix`. */
export function cookieNames(header: string | null | undefined, prefix: string): string[] {
  const names = (header ?? '').split(';').map((part) => part.split('=', 1)[0]?.trim() ?? '')
  return names.filter((name) => name.startsWith(prefix))
}

export function writeCookie(name: string, value: string, { maxAge, secure, path = '/' }: CookieOptions): string {
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
