import { asc, desc, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Paged, Paging, Sort } from '../../contract/values/paging'

/** How many rows stand before those of a page. */
export function rowsBefore({ page, limit }: Paging): number {
  return (page - 1) * limit
}

/** The rows of a page, and the number of all rows. */
export function pageOf<Item>(docs: Item[], total: number, { limit }: Paging): Paged<Item> {
  return { docs, total, pages: Math.ceil(total / limit) }
}

/** The order of a list: what a person chose, then `rest`, which gives each row one place. */
export function orderOf<Field extends string>(
  columns: Record<Field, SQLWrapper>,
  sort: Sort<Field> | undefined,
  rest: SQL[],
): SQL[] {
  return sort ? [(sort.descending ? desc : asc)(columns[sort.field]), ...rest] : rest
}
