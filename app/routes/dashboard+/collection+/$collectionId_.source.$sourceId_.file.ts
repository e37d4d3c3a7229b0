import type { LoaderFunctionArgs } from '@remix-run/node'
import { dashboardLoader, requireParam } from '../../../http/session/dashboard.server'
import { fileResponse } from '../../../http/uploads/file-download.server'

/** Downloads the original of a file source. */
export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, async ({ services, actor, organizationId, context }) => {
    const { collectionId, sourceId } = args.params
    return fileResponse(
      await services.fileSources.original(actor, {
        organizationId,
        collectionId: requireParam(collectionId),
        sourceId: requireParam(sourceId),
      }),
      context,
    )
  })
}
