import type { Services } from '../../server/app'
import { crawlLimits } from '../../server/engine/limits'
import { RetryLater } from '../../server/errors'
import type { JobHandler } from '../runner'

/** Embeds the fragments of one collection in batches. Leaves its slot to another collection after a time slice. */
export function embedFragments({ embedding }: Pick<Services, 'embedding'>): JobHandler {
  return async ({ collectionId = '' }, signal) => {
    const sliceEndsAt = Date.now() + crawlLimits.sliceMs
    // Without an embedder nothing is embedded; `embedding.ready` enqueues the job again.
    while (!signal.aborted && (await embedding.embedNext(collectionId, signal)) > 0) {
      if (Date.now() > sliceEndsAt && (await embedding.hasQueuedCollections())) throw new RetryLater(0)
    }
    signal.throwIfAborted()
  }
}
