import { and, asc, count, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AddressFilter } from '../../../contract/address'
import type { Paged, SortedPaging } from '../../../contract/values/paging'
import type { AddressSort } from '../../../contract/values/sorts'
import type { AddressView } from '../../../contract/views/address'
import type { ReasonCount } from '../../../contract/views/run'
import type { Database } from '../../../db/database'
import { addresses, visits } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { contains, lower } from '../../../db/sql'
import type { Actor } from '../../actor'
import { authorize } from '../../policy'
import { findCollection } from '../collections/collections'
import { orderOf, pageOf, rowsBefore } from '../paging'
import { hasOpenVisit, shownStatusColumn } from '../runs/visits'
import { addressView } from './address-view'
import { selectAddresses } from './find-address'

const sortColumns = {
  address: lower(sql`coalesce(nullif(${addresses.metaTitle}, ''), ${addresses.url})`),
  status: shownStatusColumn(),
  fragments: addresses.fragments,
  crawled_at: addresses.crawledAt,
}
const oldestFirst = [asc(addresses.createdAt), asc(addresses.id)]

/** Lists the addresses of collections. */
export function createAddressList({ db }: { db: Database }) {
  /** The matching addresses of the collection, oldest first if no order is chosen. */
  async function list(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    { filter, status, reason, sourceId, sort, ...paging }: SortedPaging<AddressSort> & AddressFilter,
  ): Promise<Paged<AddressView>> {
    authorize(actor, 'source:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const filters = and(
      filter ? or(contains(addresses.url, filter), contains(addresses.metaTitle, filter)) : undefined,
      status ? eq(shownStatusColumn(), status) : undefined,
      reason ? eq(addresses.reason, reason) : undefined,
      sourceId ? eq(addresses.sourceId, sourceId) : undefined,
    )
    const rows = await selectAddresses(db.read)
      .where(and(eq(addresses.collectionId, collectionId), isNull(sources.deletedAt), filters))
      .orderBy(...orderOf(sortColumns, sort, oldestFirst))
      .limit(paging.limit)
      .offset(rowsBefore(paging))
    // By source, so that an index suffices: with a join, each address looked its source up.
    const visible = db.read
      .select({ id: sources.id })
      .from(sources)
      .where(and(eq(sources.collectionId, collectionId), isNull(sources.deletedAt)))
    const matching = and(inArray(addresses.sourceId, visible), filters)
    const total = status ? await countWithVisits(matching) : await db.read.$count(addresses, matching)
    return pageOf(rows.map(addressView), total, paging)
  }

  async function countWithVisits(matching: SQL | undefined): Promise<number> {
    const [row] = await db.read
      .select({ total: count() })
      .from(addresses)
      .leftJoin(visits, hasOpenVisit())
      .where(matching)
    return row?.total ?? 0
  }

  /** The number of addresses per reason in the collection or in one source, most frequent first. */
  async function reasons(
    actor: Actor,
    organizationId: string,
    collectionId: string,
    { sourceId }: Pick<AddressFilter, 'sourceId'>,
  ): Promise<Omit<ReasonCount, 'message'>[]> {
    authorize(actor, 'source:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const matching = and(
      eq(addresses.collectionId, collectionId),
      isNotNull(addresses.reason),
      isNull(sources.deletedAt),
      sourceId ? eq(addresses.sourceId, sourceId) : undefined,
    )
    const rows = await db.read
      .select({ reason: addresses.reason, count: count() })
      .from(addresses)
      .innerJoin(sources, eq(sources.id, addresses.sourceId))
      .where(matching)
      .groupBy(addresses.reason)
      .orderBy(desc(count()), asc(addresses.reason))
    return rows.map((row) => ({ ...row, reason: row.reason ?? '' }))
  }

  /** The languages of the addresses of a collection, in the order of their tags. */
  async function languages(actor: Actor, organizationId: string, collectionId: string): Promise<string[]> {
    authorize(actor, 'source:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    const { language } = addresses
    const rows = await db.read
      .selectDistinct({ language })
      .from(addresses)
      .where(and(eq(addresses.collectionId, collectionId), isNotNull(language)))
      .orderBy(asc(language))
    return rows.flatMap((row) => row.language || [])
  }

  return { list, reasons, languages }
}
