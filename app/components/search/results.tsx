import { SearchX } from 'lucide-react'
import type { SearchView } from '../../../contract/views/chat/search-results'
import { useReloadWhile } from '../ui/browser/use-reload'
import { EmptyState } from '../ui/feedback/empty-state'
import { Skeleton } from '../ui/feedback/skeleton'
import { formatCounted, formatLatency } from '../ui/format'
import { groupByPage } from './group-by-page'
import { PageCard } from './page-card'
import { useSearching } from './search-form'
import { SearchLine } from './search-line'

interface SearchResultsProps {
  found: SearchView
  durationMs: number
  /** Whether the pending embeddings are being computed. */
  canEmbed: boolean
  /** Whether the search has filters. */
  isFiltered: boolean
}

/** What a search found, one card a page, best first. */
export function SearchResults({ found, durationMs, canEmbed, isFiltered }: SearchResultsProps) {
  const searching = useSearching()
  useReloadWhile(canEmbed && found.pending_embeddings > 0)
  const pages = groupByPage(found.fragments)
  if (searching) return <Skeleton rows={6} label="Searching" />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <SearchLine found={found} />
      {found.fragments.length === 0 ? (
        <EmptyState icon={SearchX} title="Nothing found">
          {isFiltered ? 'Try other words, or fewer filters.' : 'Try other words, or fewer words.'}
        </EmptyState>
      ) : (
        <div className="overflow-clip rounded-large border border-line bg-surface">
          <p className="flex items-baseline gap-2 border-b border-line px-4 py-2.5">
            <span className="font-semibold text-section">Results</span>
            <span className="text-meta text-soft">
              {formatCounted(pages.length, 'page')} · {formatLatency(durationMs)}
            </span>
          </p>
          <ol>
            {pages.map((page) => (
              <PageCard key={page.best.id} page={page} />
            ))}
          </ol>
        </div>
      )}
    </div>
  )
}
