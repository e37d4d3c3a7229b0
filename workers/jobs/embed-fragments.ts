import type { App } from '../../server/app'
import { crawlLimits } from '../../server/engine/limits'
import { RetryLater } from '../../server/errors'
import type { JobHandler } from '../runner'

/** Fills the vectors of one collection, batch by batch, until none is missing. */
export function embedFragments(app: App): JobHandler {
  return async ({ collectionId = '' }, signal) => {
    const until = Date.now() + crawlLimits.sliceMs
    // Without an embedder the fragments wait; `embedding.ready` gives them a job when one comes.
    while (!signal.aborted && (await app.embedding.embedNext(collectionId, signal)) > 0) {
      if (Date.now() > until && (await app.embedding.isAwaited())) throw new RetryLater(0)
    }
    signal.throwIfAborted()
  }
}
