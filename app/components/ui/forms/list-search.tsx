import { Form, type Location, useSearchParams, useSubmit } from '@remix-run/react'
import type { ChangeEvent } from 'react'
import { withQuery } from '../browser/query'
import { Button } from '../button'
import { classes } from '../classes'
import { controlClasses } from './field'
import { useTypingPause } from './use-typing-pause'

/** The query parameter of the text that a list of choices is searched for. */
export const listSearchParameter = 'find'

export function listSearchOf(search: URLSearchParams): string | undefined {
  return search.get(listSearchParameter)?.trim() || undefined
}

/** The choices that were found, below the chosen ones that are not among them. */
export function withChosen<Choice extends { id: string }>(found: Choice[], chosen: (Choice | null | undefined)[]) {
  const choices = new Map<string, Choice>()
  for (const item of chosen) if (item && !found.some(({ id }) => id === item.id)) choices.set(item.id, item)
  return [...choices.values(), ...found]
}

/** Whether a navigation only searches a list of choices on the same page. */
export function isListSearch(from: Location, to: Location): boolean {
  const [shown, next] = [from, to].map(({ search }) =>
    withQuery(new URLSearchParams(search), { [listSearchParameter]: null }),
  )
  return from.pathname === to.pathname && from.search !== to.search && shown === next
}

interface ListSearchFieldProps {
  label: string
  defaultValue: string | undefined
  className?: string
}

/** The field that searches a list of choices, in a form that is sent as the person types. */
export function ListSearchField({ label, defaultValue, className }: ListSearchFieldProps) {
  return (
    <input
      type="search"
      name={listSearchParameter}
      defaultValue={defaultValue}
      placeholder={label}
      aria-label={label}
      className={classes(controlClasses, className)}
    />
  )
}

/** Searches a list of choices that is too long to show. Keeps the rest of the query, so an open dialog stays open. */
export function ListSearch({ label }: { label: string }) {
  const [search] = useSearchParams()
  const submit = useSubmit()
  const afterTyping = useTypingPause()

  function onChange({ currentTarget }: ChangeEvent<HTMLFormElement>) {
    afterTyping(() => submit(currentTarget, { replace: true, preventScrollReset: true }))
  }

  return (
    <Form method="get" preventScrollReset className="flex gap-2" onChange={onChange}>
      {[...search]
        .filter(([name]) => name !== listSearchParameter)
        .map(([name, value]) => (
          <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
        ))}
      <ListSearchField label={label} defaultValue={listSearchOf(search)} />
      <noscript>
        <Button>Show</Button>
      </noscript>
    </Form>
  )
}
