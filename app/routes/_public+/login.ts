import type { LoaderFunctionArgs } from '@remix-run/node'
import { fullPageRedirect } from '../../http/session/full-page-redirect.server'

/** Redirects to the identity provider; `?screen_hint=signup` opens its form for new accounts. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  return fullPageRedirect(await context.identity.login(request))
}
