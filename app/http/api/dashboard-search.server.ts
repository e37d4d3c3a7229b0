import { type SearchInput, searchSchema } from '../../../contract/chat/search-query'
import type { SearchView } from '../../../contract/views/chat/search-results'
import { isAppError } from '../../../server/errors'
import { loadErrors, orMessage } from '../session/dashboard.server'

/** Query parameters of the filters of a search in the dashboard. */
const parameters = { sourceId: 'in', type: 'type', language: 'language' } as const

export interface DashboardSearch {
  query: string
  /** The search, if there is something to search. */
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

/** What a page shows of a search: its result, or why a limit of the plan refuses it. Both are null without a search. */
export interface SearchOutcome {
  found: SearchView | null
  /** How long the search took. */
  durationMs: number
  refusal: string | null
}

/** Searches, so that the page around it is shown even if the searches of the month are used up. */
export async function searchOutcome(search: (() => Promise<SearchView>) | null): Promise<SearchOutcome> {
  if (search === null) return { found: null, durationMs: 0, refusal: null }
  const startedAt = performance.now()
  try {
    const found = await orMessage(search(), loadErrors.search)
    return { found, durationMs: performance.now() - startedAt, refusal: null }
  } catch (error) {
    if (!isAppError(error) || error.code !== 'quota_exceeded') throw error
    return { found: null, durationMs: 0, refusal: error.message }
  }
}
