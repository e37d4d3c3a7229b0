import { type SearchInput, searchSchema } from '../../../contract/search'

/** Query parameters of the filters of a search in the dashboard. */
const parameters = { sourceId: 'in', type: 'type', language: 'language' } as const

export interface DashboardSearch {
  query: string
  /** Only if there is something to search. */
  input: Pick<SearchInput, 'query' | 'sourceId' | 'type' | 'language'> | null
  /** The filters that apply; '' for none. */
  filters: { source: string; type: string; language: string }
}

/**
 * Reads a search from the query of a dashboard page. Filters with invalid values, and sources that are not in `sourceIds`,
 * are ignored.
 */
export function dashboardSearchOf(search: URLSearchParams, sourceIds: string[]): DashboardSearch {
  const query = (search.get('q') ?? '').trim()
  const filterOf = (name: keyof typeof parameters) => {
    const value = search.get(parameters[name]) ?? ''
    if (name === 'sourceId') return sourceIds.includes(value) ? value : ''
    return searchSchema.safeParse({ query, collectionId: 'any', [name]: value }).success ? value : ''
  }
  const filters = { source: filterOf('sourceId'), type: filterOf('type'), language: filterOf('language') }
  const { source: sourceId, ...rest } = filters
  const parsed = searchSchema.safeParse({ query, collectionId: 'any', sourceId, ...rest })
  if (query === '' || !parsed.success) return { query, input: null, filters }
  const { collectionId: _, agentId: __, ...input } = parsed.data
  return { query, input, filters }
}
