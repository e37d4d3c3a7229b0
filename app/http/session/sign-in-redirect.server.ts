import { type AppLoadContext, redirect } from '@remix-run/node'
import { paths } from '../../paths'
import { hostCookie } from '../cookies/host-cookie.server'
import { returnAddress } from './return-address.server'

const maxAgeSeconds = 600

const cookie = (context: Pick<AppLoadContext, 'settings'>) => hostCookie(context, 'return-to', maxAgeSeconds)

/** Redirects a guest to the landing page. A link that was opened is remembered until the sign-in. */
export async function redirectToSignIn(context: Pick<AppLoadContext, 'settings'>, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = isDocument(request) ? { 'Set-Cookie': await cookie(context).serialize(pathname + search) } : undefined
  return redirect(paths.landing(), { status: 303, headers })
}

/** Where a sign-in leads, and the header that forgets it. */
export async function takeReturnAddress(
  context: Pick<AppLoadContext, 'settings'>,
  request: Request,
): Promise<{ address: string; setCookie: string }> {
  const remembered: unknown = await cookie(context).parse(request.headers.get('Cookie'))
  return {
    address: returnAddress(remembered, paths.dashboard()),
    setCookie: await cookie(context).serialize('', { maxAge: 0 }),
  }
}

/** Whether a person opens a page, and not a script of one. */
export function isDocument(request: Request): boolean {
  return request.method === 'GET' && (request.headers.get('Accept') ?? '').includes('text/html')
}
