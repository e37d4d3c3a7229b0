import { useFetcher } from '@remix-run/react'
import { type MouseEvent, useEffect, useRef } from 'react'
import type { AgentView } from '../../../contract/views/chat/agent'
import { Button } from '../ui/button'
import { Card, CardHead } from '../ui/card'
import { controlProps, FieldErrors, type FormField } from '../ui/forms/field'

interface SuggestionFieldsProps {
  agent: AgentView
  /** The field of the list, and one of each question. */
  list: FormField
  questions: FormField[]
  /** Name of the field that offers no questions at all. */
  none: string
  /** The address of the form, whose action handles the intent 'suggest-questions'. */
  action: string
}

interface Proposed {
  proposed?: { suggestions: string[]; message: string }
}

/** The questions that an empty chat offers. The placeholders are those that the collection proposes. */
export function SuggestionFields({ agent, list, questions, none, action }: SuggestionFieldsProps) {
  const fetcher = useFetcher<Proposed>()
  const group = useRef<HTMLFieldSetElement>(null)
  const proposed = fetcher.data?.proposed
  const own = agent.own_suggestions ?? []
  const proposals = (agent.suggestions ?? []).filter((question) => !own.includes(question))
  useEffect(() => {
    if (proposed) fillEmpty(group.current, proposed.suggestions)
  }, [proposed])

  function propose(event: MouseEvent<HTMLButtonElement>) {
    const { form } = event.currentTarget
    if (!form) return
    const fields = new FormData(form)
    fields.set('intent', 'suggest-questions')
    fetcher.submit(fields, { method: 'post', action })
  }

  return (
    <Card>
      <CardHead title="Suggested questions" />
      <fieldset ref={group} className="grid gap-2 p-4" aria-describedby={list.descriptionId}>
        <legend className="sr-only">Suggested questions</legend>
        <p id={list.descriptionId} className="text-meta text-soft">
          An empty chat, the widget and shared pages offer them. Empty fields are filled from the headings of the
          collection.
        </p>
        {questions.map((field, index) => (
          <div key={field.key}>
            <input
              {...controlProps(field, false)}
              type="text"
              aria-label={`Question ${index + 1}`}
              placeholder={index < own.length ? undefined : proposals[index - own.length]}
            />
            <FieldErrors id={field.errorId} errors={field.errors} />
          </div>
        ))}
        <FieldErrors id={list.errorId} errors={list.errors} />
        <div className="needs-script flex flex-wrap items-center gap-3">
          <Button type="button" pending={fetcher.state !== 'idle'} onClick={propose}>
            Suggest with the model
          </Button>
          <p role="status" className="min-w-0 flex-1 basis-56 text-meta text-soft">
            {fetcher.state === 'idle' ? proposed?.message : ''}
          </p>
        </div>
        <label className="mt-1 flex items-center gap-2">
          <input type="checkbox" name={none} defaultChecked={agent.own_suggestions?.length === 0} />
          Offer no questions
        </label>
      </fieldset>
    </Card>
  )
}

/** Puts questions into the empty fields, so that what was entered stays. */
function fillEmpty(group: HTMLFieldSetElement | null, questions: string[]): void {
  const fields = [...(group?.querySelectorAll<HTMLInputElement>('input[type=text]') ?? [])]
  const entered = fields.map(({ value }) => value)
  const left = questions.filter((question) => !entered.includes(question))
  for (const field of fields.filter(({ value }) => value === '')) {
    const next = left.shift()
    if (next === undefined) return
    field.value = next
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
