import { and, asc, count, eq, isNull, or } from 'drizzle-orm'
import type { Paged, Paging } from '../../contract/paging'
import type { AddressView } from '../../contract/source'
import type { FragmentView } from '../../contract/thread'
import type { Database } from '../../db/database'
import { addresses, fragments } from '../../db/schema/addresses'
import { sources } from '../../db/schema/collections'
import { contains } from '../../db/sql'
import type { Actor } from '../actor'
import { authorize, notFound } from '../policy'
import { findCollection } from './collections'
import { fragmentView } from './fragments'

type AddressRow = typeof addresses.$inferSelect

export function createAddresses({ db }: { db: Database }) {
  /** The collection's addresses, oldest first; `filter` is part of an address or a title. */
  async function list(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    { page, limit, filter }: Paging & { filter?: string },
  ): Promise<Paged<AddressView>> {
    authorize(actor, 'source:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const here = and(
      eq(addresses.collectionId, collectionId),
      isNull(sources.deletedAt),
      filter ? or(contains(addresses.url, filter), contains(addresses.metaTitle, filter)) : undefined,
    )
    const rows = await db.read
      .select({ address: addresses })
      .from(addresses)
      .innerJoin(sources, eq(sources.id, addresses.sourceId))
      .where(here)
      .orderBy(asc(addresses.createdAt), asc(addresses.id))
      .limit(limit)
      .offset((page - 1) * limit)
    const [found] = await db.read
      .select({ total: count() })
      .from(addresses)
      .innerJoin(sources, eq(sources.id, addresses.sourceId))
      .where(here)
    const total = found?.total ?? 0
    return { docs: rows.map(({ address }) => view(address)), total, pages: Math.ceil(total / limit) }
  }

  /** An address with all that was made of it, in the order of the page. */
  async function withFragments(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    id: string,
  ): Promise<{ address: AddressView; fragments: FragmentView[] }> {
    authorize(actor, 'source:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const [found] = await db.read
      .select({ address: addresses })
      .from(addresses)
      .innerJoin(sources, eq(sources.id, addresses.sourceId))
      .where(and(eq(addresses.id, id), eq(addresses.collectionId, collectionId), isNull(sources.deletedAt)))
    if (!found) throw notFound()
    const rows = await db.read
      .select()
      .from(fragments)
      .where(eq(fragments.addressId, id))
      .orderBy(asc(fragments.ordinal))
    return { address: view(found.address), fragments: rows.map((row) => fragmentView(row, found.address.url, 1)) }
  }

  return { list, fragments: withFragments }
}

function view(row: AddressRow): AddressView {
  return {
    id: row.id,
    url: row.url,
    status: row.status,
    reason: row.reason,
    message: row.message,
    http_status: row.httpStatus,
    meta_title: row.metaTitle,
    meta_description: row.metaDescription,
    fragments: row.fragments,
    crawled_at: row.crawledAt?.toISOString() ?? null,
    updated_at: row.updatedAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    source_id: row.sourceId,
    collection_id: row.collectionId,
    organization_id: row.organizationId,
  }
}
