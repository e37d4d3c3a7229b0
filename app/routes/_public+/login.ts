import type { LoaderFunctionArgs } from '@remix-run/node'
import { document } from '../../http/session/document.server'

/** Redirects to the identity provider; `?screen_hint=signup` opens its form for new accounts. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  return document(await context.identity.login(request))
}
