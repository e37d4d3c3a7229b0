import type { LoaderFunctionArgs } from '@remix-run/node'
import { iconResponse } from '../../http/pictures/picture-response.server'

/** The icon of a site that an agent answers from, for the pages that show its sources. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const { agentId = '', host = '' } = params
  return iconResponse(request, await context.services.siteIcons.ofAgent(agentId, host), host)
}
