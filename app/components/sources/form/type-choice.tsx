import { useEffect, useRef } from 'react'
import type { FormField } from '../../ui/forms/field'

/** The types of sources, with the texts of their address field. */
export const sourceKinds = [
  {
    value: 'domain',
    label: 'Domain',
    text: 'A whole site: the crawler follows its links.',
    example: 'example.com',
    hint: 'For example docs.example.com or example.com/docs.',
  },
  {
    value: 'sitemap',
    label: 'Sitemap',
    text: 'The addresses that a sitemap lists.',
    example: 'https://example.com/sitemap.xml',
    hint: 'Only XML sitemaps are supported.',
  },
  {
    value: 'url',
    label: 'URL',
    text: 'A single page.',
    example: 'https://example.com/about',
    hint: 'The full address of the page.',
  },
  {
    value: 'file',
    label: 'File',
    text: 'A document or a spreadsheet.',
    example: '',
    hint: '',
  },
] as const

interface TypeChoiceProps {
  field: FormField
  value: string
  onChoose(value: string): void
}

export function TypeChoice({ field, value, onChoose }: TypeChoiceProps) {
  const group = useRef<HTMLFieldSetElement>(null)
  // A person may choose before the script listens.
  useEffect(() => {
    const chosen = group.current?.querySelector<HTMLInputElement>('input:checked')
    if (chosen && chosen.value !== value) onChoose(chosen.value)
  }, [value, onChoose])
  return (
    <fieldset ref={group} className="grid gap-2 sm:grid-cols-2">
      <legend className="mb-1 font-medium">Type</legend>
      {sourceKinds.map((kind) => (
        <label
          key={kind.value}
          className="flex cursor-pointer items-start gap-2 rounded-small border border-line px-3 py-2 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={field.name}
            value={kind.value}
            defaultChecked={kind.value === value}
            onChange={() => onChoose(kind.value)}
            className="mt-1"
          />
          <span>
            <span className="block font-medium">{kind.label}</span>
            <span className="block text-meta text-soft">{kind.text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
