import type { SourceView } from '../../../contract/views/source'
import { changes } from './changes.server'
import type { ServerEvent } from './sse.server'

/** Yields 'progress' whenever a source changes, and 'done' once when it is idle. */
export async function* sourceProgress(
  load: () => Promise<SourceView>,
  first: SourceView,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  for await (const source of changes(load, first, signal)) {
    if (isIdle(source)) return yield { event: 'done', data: source }
    yield { event: 'progress', data: source }
  }
}

function isIdle({ status, paused, last_run: run }: SourceView): boolean {
  return !paused && status !== 'processing' && status !== 'crawling' && run?.finished_at !== null
}
