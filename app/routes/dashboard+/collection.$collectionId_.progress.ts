import type { LoaderFunctionArgs } from '@remix-run/node'
import { defaultPageSizes } from '../../../contract/limits'
import type { Paged } from '../../../contract/paging'
import type { SourceView } from '../../../contract/source'
import { pagingOf } from '../../components/ui/paging'
import { changes } from '../../http/changes.server'
import { eventStream, type ServerEvent } from '../../http/sse.server'
import { required, visit } from '../../http/visit.server'

/** The sources of a page of a collection, sent again whenever anything about them changes. */
export function loader(args: LoaderFunctionArgs) {
  return visit(args, async ({ app, actor, organizationId }) => {
    const id = required(args.params.collectionId)
    const paging = pagingOf(args.request, defaultPageSizes.sources)
    const look = () => app.sources.list(actor, organizationId, id, paging)
    const { signal } = args.context
    // Asked once before the stream opens, so that a stranger gets an error instead of a stream.
    return eventStream(signal, events(changes(look, await look(), signal)), app.log)
  })
}

async function* events(sources: AsyncIterable<Paged<SourceView>>): AsyncGenerator<ServerEvent> {
  for await (const data of sources) yield { event: 'sources', data }
}
