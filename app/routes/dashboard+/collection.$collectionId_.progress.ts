import type { LoaderFunctionArgs } from '@remix-run/node'
import { defaultPageSizes } from '../../../contract/limits'
import { pagingOf } from '../../components/ui/paging'
import { dashboardLoader, requireParam } from '../../http/dashboard.server'
import { sourcesStream } from '../../http/sources-stream.server'

/** The sources of a page of a collection, sent again whenever anything about them changes. */
export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, ({ app, actor, organizationId }) => {
    const id = requireParam(args.params.collectionId)
    const paging = pagingOf(args.request, defaultPageSizes.sources)
    return sourcesStream(app, args.context.signal, () => app.sources.list(actor, organizationId, id, paging))
  })
}
