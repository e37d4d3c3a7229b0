import { type Paging, pagingSchema } from '../../../../contract/paging'

export interface PageParameters {
  page: string
  size: string
}

export const pageParameters: PageParameters = { page: 'page', size: 'size' }

/** Reads page and size from the query of a request. */
export function pagingOf(request: Request, defaultSize: number, names: PageParameters = pageParameters): Paging {
  const { searchParams } = new URL(request.url)
  return pagingSchema(defaultSize).parse({
    page: searchParams.get(names.page) ?? 1,
    limit: searchParams.get(names.size) ?? defaultSize,
  })
}
