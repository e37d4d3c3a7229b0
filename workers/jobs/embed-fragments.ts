import type { App } from '../../server/app'
import type { JobHandler } from '../runner'

/** Fills the vectors of one collection, batch by batch, until none is missing. */
export function embedFragments(app: App): JobHandler {
  return async ({ collectionId = '' }, signal) => {
    // Without an embedder the fragments wait; `embedding.ready` gives them a job when one comes.
    while (!signal.aborted && (await app.embedding.embedNext(collectionId, signal)) > 0);
    signal.throwIfAborted()
  }
}
