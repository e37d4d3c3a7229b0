import { type Paging, pagingSchema, type Sort } from '../../../../contract/values/paging'

export interface PageParameters {
  page: string
  size: string
  sort: string
}

export const pageParameters: PageParameters = { page: 'page', size: 'size', sort: 'sort' }

/** Reads page and size from the query of a request. */
export function pagingOf(request: Request, defaultSize: number, names: PageParameters = pageParameters): Paging {
  const { searchParams } = new URL(request.url)
  return pagingSchema(defaultSize).parse({
    page: searchParams.get(names.page) ?? 1,
    limit: searchParams.get(names.size) ?? defaultSize,
  })
}

/**
 * Reads the order of a table from the query of a request: 'name', or '-name' for descending. Undefined without one, and
 * for a field that the table does not sort by.
 */
export function sortOf<Field extends string>(
  request: Request,
  fields: readonly Field[],
  names: PageParameters = pageParameters,
): Sort<Field> | undefined {
  const text = new URL(request.url).searchParams.get(names.sort) ?? ''
  const descending = text.startsWith('-')
  const field = fields.find((item) => item === text.slice(descending ? 1 : 0))
  return field && { field, descending }
}

/** The order as it is in the query. */
export function sortText({ field, descending }: Sort): string {
  return descending ? `-${field}` : field
}
