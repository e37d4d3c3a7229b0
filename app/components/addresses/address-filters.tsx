import { Form, useSearchParams, useSubmit } from '@remix-run/react'
import { type ChangeEvent, type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { AddressFilter } from '../../../contract/address'
import { reasonText } from '../../../contract/reasons'
import { addressStatuses, statusLabels } from '../../../contract/values/enumerations'
import type { ReasonCount } from '../../../contract/views/run'
import type { SourceView } from '../../../contract/views/source'
import { withQuery } from '../ui/browser/query'
import { Button, LinkButton } from '../ui/button'
import { classes } from '../ui/classes'
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
      className="grid grid-cols-3 gap-3 border-b border-line px-4 py-3 sm:grid-cols-2 lg:grid-cols-4"
    >
      {others.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <LabelledControl label="Address or title" className="max-sm:col-span-full">
        <input type="search" name="filter" defaultValue={filter.filter} className={controlClasses} />
      </LabelledControl>
      <LabelledControl label="Status">
        <select name="status" defaultValue={filter.status} className={controlClasses}>
          <option value="">All</option>
          {addressStatuses.map((status) => (
            <option key={status} value={status}>
              {statusLabels[status]}
            </option>
          ))}
        </select>
      </LabelledControl>
      <LabelledControl label="Reason">
        <select name="reason" defaultValue={filter.reason} className={controlClasses}>
          <option value="">All</option>
          <ReasonOptions reasons={reasons} chosen={filter.reason} />
        </select>
      </LabelledControl>
      <div className="grid min-w-0 content-start gap-1">
        <LabelledControl label="Source">
          <select name="source" defaultValue={filter.sourceId} className={controlClasses}>
            <option value="">All</option>
            {choices.sources.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {filter.sourceId && !choices.sources.some(({ id }) => id === filter.sourceId) && (
              <option value={filter.sourceId}>Deleted source</option>
            )}
          </select>
        </LabelledControl>
        {choices.isSearchable && <ListSearchField label="Search sources" defaultValue={choices.search} />}
      </div>
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

function LabelledControl({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child.
    <label className={classes('grid min-w-0 content-start gap-1 text-meta text-soft', className)}>
      {label}
      {children}
    </label>
  )
}

/** The reasons of addresses here with their counts, and the chosen one even if no address has it. */
function ReasonOptions({ reasons, chosen }: { reasons: ReasonOption[]; chosen: AddressFilter['reason'] }) {
  return (
    <>
      {reasons.map(({ reason, count }) => (
        <option key={reason} value={reason}>
          {`${reasonLabel(reason)} (${count})`}
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
