import { Link, useSearchParams } from '@remix-run/react'
import { lengths } from '../../../contract/values/limits'
import type { SearchView } from '../../../contract/views/chat/search-results'
import { withQuery } from '../ui/browser/query'
import { formatCount } from '../ui/format'
import { semanticIndexNotice } from './semantic-index-notice'

/** What the searcher should know about a search, in one line; nothing if it was an ordinary one. */
export function SearchLine({ found }: { found: SearchView }) {
  const [search] = useSearchParams()
  const { corrections, corrected_query: meant, mode, pending_embeddings: pending, ignored_characters: ignored } = found
  const isOrdinary = corrections.length === 0 && mode === 'hybrid' && pending === 0 && ignored === 0
  if (isOrdinary) return null
  const notice = semanticIndexNotice(found)
  return (
    <p role="status" className="flex flex-wrap gap-x-1.5 text-meta text-soft">
      {meant !== null && (
        <span>
          Did you mean{' '}
          <Link to={withQuery(search, { q: meant })} className="font-medium text-accent-strong" preventScrollReset>
            {meant}
          </Link>
          {!meant.endsWith('?') && '?'}
        </span>
      )}
      {corrections.length > 0 && (
        <span>
          Searched for{' '}
          {corrections.map(({ typed, searched }, n) => (
            <span key={typed}>
              {n > 0 && ', '}
              <b className="font-medium text-text">{searched}</b> instead of “{typed}”
            </span>
          ))}
          .
        </span>
      )}
      {notice && <span>{notice}</span>}
      {ignored > 0 && <span>Only the first {formatCount(lengths.searchedQuery)} characters were searched.</span>}
    </p>
  )
}
