import type { LoaderFunctionArgs } from '@remix-run/node'
import { defaultPageSizes } from '../../../contract/limits'
import type { Paged, Paging } from '../../../contract/paging'
import type { SourceView } from '../../../contract/source'
import { pagingOf } from '../../components/ui/paging'
import { eventStream, type ServerEvent } from '../../http/sse.server'
import { required, type Visit, visit } from '../../http/visit.server'

/** How often the sources are looked at, in milliseconds. */
const interval = 1_000

/** The sources of a page of a collection, sent again whenever anything about them changes. */
export function loader(args: LoaderFunctionArgs) {
  return visit(args, async (visitor) => {
    const id = required(args.params.collectionId)
    const paging = pagingOf(args.request, defaultPageSizes.sources)
    // Asked once before the stream opens, so that a stranger gets an error instead of a stream.
    const first = await visitor.app.sources.list(visitor.actor, visitor.organizationId, id, paging)
    const { signal } = args.context
    return eventStream(signal, changes(visitor, id, paging, first, signal), visitor.app.log)
  })
}

async function* changes(
  { app, actor, organizationId }: Visit,
  id: string,
  paging: Paging,
  first: Paged<SourceView>,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let sent = ''
  for (let sources = first; !signal.aborted; sources = await app.sources.list(actor, organizationId, id, paging)) {
    const now = JSON.stringify(sources)
    if (now !== sent) yield { event: 'sources', data: sources }
    sent = now
    await pause(signal)
  }
}

/** Until the next look, or until nobody listens. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, interval)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
