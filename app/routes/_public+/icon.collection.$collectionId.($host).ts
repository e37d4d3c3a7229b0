import type { LoaderFunctionArgs } from '@remix-run/node'
import { iconResponse } from '../../http/pictures/picture-response.server'

/** The icon of a site of a collection; without a host, of the site that it was crawled from first. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const { collectionId = '', host } = params
  const icon = await context.services.siteIcons.ofCollection(collectionId, host)
  return iconResponse(request, icon, host ?? new URL(request.url).searchParams.get('name') ?? '')
}
