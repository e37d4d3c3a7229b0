import { and, eq, isNull } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { addresses } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { notFound } from '../../policy'
import { type CollectionRef, findCollection } from '../collections/collections'
import type { SourceRow } from '../sources/source-settings'

export type AddressRow = typeof addresses.$inferSelect

/** An address, with the organization and the collection that it has to be in. */
export interface AddressRef extends CollectionRef {
  addressId: string
}

/** Throws not_found if the collection has no such address, or its source is deleted. */
export async function findAddress(
  queries: Queries,
  { organizationId, collectionId, addressId }: AddressRef,
): Promise<{ address: AddressRow; source: SourceRow }> {
  await findCollection(queries, organizationId, collectionId)
  const visible = and(eq(addresses.id, addressId), eq(addresses.collectionId, collectionId), isNull(sources.deletedAt))
  const [found] = await queries
    .select({ address: addresses, source: sources })
    .from(addresses)
    .innerJoin(sources, eq(sources.id, addresses.sourceId))
    .where(visible)
  if (!found) throw notFound()
  return found
}
