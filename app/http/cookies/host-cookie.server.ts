import { type AppLoadContext, type Cookie, createCookie } from '@remix-run/node'

/**
 * A cookie that only the server reads. `maxAge` is in seconds. When people use https, it is `Secure`, and the `__Host-`
 * prefix makes browsers reject a cookie of that name from a sibling domain or from plain http.
 */
export function hostCookie({ settings }: Pick<AppLoadContext, 'settings'>, name: string, maxAge: number): Cookie {
  const secure = settings.publicUrl.startsWith('https:')
  return createCookie(secure ? `__Host-${name}` : name, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge })
}
