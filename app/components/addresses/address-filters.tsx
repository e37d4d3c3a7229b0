import { Form, Link, useSearchParams, useSubmit } from '@remix-run/react'
import { type ChangeEvent, type FormEvent, useEffect, useRef } from 'react'
import type { AddressFilter } from '../../../contract/address'
import { reasonText } from '../../../contract/reasons'
import { addressStatuses, statusLabels } from '../../../contract/values/enumerations'
import type { ReasonCount } from '../../../contract/views/run'
import type { SourceView } from '../../../contract/views/source'
import { withQuery } from '../ui/browser/query'
import { Button, LinkButton } from '../ui/button'
import { classes } from '../ui/classes'
import { formatCount } from '../ui/format'
import { controlClasses } from '../ui/forms/field'
import { ListSearchField, listSearchParameter } from '../ui/forms/list-search'
import { useTypingPause } from '../ui/forms/use-typing-pause'
import { reasonLabel } from './reason-labels'

/** Query parameters of the filters. */
const names = ['filter', 'status', 'reason', 'source', listSearchParameter] as const

export type SourceOption = Pick<SourceView, 'id' | 'name' | 'url'>
export type ReasonOption = Pick<ReasonCount, 'reason' | 'count'>

export interface SourceChoices {
  /** Includes the chosen one. */
  sources: SourceOption[]
  /** The text that they were searched for. */
  search: string | undefined
  /** Whether there are more sources than these, or they were searched for. */
  isSearchable: boolean
}

interface AddressFiltersProps {
  filter: AddressFilter
  choices: SourceChoices
  reasons: ReasonOption[]
}

/** A form whose values are in the query of the page. With a script it is sent on each change. */
export function AddressFilters({ filter, choices, reasons }: AddressFiltersProps) {
  const [search] = useSearchParams()
  const ref = useRef<HTMLFormElement>(null)
  const afterTyping = useTypingPause()
  const submit = useSubmit()
  const others = [...search].filter(([name]) => name !== 'page' && !names.some((known) => known === name))
  useFilterFromQuery(ref, { ...filter, search: choices.search })

  function send() {
    if (!ref.current) return
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(ref.current)) if (value !== '') query.append(name, String(value))
    submit(query, { preventScrollReset: true, replace: true })
  }

  function onChange({ target }: ChangeEvent<HTMLFormElement>) {
    afterTyping(send, !target.matches('select'))
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    afterTyping(send, false)
  }

  return (
    <Form
      ref={ref}
      method="get"
      onChange={onChange}
      onSubmit={onSubmit}
      className="grid grid-cols-2 gap-2 border-b border-line px-4 py-3 sm:grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,1fr))]"
    >
      {others.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <input
        type="search"
        name="filter"
        aria-label="Address or title"
        placeholder="Address or title"
        defaultValue={filter.filter}
        className={classes(controlClasses, 'max-sm:col-span-full')}
      />
      <select name="status" aria-label="Status" defaultValue={filter.status} className={controlClasses}>
        <option value="">Any status</option>
        {addressStatuses.map((status) => (
          <option key={status} value={status}>
            {statusLabels[status]}
          </option>
        ))}
      </select>
      <select name="reason" aria-label="Reason" defaultValue={filter.reason} className={controlClasses}>
        <option value="">Any reason</option>
        <ReasonOptions reasons={reasons} chosen={filter.reason} />
      </select>
      <div className="grid min-w-0 content-start gap-1 max-sm:col-span-full">
        <select name="source" aria-label="Source" defaultValue={filter.sourceId} className={controlClasses}>
          <option value="">Any source</option>
          {choices.sources.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {filter.sourceId && !choices.sources.some(({ id }) => id === filter.sourceId) && (
            <option value={filter.sourceId}>Deleted source</option>
          )}
        </select>
        {choices.isSearchable && <ListSearchField label="Search sources" defaultValue={choices.search} />}
      </div>
      {!filter.reason && <ReasonGroups reasons={reasons} />}
      <noscript>
        <Button>Show</Button>
      </noscript>
      {(filter.filter || filter.status || filter.reason || filter.sourceId) && (
        <div className="col-span-full flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="min-w-0 flex-1 text-soft">{filter.reason && reasonText(filter.reason)}</p>
          <LinkButton
            to={withQuery(search, Object.fromEntries([...names, 'page'].map((name) => [name, null])))}
            variant="link"
            preventScrollReset
          >
            Show all
          </LinkButton>
        </div>
      )}
    </Form>
  )
}

/** Shown while no reason is chosen: groups of addresses that are not indexed, the largest first. */
function ReasonGroups({ reasons }: { reasons: ReasonOption[] }) {
  const [search] = useSearchParams()
  const groups = reasons.filter(({ count }) => count > 1).sort((a, b) => b.count - a.count)
  if (groups.length === 0) return null
  return (
    <p className="col-span-full flex flex-wrap gap-x-4 gap-y-1 text-meta">
      {groups.slice(0, maxGroups).map(({ reason, count }) => (
        <Link
          key={reason}
          to={withQuery(search, { reason, page: null })}
          preventScrollReset
          className="text-accent-strong hover:underline"
        >
          {`${reasonLabel(reason)} (${formatCount(count)})`}
        </Link>
      ))}
    </p>
  )
}

const maxGroups = 4

/** The reasons of addresses here with their counts, and the chosen one even if no address has it. */
function ReasonOptions({ reasons, chosen }: { reasons: ReasonOption[]; chosen: AddressFilter['reason'] }) {
  return (
    <>
      {reasons.map(({ reason, count }) => (
        <option key={reason} value={reason}>
          {`${reasonLabel(reason)} (${formatCount(count)})`}
        </option>
      ))}
      {chosen && !reasons.some(({ reason }) => reason === chosen) && (
        <option value={chosen}>{`${reasonLabel(chosen)} (0)`}</option>
      )}
    </>
  )
}

/** Sets the controls to the query after a link or a step back, except for the one that has the focus. */
function useFilterFromQuery(
  form: { current: HTMLFormElement | null },
  { filter, status, reason, sourceId, search }: AddressFilter & Pick<SourceChoices, 'search'>,
) {
  useEffect(() => {
    const values = { filter, status, reason, source: sourceId, [listSearchParameter]: search }
    for (const name of names) {
      const control = form.current?.elements.namedItem(name)
      const isControl = control instanceof HTMLInputElement || control instanceof HTMLSelectElement
      if (isControl && control !== document.activeElement) control.value = values[name] ?? ''
    }
  }, [form, filter, status, reason, sourceId, search])
}
