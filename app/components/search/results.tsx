import { SearchX } from 'lucide-react'
import { lengths } from '../../../contract/limits'
import type { SearchView } from '../../../contract/views/search'
import { useReloadWhile } from '../ui/browser/use-reload'
import { EmptyState } from '../ui/feedback/empty-state'
import { Notice } from '../ui/feedback/notice'
import { Skeleton } from '../ui/feedback/skeleton'
import { formatCount, formatCounted, formatScore } from '../ui/format'
import { placeOf, shortAddress } from './passage'
import { Passage } from './passage-link'
import { useSearching } from './search-form'

/** The hits of a search, best first. */
export function SearchResults({
  found,
  query,
  canEmbed,
}: {
  found: SearchView
  query: string
  /** Whether the pending embeddings are being computed. */
  canEmbed: boolean
}) {
  const searching = useSearching()
  useReloadWhile(canEmbed && found.pending_embeddings > 0)
  if (searching) return <Skeleton rows={6} label="Searching" />
  return (
    <div className="grid gap-3">
      <SearchMode found={found} />
      {found.ignored_characters > 0 && (
        <Notice kind="info" title={`Only the first ${formatCount(lengths.searchedQuery)} characters were searched`}>
          The rest of your text was ignored.
        </Notice>
      )}
      {found.fragments.length === 0 ? (
        <EmptyState icon={SearchX} title="Nothing found">
          Try other words, or fewer words.
        </EmptyState>
      ) : (
        <ol className="grid gap-3">
          {found.fragments.map((fragment) => (
            <li key={fragment.id} className="rounded-medium border border-line bg-surface px-4 py-3">
              <div className="flex items-baseline justify-between gap-4">
                <h3 className="min-w-0">
                  <Passage
                    fragment={fragment}
                    query={query}
                    className="break-words font-[620]"
                    linkClassName="text-accent-strong hover:underline"
                  >
                    {fragment.title || shortAddress(fragment.url)}
                  </Passage>
                </h3>
                <span className="shrink-0 text-small tabular-nums text-soft" title="Score, from 0 to 1">
                  {formatScore(fragment.score)}
                </span>
              </div>
              <p className="break-all text-small text-soft">{placeOf(fragment)}</p>
              {fragment.headings.length > 0 && <p className="text-small text-soft">{fragment.headings.join(' › ')}</p>}
              <p className="mt-1.5 line-clamp-4 whitespace-pre-line break-words">{fragment.content}</p>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function SearchMode({ found }: { found: SearchView }) {
  if (found.mode === 'keyword') {
    return (
      <Notice kind="info" title="Keyword search only">
        Semantic search is not available yet.
      </Notice>
    )
  }
  if (found.pending_embeddings === 0) return null
  return (
    <Notice kind="info" title="Still being prepared">
      {formatCounted(found.pending_embeddings, 'fragment')} can be found by keyword only until the embeddings are ready.
    </Notice>
  )
}
