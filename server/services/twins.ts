import { and, eq, gt, isNotNull, ne } from 'drizzle-orm'
import type { Transaction } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { moveAddresses } from './states'

type Place = Pick<typeof addresses.$inferSelect, 'id' | 'url' | 'sourceId'>

/** Another address of the source that has the same text and keeps it; null where this one is the first. */
export async function twinOf(tx: Transaction, address: Place, textHash: string): Promise<string | null> {
  const [twin] = await tx
    .select({ url: addresses.url })
    .from(addresses)
    .where(
      and(
        eq(addresses.sourceId, address.sourceId),
        eq(addresses.textHash, textHash),
        ne(addresses.id, address.id),
        gt(addresses.fragments, 0),
        isNotNull(addresses.crawledAt),
      ),
    )
    .limit(1)
  return twin?.url ?? null
}

/**
 * Pages that gave way to this one, which had the same text, are read themselves, in full: it is another now, or gone.
 * Without a run they wait for the next one.
 */
export async function readTwins(tx: Transaction, address: Place, runId: string | null): Promise<void> {
  const twins = and(
    eq(addresses.sourceId, address.sourceId),
    eq(addresses.canonicalOf, address.url),
    eq(addresses.reason, 'duplicate'),
  )
  const unseen = { etag: null, lastModified: null }
  if (runId === null) await tx.update(addresses).set(unseen).where(twins)
  else await moveAddresses(tx, twins, 'due', { ...unseen, runId, nextFetchAt: null, failures: 0 })
}
