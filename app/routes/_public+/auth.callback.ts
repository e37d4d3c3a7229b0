import type { LoaderFunctionArgs } from '@remix-run/node'
import { document } from '../../http/document.server'

/** Back from the provider. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  return document(await context.app.identity.callback(request))
}
