import type { LoaderFunctionArgs } from '@remix-run/node'
import { fileResponse } from '../../http/file-download.server'
import { required, visit } from '../../http/visit.server'

/** The original of a source of type file, for members. */
export function loader(args: LoaderFunctionArgs) {
  return visit(args, async ({ app, actor, organizationId, context }) => {
    const { collectionId, sourceId } = args.params
    return fileResponse(
      await app.fileSources.original(actor, organizationId, required(collectionId), required(sourceId)),
      context,
    )
  })
}
