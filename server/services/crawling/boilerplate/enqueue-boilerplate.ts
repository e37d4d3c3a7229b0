import type { Transaction } from '../../../../db/database'
import { enqueue } from '../../jobs/jobs'

/** Enqueues the detection of boilerplate after pages of a source changed outside a full run. */
export async function enqueueBoilerplate(
  tx: Transaction,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<void> {
  await enqueue(tx, {
    kind: 'detect-boilerplate',
    payload: { sourceId: id },
    organizationId,
    dedupeKey: `detect-boilerplate:${id}`,
  })
}
