import type { Transaction } from '../../../../db/database'
import { modelChanges } from '../../../../db/schema/collections'
import { enqueue } from '../../jobs/jobs'

export interface ChangeRequest {
  collectionId: string
  organizationId: string
  /** The name of the new model. */
  model: string
  createdBy: string | null
}

/** Begins to build a second set of vectors for a collection. Does nothing if a change of it has not ended. */
export async function beginChange(tx: Transaction, request: ChangeRequest): Promise<void> {
  await tx.insert(modelChanges).values(request).onConflictDoNothing()
  await enqueueChange(tx, request)
}

/** Enqueues the job that continues a change. */
export async function enqueueChange(
  tx: Transaction,
  { collectionId, organizationId }: Pick<ChangeRequest, 'collectionId' | 'organizationId'>,
): Promise<void> {
  await enqueue(tx, {
    kind: 'change-model',
    payload: { collectionId },
    organizationId,
    dedupeKey: `change-model:${collectionId}`,
  })
}
