import { and, eq, isNull } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { addresses, visits } from '../../../db/schema/addresses'
import { collections, sources } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import { notFound } from '../../policy'
import { type CollectionRef, findCollection } from '../collections/collections'
import { hasOpenVisit, type VisitRow } from '../runs/visits'
import type { SourceRow } from '../source-rows/source-settings'

export type AddressRow = typeof addresses.$inferSelect

/** An address, with the organization and the collection that it has to be in. */
export interface AddressRef extends CollectionRef {
  addressId: string
}

/** What the view of an address needs. */
export interface AddressWithParents {
  address: AddressRow
  /** Its open visit. */
  visit: VisitRow | null
  source: SourceRow
  collection: { name: string }
  organization: { name: string }
}

/** Selects addresses with what they are in and their open visit, in one query. */
export function selectAddresses(queries: Queries) {
  return queries
    .select({
      address: addresses,
      visit: visits,
      source: sources,
      collection: { name: collections.name },
      organization: { name: organizations.name },
    })
    .from(addresses)
    .innerJoin(sources, eq(sources.id, addresses.sourceId))
    .innerJoin(collections, eq(collections.id, addresses.collectionId))
    .innerJoin(organizations, eq(organizations.id, addresses.organizationId))
    .leftJoin(visits, hasOpenVisit())
}

/** Throws not_found if the collection has no such address, or its source is deleted. */
export async function findAddress(
  queries: Queries,
  { organizationId, collectionId, addressId }: AddressRef,
): Promise<AddressWithParents> {
  await findCollection(queries, organizationId, collectionId)
  const visible = and(eq(addresses.id, addressId), eq(addresses.collectionId, collectionId), isNull(sources.deletedAt))
  const [found] = await selectAddresses(queries).where(visible)
  if (!found) throw notFound()
  return found
}
