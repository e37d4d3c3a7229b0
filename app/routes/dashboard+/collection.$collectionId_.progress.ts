import type { LoaderFunctionArgs } from '@remix-run/node'
import { defaultPageSizes } from '../../../contract/limits'
import { pagingOf } from '../../components/ui/paging'
import { sourcesStream } from '../../http/sources-stream.server'
import { required, visit } from '../../http/visit.server'

/** The sources of a page of a collection, sent again whenever anything about them changes. */
export function loader(args: LoaderFunctionArgs) {
  return visit(args, ({ app, actor, organizationId }) => {
    const id = required(args.params.collectionId)
    const paging = pagingOf(args.request, defaultPageSizes.sources)
    return sourcesStream(app, args.context.signal, () => app.sources.list(actor, organizationId, id, paging))
  })
}
