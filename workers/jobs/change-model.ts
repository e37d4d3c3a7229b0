import type { Services } from '../../server/app'
import { crawlLimits } from '../../server/engine/limits'
import { RetryLater } from '../../server/errors'
import type { JobHandler } from '../runner'

/** Changes the embedding model of one collection. Leaves its slot to another collection after a time slice. */
export function changeModel({ vectorBuilding }: Pick<Services, 'vectorBuilding'>): JobHandler {
  return async ({ collectionId = '' }, signal) => {
    const sliceEndsAt = Date.now() + crawlLimits.sliceMs
    while (!signal.aborted && (await vectorBuilding.next(collectionId, signal))) {
      if (Date.now() > sliceEndsAt && (await vectorBuilding.hasQueuedChanges())) throw new RetryLater(0)
    }
    signal.throwIfAborted()
  }
}
