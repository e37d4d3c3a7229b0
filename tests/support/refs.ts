import type { AddressRef } from '../../server/services/addresses/find-address'

/** Refers to an address in the collection of a test. */
export function addressRef(
  { orgId, collectionId }: { orgId: string; collectionId: string },
  addressId = '',
): AddressRef {
  return { organizationId: orgId, collectionId, addressId }
}
