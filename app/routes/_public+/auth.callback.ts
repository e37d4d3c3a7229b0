import type { LoaderFunctionArgs } from '@remix-run/node'
import { fullPageRedirect } from '../../http/session/full-page-redirect.server'

/** Receives the person from the identity provider. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  return fullPageRedirect(await context.identity.callback(request, context.clientIp))
}
