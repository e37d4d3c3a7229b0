import type { LoaderFunctionArgs } from '@remix-run/node'
import { defaultPageSizes } from '../../../../contract/limits'
import { pagingOf } from '../../../components/ui/tables/paging'
import { dashboardLoader, requireParam } from '../../../http/session/dashboard.server'
import { sourcesStream } from '../../../http/streams/sources-stream.server'

/** Streams a page of a collection's sources, and again whenever one of them changes. */
export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, ({ services, actor, organizationId }) => {
    const id = requireParam(args.params.collectionId)
    const paging = pagingOf(args.request, defaultPageSizes.sources)
    return sourcesStream(args.context, () => services.sources.list(actor, { organizationId, collectionId: id }, paging))
  })
}
