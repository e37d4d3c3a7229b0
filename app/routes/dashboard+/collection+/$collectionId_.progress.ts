import type { LoaderFunctionArgs } from '@remix-run/node'
import { defaultPageSizes } from '../../../../contract/values/limits'
import { sourceSorts } from '../../../../contract/values/sorts'
import { pagingOf, sortOf } from '../../../components/ui/tables/paging'
import { dashboardLoader, requireParam } from '../../../http/session/dashboard.server'
import { reauthenticateSession } from '../../../http/session/session.server'
import { sourcesStream } from '../../../http/streams/sources-stream.server'

/** Streams a page of a collection's sources, and again whenever one of them changes. */
export function loader(args: LoaderFunctionArgs) {
  return dashboardLoader(args, ({ services, actor, organizationId }) => {
    const id = requireParam(args.params.collectionId)
    const sort = sortOf(args.request, sourceSorts)
    const paging = { ...pagingOf(args.request, defaultPageSizes.sources), sort }
    const ref = { organizationId, collectionId: id }
    const reauthenticate = reauthenticateSession(args.context, args.request)
    return sourcesStream(args.context, services.sources.list(actor, ref, paging), async () =>
      services.sources.list(await reauthenticate(), ref, paging),
    )
  })
}
