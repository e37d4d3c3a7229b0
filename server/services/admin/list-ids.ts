import { and, asc, count, desc, eq, isNotNull, notInArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { AdminFilter, AdminListName, AdminOrder, AdminQuery } from '../../../contract/admin'
import type { Paging } from '../../../contract/values/paging'
import type { Queries } from '../../../db/database'
import { sources } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import { rowsBefore } from '../paging'

/** What the back office lists of one table. */
export interface ListedTable<Name extends AdminListName> {
  table: PgTable
  id: PgColumn
  orders: Record<AdminOrder<Name>, PgColumn>
  filters: Record<AdminFilter<Name>, (queries: Queries, id: string) => SQL>
  /** Leaves out what is being deleted; undefined where nothing is. */
  visible(queries: Queries): Promise<SQL | undefined>
}

/**
 * The ids of one page and the number of all matching rows. Reads indexes alone for the default order, so that a page of a
 * long list takes as long as one of a short list.
 */
export async function listIds<Name extends AdminListName>(
  queries: Queries,
  { table, id, orders, filters, visible }: ListedTable<Name>,
  { order, where, ...paging }: AdminQuery<Name> & Paging,
): Promise<{ ids: string[]; total: number }> {
  const conditions = Object.entries(where).map(([name, value]) =>
    filters[name as AdminFilter<Name>](queries, String(value)),
  )
  const matching = and(...conditions, await visible(queries))
  const [counted] = await queries.select({ total: count() }).from(table).where(matching)
  const directions = order.map(([field, direction]) => sorted(orders[field], direction))
  // Ids break ties in the direction of the last field, which is the direction in which the indexes have them.
  const [, last] = order.at(-1) ?? []
  const rows = await queries
    .select({ id })
    .from(table)
    .where(matching)
    .orderBy(...directions, last === 'asc' ? asc(id) : desc(id))
    .limit(paging.limit)
    .offset(rowsBefore(paging))
  return { ids: rows.map((row) => String(row.id)), total: counted?.total ?? 0 }
}

function sorted(column: PgColumn, direction: 'asc' | 'desc'): SQL {
  const towards = direction === 'asc' ? asc(column) : desc(column)
  return column.notNull ? towards : sql`${towards} nulls last`
}

/** Leaves out what belongs to a deleted organization, whose content a job deletes. */
export async function inCurrentOrganizations(queries: Queries, column: PgColumn): Promise<SQL | undefined> {
  const deleted = isNotNull(organizations.deletedAt)
  const rows = await queries.select({ id: organizations.id }).from(organizations).where(deleted).limit(1)
  if (rows.length === 0) return undefined
  return notInArray(column, queries.select({ id: organizations.id }).from(organizations).where(deleted))
}

/** Leaves out what belongs to a deleted source. */
export async function inCurrentSources(queries: Queries, column: PgColumn): Promise<SQL | undefined> {
  const deleted = isNotNull(sources.deletedAt)
  const rows = await queries.select({ id: sources.id }).from(sources).where(deleted).limit(1)
  if (rows.length === 0) return undefined
  return notInArray(column, queries.select({ id: sources.id }).from(sources).where(deleted))
}

export function equals(column: PgColumn): (queries: Queries, id: string) => SQL {
  return (_, id) => eq(column, id)
}
