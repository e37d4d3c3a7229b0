import { and, eq, isNull } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../contract/reasons'
import type { Transaction } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { collections, sources } from '../../db/schema/collections'
import type { ClaimedAddress } from './crawl-work'

/** Another worker may have taken the address after a lease ran out, or its source may be on its way out. */
export async function stillClaimed(tx: Transaction, address: ClaimedAddress): Promise<boolean> {
  const claimed = and(
    eq(addresses.id, address.id),
    eq(addresses.status, 'crawling'),
    eq(addresses.runId, address.runId ?? ''),
    isNull(sources.deletedAt),
    isNull(collections.deletedAt),
  )
  const rows = await tx
    .select({ id: addresses.id })
    .from(addresses)
    .innerJoin(sources, eq(sources.id, addresses.sourceId))
    .innerJoin(collections, eq(collections.id, addresses.collectionId))
    .where(claimed)
  return rows.length > 0
}

/** The reason's sentence, and the address that is read in place. */
export function withAddress(reason: ReasonCode, address: string | null): string {
  return address === null ? reasonText(reason) : `${reasonText(reason)} ${address}`
}
