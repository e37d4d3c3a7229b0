import type { LoaderFunctionArgs } from '@remix-run/node'
import { fullPageRedirect } from '../../http/session/full-page-redirect.server'
import { takeReturnAddress } from '../../http/session/sign-in-redirect.server'

/** Receives the person from the identity provider, and leads to the page that they had opened before. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const { address, setCookie } = await takeReturnAddress(context, request)
  const response = await context.identity.callback(request, context.clientIp, address)
  response.headers.append('Set-Cookie', setCookie)
  return fullPageRedirect(response)
}
