import { Form, Link, useSearchParams, useSubmit } from '@remix-run/react'
import { pageSizes } from '../../../../contract/values/limits'
import type { Paging } from '../../../../contract/values/paging'
import { withQuery } from '../browser/query'
import { Button, buttonClasses } from '../button'
import { formatCount } from '../format'
import { type PageParameters, pageParameters } from './paging'

interface PagerProps {
  /** Name of the list, for screen readers. */
  label: string
  paging: Paging
  total: number
  pages: number
  names?: PageParameters
}

/** Page and size are in the query. Hidden for a list of one page, unless its size was chosen. */
export function Pager({ label, paging, total, pages, names = pageParameters }: PagerProps) {
  const [search] = useSearchParams()
  const submit = useSubmit()
  const { page, limit } = paging
  if (total === 0 || (pages === 1 && page === 1 && !search.has(names.size))) return null
  const first = Math.min((page - 1) * limit + 1, total)
  const last = Math.min(page * limit, total)
  const others = [...search].filter(([name]) => name !== names.page && name !== names.size)
  return (
    <nav aria-label={`Pages of ${label}`} className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-2">
      <span className="text-soft tabular-nums">
        {formatCount(first)} to {formatCount(last)} of {formatCount(total)}
      </span>
      <Form
        method="get"
        preventScrollReset
        className="flex items-center gap-1.5"
        onChange={(event) => submit(event.currentTarget, { preventScrollReset: true })}
      >
        {others.map(([name, value]) => (
          <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
        ))}
        <label className="flex items-center gap-1.5 text-meta text-soft">
          Rows
          <select
            key={limit}
            name={names.size}
            defaultValue={limit}
            className="rounded-small border border-line-strong bg-surface px-1.5 py-1 text-text"
          >
            {pageSizes.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
        <noscript>
          <Button>Show</Button>
        </noscript>
      </Form>
      <span className="ml-auto flex gap-1">
        <PageLink to={withQuery(search, { [names.page]: String(page - 1) })} disabled={page <= 1}>
          Previous
        </PageLink>
        <PageLink to={withQuery(search, { [names.page]: String(page + 1) })} disabled={page >= pages}>
          Next
        </PageLink>
      </span>
    </nav>
  )
}

function PageLink({ to, disabled, children }: { to: string; disabled: boolean; children: string }) {
  if (disabled) {
    return (
      <span aria-disabled="true" className={buttonClasses('quiet')}>
        {children}
      </span>
    )
  }
  return (
    <Link to={to} preventScrollReset className={buttonClasses('quiet')}>
      {children}
    </Link>
  )
}
