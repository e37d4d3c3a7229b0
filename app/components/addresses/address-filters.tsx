import { Form, useSearchParams, useSubmit } from '@remix-run/react'
import { type ChangeEvent, type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import type { AddressFilter } from '../../../contract/address'
import { addressStatuses, statusLabels } from '../../../contract/enumerations'
import { reasonText } from '../../../contract/reasons'
import type { ReasonCount } from '../../../contract/views/run'
import type { SourceView } from '../../../contract/views/source'
import { Button, LinkButton } from '../ui/button'
import { controlClasses } from '../ui/field'
import { withQuery } from '../ui/query'
import { reasonLabel } from './reason-labels'

/** A pause of the typing, in milliseconds. */
const typed = 250
/** In the page's address. */
const names = ['filter', 'status', 'reason', 'source'] as const

export type ChosenSource = Pick<SourceView, 'id' | 'name'>
export type MetReason = Pick<ReasonCount, 'reason' | 'count'>

interface AddressFiltersProps {
  filter: AddressFilter
  sources: ChosenSource[]
  met: MetReason[]
}

/** A form whose values stand in the page's address; with a script it sends itself. */
export function AddressFilters({ filter, sources, met }: AddressFiltersProps) {
  const [search] = useSearchParams()
  const ref = useRef<HTMLFormElement>(null)
  const timer = useRef<number>()
  const submit = useSubmit()
  const others = [...search].filter(([name]) => name !== 'page' && !names.some((one) => one === name))
  useAsInAddress(ref, filter)

  function send() {
    window.clearTimeout(timer.current)
    if (!ref.current) return
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(ref.current)) if (value !== '') query.append(name, String(value))
    submit(query, { preventScrollReset: true, replace: true })
  }

  function changed({ target }: ChangeEvent<HTMLFormElement>) {
    window.clearTimeout(timer.current)
    if (target.matches('select')) send()
    else timer.current = window.setTimeout(send, typed)
  }

  function sent(event: FormEvent) {
    event.preventDefault()
    send()
  }

  return (
    <Form
      ref={ref}
      method="get"
      onChange={changed}
      onSubmit={sent}
      className="grid gap-3 border-b border-line px-4 py-3 sm:grid-cols-2 lg:grid-cols-4"
    >
      {others.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <Labelled label="Address or title">
        <input type="search" name="filter" defaultValue={filter.filter} className={controlClasses} />
      </Labelled>
      <Labelled label="Status">
        <select name="status" defaultValue={filter.status} className={controlClasses}>
          <option value="">All</option>
          {addressStatuses.map((status) => (
            <option key={status} value={status}>
              {statusLabels[status]}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label="Reason">
        <select name="reason" defaultValue={filter.reason} className={controlClasses}>
          <option value="">All</option>
          <ReasonOptions met={met} chosen={filter.reason} />
        </select>
      </Labelled>
      <Labelled label="Source">
        <select name="source" defaultValue={filter.sourceId} className={controlClasses}>
          <option value="">All</option>
          {sources.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {filter.sourceId && !sources.some(({ id }) => id === filter.sourceId) && (
            <option value={filter.sourceId}>Another source</option>
          )}
        </select>
      </Labelled>
      <noscript>
        <Button>Show</Button>
      </noscript>
      {(filter.filter || filter.status || filter.reason || filter.sourceId) && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:col-span-full">
          <p className="min-w-0 flex-1 text-soft">{filter.reason && reasonText(filter.reason)}</p>
          <LinkButton
            to={withQuery(search, { filter: null, status: null, reason: null, source: null, page: null })}
            look="link"
            preventScrollReset
          >
            Show all
          </LinkButton>
        </div>
      )}
    </Form>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child.
    <label className="grid content-start gap-1 text-small text-soft">
      {label}
      {children}
    </label>
  )
}

/** Those that are told of addresses here, with of how many; and the one that is chosen, should it be told of none. */
function ReasonOptions({ met, chosen }: { met: MetReason[]; chosen: AddressFilter['reason'] }) {
  return (
    <>
      {met.map(({ reason, count }) => (
        <option key={reason} value={reason}>
          {`${reasonLabel(reason)} (${count})`}
        </option>
      ))}
      {chosen && !met.some(({ reason }) => reason === chosen) && (
        <option value={chosen}>{`${reasonLabel(chosen)} (0)`}</option>
      )}
    </>
  )
}

/** After a link or a step back the controls show what the page shows; what somebody types in stays. */
function useAsInAddress(
  form: { current: HTMLFormElement | null },
  { filter, status, reason, sourceId }: AddressFilter,
) {
  useEffect(() => {
    const values = { filter, status, reason, source: sourceId }
    for (const name of names) {
      const control = form.current?.elements.namedItem(name)
      const isControl = control instanceof HTMLInputElement || control instanceof HTMLSelectElement
      if (isControl && control !== document.activeElement) control.value = values[name] ?? ''
    }
  }, [form, filter, status, reason, sourceId])
}
