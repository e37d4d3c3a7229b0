import { useSubmit } from '@remix-run/react'
import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { searchTypes } from '../../../contract/sources/file'
import { languageName } from '../addresses/language-name'
import { buttonClasses } from '../ui/button'
import { controlClasses } from '../ui/forms/field'

export interface SearchFilterOptions {
  sources: { id: string; name: string }[]
  languages: string[]
}

interface SearchFiltersProps {
  /** The filters that apply; '' for none. */
  filters: { source: string; type: string; language: string }
  options: SearchFilterOptions
}

const typeNames: Record<(typeof searchTypes)[number], string> = {
  page: 'Web pages',
  txt: 'Text files',
  pdf: 'PDF',
  doc: 'Word (.doc)',
  docx: 'Word (.docx)',
  xls: 'Excel (.xls)',
  xlsx: 'Excel (.xlsx)',
  csv: 'CSV',
  md: 'Markdown',
  html: 'HTML files',
  pptx: 'PowerPoint (.pptx)',
}

/** The filters of a search, and how many apply. With a script, a change searches again. */
export function SearchFilters({ filters, options: { sources, languages } }: SearchFiltersProps) {
  const { source, type, language } = filters
  const count = [source, type, language].filter(Boolean).length
  return (
    <details className="open:order-last open:w-full open:px-3 open:pb-3">
      <summary className={buttonClasses('quiet', count > 0 ? 'text-accent-strong' : undefined)}>
        <SlidersHorizontal aria-hidden="true" />
        <span className="max-sm:sr-only">Filters{count > 0 && ` (${count})`}</span>
      </summary>
      <div className="mt-2 grid grid-cols-3 gap-2 sm:gap-3">
        <Filter label="Source" name="in" value={source}>
          {sources.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Filter>
        <Filter label="Type" name="type" value={type}>
          {searchTypes.map((searchType) => (
            <option key={searchType} value={searchType}>
              {typeNames[searchType]}
            </option>
          ))}
        </Filter>
        <Filter label="Language" name="language" value={language}>
          {[...new Set([...languages, language])].filter(Boolean).map((tag) => (
            <option key={tag} value={tag}>
              {languageName(tag)}
            </option>
          ))}
        </Filter>
      </div>
    </details>
  )
}

function Filter({ label, name, value, children }: { label: string; name: string; value: string; children: ReactNode }) {
  const submit = useSubmit()
  return (
    <label className="grid min-w-0 content-start gap-1 text-meta text-soft">
      {label}
      <select
        key={value}
        name={name}
        defaultValue={value}
        className={controlClasses}
        onChange={({ target: { form } }) => {
          if (new FormData(form ?? undefined).get('q')) submit(form, { preventScrollReset: true })
        }}
      >
        <option value="">All</option>
        {children}
      </select>
    </label>
  )
}
