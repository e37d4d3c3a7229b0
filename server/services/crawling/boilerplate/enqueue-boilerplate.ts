import type { Transaction } from '../../../../db/database'
import { enqueue } from '../../jobs/jobs'

/** Pages of a source came or went outside of a whole run, which settles what they share by itself: a job does it now. */
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
