import type { FormField } from '../ui/field'

/** What can be added, with what the field for its address says. */
export const kinds = [
  {
    value: 'domain',
    label: 'Domain',
    text: 'A whole site: links are followed within its host.',
    example: 'example.com',
    hint: 'The domain, with a subdomain where there is one. What follows it is left out.',
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
    text: 'One page.',
    example: 'https://example.com/about',
    hint: 'The full address of the page.',
  },
  {
    value: 'file',
    label: 'File',
    text: 'A document or a table of yours.',
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
  return (
    <fieldset className="grid gap-2 sm:grid-cols-2">
      <legend className="mb-1 font-[550]">Type</legend>
      {kinds.map((one) => (
        <label
          key={one.value}
          className="flex cursor-pointer items-start gap-2 rounded-small border border-line px-3 py-2 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={field.name}
            value={one.value}
            defaultChecked={one.value === value}
            onChange={() => onChoose(one.value)}
            className="mt-1"
          />
          <span>
            <span className="block font-[570]">{one.label}</span>
            <span className="block text-small text-soft">{one.text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
