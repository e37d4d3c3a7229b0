import type { Paged } from '../../contract/paging'
import type { SourceView } from '../../contract/views/source'
import type { App } from '../../server/app'
import { isAppError, statusOf } from '../../server/errors'
import { changes } from './changes.server'
import { eventStream, type ServerEvent } from './sse.server'

/**
 * The stream of a page of sources, sent again whenever anything about them changes. It is looked at once before it opens:
 * what refuses that is a plain answer with its status, which a browser does not ask for again.
 */
export async function sourcesStream(
  app: Pick<App, 'log'>,
  signal: AbortSignal,
  look: () => Promise<Paged<SourceView>>,
): Promise<Response> {
  try {
    return eventStream(signal, eventsOf(changes(look, await look(), signal)), app.log)
  } catch (error) {
    if (!isAppError(error)) throw error
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
    return new Response(`${error.message}\n`, { status: statusOf[error.code], headers })
  }
}

async function* eventsOf(sources: AsyncIterable<Paged<SourceView>>): AsyncGenerator<ServerEvent> {
  for await (const data of sources) yield { event: 'sources', data }
}
