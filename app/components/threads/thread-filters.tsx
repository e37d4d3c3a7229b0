import { Form, useSubmit } from '@remix-run/react'
import type { ChangeEvent } from 'react'
import type { ThreadFilter } from '../../../contract/chat/thread-filter'
import { ratingLabels, ratings, verdictLabels, verdicts } from '../../../contract/values/enumerations'
import { paths } from '../../paths'
import { Button } from '../ui/button'
import { controlClasses } from '../ui/forms/field'
import { ListSearchField } from '../ui/forms/list-search'
import { useTypingPause } from '../ui/forms/use-typing-pause'

interface ThreadFiltersProps {
  filter: ShownThreadFilter
  choices: AgentChoices
}

export interface ShownThreadFilter extends Pick<ThreadFilter, 'agentId' | 'verdict' | 'feedback' | 'question'> {
  /** Days, such as 2026-01-31. */
  createdSince?: string | undefined
  createdUntil?: string | undefined
}

export interface AgentChoices {
  /** Includes the chosen one. */
  agents: { id: string; name: string }[]
  /** The text that they were searched for. */
  search: string | undefined
  /** Whether there are more agents than these, or they were searched for. */
  isSearchable: boolean
}

/** A form whose values are in the query of the page. With a script it is sent on each change. */
export function ThreadFilters({ filter, choices }: ThreadFiltersProps) {
  const { agentId, verdict, feedback, question } = filter
  const submit = useSubmit()
  const afterTyping = useTypingPause()

  function onChange({ currentTarget, target }: ChangeEvent<HTMLFormElement>) {
    afterTyping(() => submit(currentTarget, { replace: true }), !target.matches('select'))
  }

  return (
    <div className="grid gap-2 border-line border-b px-4 py-3">
      <Form method="get" action={paths.threads()} className="grid grid-cols-2 gap-2" onChange={onChange}>
        <input
          type="search"
          name="question"
          defaultValue={question}
          placeholder="Search in questions"
          aria-label="Search in questions"
          className={`${controlClasses} col-span-2`}
        />
        <select
          key={`${agentId} ${choices.search}`}
          name="agentId"
          defaultValue={agentId ?? ''}
          aria-label="Agent"
          className={controlClasses}
        >
          <option value="">All agents</option>
          {choices.agents.map((agent) => (
            <option key={agent.id} value={agent.id}>
              {agent.name}
            </option>
          ))}
        </select>
        <select
          key={`verdict ${verdict}`}
          name="verdict"
          defaultValue={verdict ?? ''}
          aria-label="Verdict"
          className={controlClasses}
        >
          <option value="">All verdicts</option>
          {verdicts.map((item) => (
            <option key={item} value={item}>
              {verdictLabels[item]}
            </option>
          ))}
        </select>
        <select
          key={`feedback ${feedback}`}
          name="feedback"
          defaultValue={feedback ?? ''}
          aria-label="Feedback"
          className={`${controlClasses} col-span-2`}
        >
          <option value="">All feedback</option>
          {ratings.map((item) => (
            <option key={item} value={item}>
              {ratingLabels[item]}
            </option>
          ))}
        </select>
        {(['createdSince', 'createdUntil'] as const).map((name) => (
          <label key={`${name} ${filter[name]}`} className="grid gap-0.5 text-meta text-soft">
            {name === 'createdSince' ? 'From (UTC)' : 'To (UTC)'}
            <input type="date" name={name} defaultValue={filter[name]} className={controlClasses} />
          </label>
        ))}
        {choices.isSearchable && (
          <ListSearchField label="Search agents" defaultValue={choices.search} className="col-span-2" />
        )}
        <noscript>
          <Button>Show</Button>
        </noscript>
      </Form>
    </div>
  )
}
