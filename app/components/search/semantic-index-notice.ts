import type { SearchView } from '../../../contract/views/chat/search-results'
import { formatCount } from '../ui/format'

/** Says that a search did not compare meanings, or not those of every fragment; null if it did. */
export function semanticIndexNotice({
  mode,
  pending_embeddings: pending,
}: Pick<SearchView, 'mode' | 'pending_embeddings'>): string | null {
  if (mode === 'keyword') return 'Keyword search only: the semantic index is not built yet.'
  return pending > 0 ? `Building the semantic index: ${formatCount(pending)} left.` : null
}
