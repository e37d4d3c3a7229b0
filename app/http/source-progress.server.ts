import type { SourceView } from '../../contract/views/source'
import { changes } from './changes.server'
import type { ServerEvent } from './sse.server'

/** A source while it is at work: 'progress' whenever anything about it changes, 'done' once when it is at rest. */
export async function* sourceProgress(
  look: () => Promise<SourceView>,
  first: SourceView,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  for await (const source of changes(look, first, signal)) {
    if (isAtRest(source)) return yield { event: 'done', data: source }
    yield { event: 'progress', data: source }
  }
}

function isAtRest({ status, paused, last_run: run }: SourceView): boolean {
  return !paused && status !== 'processing' && status !== 'crawling' && run?.finished_at !== null
}
