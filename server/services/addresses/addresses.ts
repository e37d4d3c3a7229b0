import { and, asc, count, eq } from 'drizzle-orm'
import type { Paged, Paging } from '../../../contract/values/paging'
import type { AddressFragment, AddressView } from '../../../contract/views/address'
import { addresses, fragments } from '../../../db/schema/addresses'
import type { Actor } from '../../actor'
import { authorize } from '../../policy'
import { addressFragment } from '../fragments/fragments'
import { isCommitted } from '../fragments/visible-fragments'
import { pageOf, rowsBefore } from '../paging'
import { type AddressActionDeps, createAddressActions } from './address-actions'
import { createAddressList } from './address-list'
import { addressView } from './address-view'
import { type AddressRef, findAddress } from './find-address'

export function createAddresses(deps: AddressActionDeps) {
  const { db } = deps

  /** Returns the address with one page of its fragments, in the order of its text. */
  async function get(
    actor: Actor,
    ref: AddressRef,
    paging: Paging,
  ): Promise<{ address: AddressView; fragments: Paged<AddressFragment> }> {
    authorize(actor, 'source:read', ref.organizationId)
    const found = await findAddress(db.read, ref)
    const { address } = found
    const visible = and(eq(fragments.addressId, address.id), isCommitted())
    const rows = await db.read
      .select({ fragment: fragments })
      .from(fragments)
      .innerJoin(addresses, eq(addresses.id, fragments.addressId))
      .where(visible)
      .orderBy(asc(fragments.ordinal))
      .limit(paging.limit)
      .offset(rowsBefore(paging))
    const [counted] = await db.read
      .select({ total: count() })
      .from(fragments)
      .innerJoin(addresses, eq(addresses.id, fragments.addressId))
      .where(visible)
    const total = counted?.total ?? 0
    const docs = rows.map(({ fragment }) => addressFragment(fragment, address.url))
    return { address: addressView(found), fragments: pageOf(docs, total, paging) }
  }

  return { get, ...createAddressList(deps), ...createAddressActions(deps) }
}
