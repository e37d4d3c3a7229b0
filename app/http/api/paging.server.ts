import { type Paging, pagingSchema } from '../../../contract/values/paging'

/** Reads page and limit from a query. Invalid values fall back to the first page and the default limit. */
export function pagingOf(query: URLSearchParams, defaultLimit: number): Paging {
  return pagingSchema(defaultLimit).parse({ page: query.get('page') ?? 1, limit: query.get('limit') ?? defaultLimit })
}
