import { useFetcher } from '@remix-run/react'
import { type ChangeEvent, type KeyboardEvent, useState } from 'react'
import { paths } from '../../paths'
import { controlClasses, type FormField } from '../ui/forms/field'
import { listSearchParameter } from '../ui/forms/list-search'
import { SelectField } from '../ui/forms/select-field'
import { useTypingPause } from '../ui/forms/use-typing-pause'

export interface CollectionChoices {
  collections: { id: string; name: string }[]
  /** Whether there are more than these, or they were searched for. */
  isSearchable: boolean
}

/** The collection of a new agent. A fetcher searches a long list, so that the rest of the form keeps its input. */
export function CollectionField({ field, choices }: { field: FormField; choices: CollectionChoices }) {
  const fetcher = useFetcher<{ choices?: CollectionChoices }>()
  const afterTyping = useTypingPause()
  const [chosen, setChosen] = useState<CollectionChoices['collections']>([])
  const { collections } = fetcher.data?.choices ?? choices
  if (choices.collections.length === 0) return null
  const others = collections.filter(({ id }) => id !== chosen[0]?.id)
  const options = [...chosen, ...others].map(({ id, name }) => ({ value: id, label: name }))

  function search({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) {
    const query = new URLSearchParams({ dialog: 'create', [listSearchParameter]: value })
    afterTyping(() => fetcher.load(`${paths.agents()}?${query}`))
  }

  function keepForm(event: KeyboardEvent) {
    // Enter would send the form.
    if (event.key === 'Enter') event.preventDefault()
  }

  return (
    <div className="grid gap-1.5">
      <SelectField
        field={field}
        label="Collection"
        placeholder="Link one later"
        options={options}
        onChange={({ currentTarget: { value } }) =>
          setChosen([...chosen, ...collections].filter(({ id }) => id === value).slice(0, 1))
        }
      />
      {choices.isSearchable && (
        <input
          type="search"
          aria-label="Search collections"
          placeholder="Search collections"
          onChange={search}
          onKeyDown={keepForm}
          className={`needs-script ${controlClasses}`}
        />
      )}
      {collections.length === 0 && (
        <p role="status" className="text-meta text-soft">
          No collection has this name.
        </p>
      )}
    </div>
  )
}
