import { Form, useSearchParams, useSubmit } from '@remix-run/react'
import { type ChangeEvent, useRef } from 'react'
import { Button } from '../button'
import { controlClasses } from './field'

/** A pause in typing after which the form is sent. */
export const typingPauseMs = 250

/** The query parameter of the text that a list of choices is searched for. */
export const listSearchParameter = 'find'

export function listSearchOf(search: URLSearchParams): string | undefined {
  return search.get(listSearchParameter)?.trim() || undefined
}

/** Searches a list of choices that is too long to show. Keeps the rest of the query, so an open dialog stays open. */
export function ListSearch({ label }: { label: string }) {
  const [search] = useSearchParams()
  const submit = useSubmit()
  const timer = useRef<number>()

  function onChange({ currentTarget }: ChangeEvent<HTMLFormElement>) {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(
      () => submit(currentTarget, { replace: true, preventScrollReset: true }),
      typingPauseMs,
    )
  }

  return (
    <Form method="get" preventScrollReset className="flex gap-2" onChange={onChange}>
      {[...search]
        .filter(([name]) => name !== listSearchParameter)
        .map(([name, value]) => (
          <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
        ))}
      <input
        type="search"
        name={listSearchParameter}
        defaultValue={search.get(listSearchParameter) ?? ''}
        placeholder={label}
        aria-label={label}
        className={controlClasses}
      />
      <noscript>
        <Button>Show</Button>
      </noscript>
    </Form>
  )
}
