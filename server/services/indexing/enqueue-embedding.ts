import type { Transaction } from '../../../db/database'
import type { AddressKeys } from '../fragments/fragments'
import { enqueue } from '../jobs/jobs'

/** New fragments are found by their words at once; a job gives them their vectors. */
export async function wantVectors(
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
