import type { LoaderFunctionArgs } from '@remix-run/node'
import { iconResponse } from '../../http/pictures/picture-response.server'

/** The icon of a site that a shared thread cites. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const { threadId = '', host = '' } = params
  return iconResponse(request, await context.services.siteIcons.ofSharedThread(threadId, host), host)
}
