import { type Paging, pagingSchema } from '../../contract/paging'

/** Of an address's query; what makes no sense falls back to the first page and the list's own size. */
export function pagingOf(query: URLSearchParams, defaultLimit: number): Paging {
  return pagingSchema(defaultLimit).parse({ page: query.get('page') ?? 1, limit: query.get('limit') ?? defaultLimit })
}
