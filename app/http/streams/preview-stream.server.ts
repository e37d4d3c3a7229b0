import type { AppLoadContext } from '@remix-run/node'
import type { PreviewEvent } from '../../../contract/views/preview'
import { eventStream, type ServerEvent } from './sse.server'

/** Streams a preview. Rejects if the preview cannot start. */
export async function previewStream(
  context: Pick<AppLoadContext, 'signal' | 'report'>,
  preview: Promise<AsyncIterable<PreviewEvent>>,
): Promise<Response> {
  return eventStream(context, eventsOf(await preview))
}

async function* eventsOf(preview: AsyncIterable<PreviewEvent>): AsyncGenerator<ServerEvent> {
  for await (const event of preview) yield { event: event.kind, data: event }
}
