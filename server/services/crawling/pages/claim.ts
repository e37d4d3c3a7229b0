import { and, eq, isNull } from 'drizzle-orm'
import type { Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { collections, sources } from '../../../../db/schema/collections'
import type { AddressRow } from '../runs/run-context'

/** Another worker may have taken the address after a lease ran out, or its source may be on its way out. */
export async function stillClaimed(tx: Transaction, address: AddressRow): Promise<boolean> {
  return (await asStored(tx, address)) !== null
}

/** The claimed address as it is by now: another page may have taken its text over. Null where it is not claimed any more. */
export async function asStored(tx: Transaction, address: AddressRow): Promise<AddressRow | null> {
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
