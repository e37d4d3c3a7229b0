import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../server/app'
import { crawlLimits } from '../../server/engine/limits'
import { RetryLater } from '../../server/errors'
import type { JobHandler } from '../runner'

/**
 * Changes the embedding model of one collection. Leaves its slot to another collection after a time slice, and half of the
 * time to new fragments, which semantic search cannot find yet.
 */
export function changeModel({ vectorBuilding }: Pick<Services, 'vectorBuilding'>): JobHandler {
  return async ({ collectionId = '' }, signal) => {
    const sliceEndsAt = Date.now() + crawlLimits.sliceMs
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      const startedAt = performance.now()
      hasMore = await vectorBuilding.next(collectionId, signal)
      if (hasMore && Date.now() > sliceEndsAt && (await vectorBuilding.hasQueuedChanges())) throw new RetryLater(0)
      if (hasMore && (await vectorBuilding.areFragmentsWaiting()))
        await sleep(performance.now() - startedAt, undefined, { signal }).catch(() => {})
    }
    signal.throwIfAborted()
  }
}
