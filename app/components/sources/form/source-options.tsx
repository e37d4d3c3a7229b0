import { ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { refreshIntervalLabels, refreshIntervals } from '../../../../contract/values/enumerations'
import { sourceRanges } from '../../../../contract/values/limits'
import { formatCount } from '../../ui/format'
import { type FormField, TextField } from '../../ui/forms/field'
import { SelectField } from '../../ui/forms/select-field'
import { AccessFields } from './access-fields'
import { type OptionValues, optionNames } from './form-values'
import { SelectorFields } from './selector-fields'

type OptionFields = Record<keyof OptionValues, FormField>

interface SourceOptionsProps {
  fields: OptionFields
  /** Names of stored headers, for a source that is edited. */
  storedHeaders?: string[]
  open?: boolean
}

const intervals = refreshIntervals.map((value) => ({ value, label: refreshIntervalLabels[value] }))

/** A disclosure that opens by itself if one of its fields has an error. */
export function SourceOptions({ fields, storedHeaders, open = false }: SourceOptionsProps) {
  const ref = useRef<HTMLDetailsElement>(null)
  const errors = optionNames.flatMap((name) => fields[name].errors ?? []).join(' ')

  const [isOpen, setIsOpen] = useState(open || errors !== '')

  useEffect(() => {
    if (!errors || !ref.current) return
    ref.current.open = true
    if (document.activeElement?.matches('[aria-invalid="true"]')) return
    ref.current.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  return (
    <details
      ref={ref}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      className="group rounded-medium border border-line"
    >
      <summary className="flex items-center gap-2 rounded-medium px-3 py-2.5 font-medium hover:bg-sunken">
        <ChevronRight
          className="size-4 shrink-0 text-soft transition-transform duration-100 group-open:rotate-90"
          aria-hidden="true"
        />
        Options
        <span className="ml-auto font-normal text-meta text-soft max-sm:hidden">Scope, schedule, speed, access</span>
      </summary>
      <div className="grid gap-4 border-t border-line p-3 sm:grid-cols-2 sm:p-4">
        <TextField
          field={fields.include}
          label="Include"
          rows={3}
          placeholder="/docs/**"
          hint="Only these paths, one per line. * matches part of a folder's name, ** everything below it, ? one character. If empty, all paths are included."
        />
        <TextField
          field={fields.exclude}
          label="Exclude"
          rows={3}
          placeholder="/docs/archive/**"
          hint="Never these paths, one per line, even if Include matches them."
        />
        <TextField
          field={fields.max_pages}
          label="Maximum pages"
          type="number"
          {...sourceRanges.maxPages}
          placeholder={formatCount(sourceRanges.maxPages.max)}
          hint="If empty, as many as your plan allows."
        />
        <TextField
          field={fields.max_depth}
          label="Maximum depth"
          type="number"
          {...sourceRanges.maxDepth}
          placeholder="Any"
          hint="Number of links from the start. 0 fetches only the start and what it lists."
        />
        <SelectField
          field={fields.refresh_interval}
          label="Refresh"
          required
          options={intervals}
          hint="Only changed pages are indexed again."
        />
        <TextField
          field={fields.crawl_delay_ms}
          label="Crawl delay"
          type="number"
          {...sourceRanges.crawlDelayMs}
          step={50}
          placeholder="The server's own"
          hint="Milliseconds between two requests. The site's robots.txt may require more."
        />
        <SelectorFields fields={fields} />
        <AccessFields fields={fields} stored={storedHeaders} />
      </div>
    </details>
  )
}
