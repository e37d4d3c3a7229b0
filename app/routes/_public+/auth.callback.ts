import type { LoaderFunctionArgs } from '@remix-run/node'
import { document } from '../../http/session/document.server'

/** Receives the person from the identity provider. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  return document(await context.identity.callback(request))
}
