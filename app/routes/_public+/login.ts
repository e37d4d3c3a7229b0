import type { LoaderFunctionArgs } from '@remix-run/node'
import { document } from '../../http/document.server'

/** Off to the provider; `?screen_hint=signup` for a new account. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  return document(await context.app.identity.login(request))
}
