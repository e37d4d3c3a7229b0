import { z } from 'zod'
import { pageSizes } from './limits'

export interface Paged<Item> {
  docs: Item[]
  total: number
  pages: number
}

/** `page` starts at 1. Invalid pages and sizes fall back to defaults, so that old links still work. */
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
