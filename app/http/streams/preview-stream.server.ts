import type { PreviewEvent } from '../../../contract/views/preview'
import type { App } from '../../../server/app'
import { eventStream, type ServerEvent } from './sse.server'

/** Streams a preview. Rejects if the preview cannot start. */
export async function previewStream(
  app: Pick<App, 'log'>,
  signal: AbortSignal,
  preview: Promise<AsyncIterable<PreviewEvent>>,
): Promise<Response> {
  return eventStream(signal, eventsOf(await preview), app.log)
}

async function* eventsOf(preview: AsyncIterable<PreviewEvent>): AsyncGenerator<ServerEvent> {
  for await (const event of preview) yield { event: event.kind, data: event }
}
