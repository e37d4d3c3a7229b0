import type { AppLoadContext } from '@remix-run/node'
import { statusOf } from '../../../contract/values/error-codes'
import type { Paged } from '../../../contract/values/paging'
import type { SourceView } from '../../../contract/views/source'
import { isAppError } from '../../../server/errors'
import { changes } from './changes.server'
import { eventStream, type ServerEvent } from './sse.server'

/**
 * Streams a page of sources, and again whenever one of them changes. The stream opens once `first` has resolved, so that an
 * error gets its own status: a browser does not reconnect then. `load` authenticates the person again.
 */
export async function sourcesStream(
  context: Pick<AppLoadContext, 'signal' | 'report'>,
  first: Promise<Paged<SourceView>>,
  load: () => Promise<Paged<SourceView>>,
): Promise<Response> {
  try {
    return eventStream(context, eventsOf(changes(load, await first, context.signal)))
  } catch (error) {
    if (!isAppError(error)) throw error
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
    return new Response(`${error.message}\n`, { status: statusOf[error.code], headers })
  }
}

async function* eventsOf(sources: AsyncIterable<Paged<SourceView>>): AsyncGenerator<ServerEvent> {
  for await (const data of sources) yield { event: 'sources', data }
}
