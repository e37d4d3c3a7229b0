import type { Paged, Paging } from '../../contract/paging'

/** How many rows stand before those of a page. */
export function rowsBefore({ page, limit }: Paging): number {
  return (page - 1) * limit
}

/** The rows of a page, of so many in all. */
export function pageOf<Item>(docs: Item[], total: number, { limit }: Paging): Paged<Item> {
  return { docs, total, pages: Math.ceil(total / limit) }
}
