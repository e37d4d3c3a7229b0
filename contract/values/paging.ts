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
    page: z.coerce.number().int().min(1).max(1_000_000).catch(1).meta({ description: 'The first page is 1.' }),
    limit: z.coerce
      .number()
      .refine((limit) => (pageSizes as readonly number[]).includes(limit))
      .catch(defaultLimit)
      .meta({ type: 'integer', enum: [...pageSizes], description: 'Entries of a page.' }),
  })
}
export interface Paging {
  page: number
  limit: number
}

/** The order of a list. */
export interface Sort<Field extends string = string> {
  field: Field
  descending: boolean
}

/** A page of a list whose order a person may choose. */
export interface SortedPaging<Field extends string> extends Paging {
  sort?: Sort<Field> | undefined
  /** Part of the name. */
  search?: string | undefined
}
