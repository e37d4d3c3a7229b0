import { Form, useLocation, useNavigation, useSearchParams } from '@remix-run/react'
import { Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../ui/button'

/** Query parameters of a search and its filters. */
export const searchParameters = ['q', 'in', 'type', 'language']

interface SearchFormProps {
  query: string
  placeholder: string
  /** Takes the query instead of the page that the form would load. */
  onSearch?: (query: string) => void
  pending?: boolean
  /** Query parameters to keep. */
  parameters?: [string, string][]
  /** Controls of further parameters, below the query. */
  children?: ReactNode
}

/** A search form whose query is in the URL. The key `/` focuses it. */
export function SearchForm({
  query,
  placeholder,
  onSearch,
  pending = false,
  parameters = [],
  children,
}: SearchFormProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const isSearching = useSearching() || pending
  const [search] = useSearchParams()
  const isEmpty = search.get('q')?.trim() === ''
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const typed = input.current?.value.trim() ?? ''
    if (!onSearch || typed === '') return
    event.preventDefault()
    onSearch(typed)
  }
  return (
    <Form
      role="search"
      method="get"
      preventScrollReset
      onSubmit={onSubmit}
      className="flex flex-wrap items-center gap-1 rounded-medium border border-line-strong bg-surface p-1 focus-within:outline-2 focus-within:outline-accent"
    >
      <Search className="ml-3 size-4 shrink-0 text-soft" aria-hidden="true" />
      {parameters.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <input
        ref={input}
        key={query}
        type="search"
        name="q"
        defaultValue={query}
        placeholder={placeholder}
        aria-label={placeholder}
        aria-describedby={isEmpty ? 'search-empty' : undefined}
        className="min-w-0 flex-1 bg-transparent px-2.5 py-2 text-[0.9375rem] outline-none max-sm:text-base"
      />
      {children}
      <Button variant="primary" pending={isSearching}>
        Search
      </Button>
      {isEmpty && (
        <p id="search-empty" role="status" className="w-full px-3 pb-2 text-meta text-soft">
          Enter a question or keywords.
        </p>
      )}
    </Form>
  )
}

/** Whether a search is in progress. */
export function useSearching(): boolean {
  const { state, location } = useNavigation()
  const current = useLocation()
  if (state !== 'loading' || location.pathname !== current.pathname) return false
  const [next, shown] = [location, current].map(({ search }) => new URLSearchParams(search))
  return !!next?.get('q') && searchParameters.some((name) => (next.get(name) ?? '') !== (shown?.get(name) ?? ''))
}
