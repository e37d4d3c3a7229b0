import { z } from 'zod'
import { pageSizes } from './limits'

export interface Paged<Item> {
  docs: Item[]
  total: number
  pages: number
}

/** `page` starts at 1. A page or size that makes no sense falls back, so that an old link still opens. */
export function pagingSchema(defaultLimit: number) {
  return z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
    limit: z.coerce
      .number()
      .refine((limit) => (pageSizes as readonly number[]).includes(limit))
      .catch(defaultLimit),
  })
}
export interface Paging {
  page: number
  limit: number
}
