import type { Transaction } from '../../../db/database'
import type { AddressKeys } from '../fragments/fragments'
import { enqueue } from '../jobs/jobs'

/** Enqueues the job that embeds the fragments of a collection. Until then, only the text index finds them. */
export async function enqueueEmbedding(
  tx: Transaction,
  { collectionId, organizationId }: Pick<AddressKeys, 'collectionId' | 'organizationId'>,
): Promise<void> {
  await enqueue(tx, {
    kind: 'embed-fragments',
    payload: { collectionId },
    organizationId,
    dedupeKey: `embed-fragments:${collectionId}`,
  })
}
