import { and, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { collections, sources } from '../../../../db/schema/collections'
import type { AddressRow } from '../../runs/run-context'

/** Whether the run still holds its claim of the address. */
export async function isClaimed(tx: Transaction, address: AddressRow): Promise<boolean> {
  return (await findClaimed(tx, address)) !== null
}

/**
 * The claimed address as it is stored now: another page may have merged it. Null where another worker took it after the
 * lease expired, and where its source or collection is deleted.
 */
export async function findClaimed(tx: Transaction, address: AddressRow): Promise<AddressRow | null> {
  const claimed = and(
    eq(addresses.id, address.id),
    eq(addresses.status, 'crawling'),
    eq(addresses.runId, address.runId ?? ''),
    isNull(sources.deletedAt),
    isNull(collections.deletedAt),
  )
  const [row] = await tx
    .select({ stored: addresses })
    .from(addresses)
    .innerJoin(sources, eq(sources.id, addresses.sourceId))
    .innerJoin(collections, eq(collections.id, addresses.collectionId))
    .where(claimed)
  return row?.stored ?? null
}
