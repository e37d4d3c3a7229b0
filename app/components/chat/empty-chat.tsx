import { ArrowUpRight, MessageCircle } from 'lucide-react'
import type { MouseEvent } from 'react'
import { paths } from '../../paths'
import { EmptyState } from '../ui/feedback/empty-state'
import { ShownOrganizationInput } from '../ui/forms/organization-form'

interface EmptyChatProps {
  agentId: string
  suggestions: string[]
  ask: (question: string) => void
}

/** More would push the field out of a small window. */
const maxShown = 4

/** A chat without messages, with questions to begin with. Without a script, each loads the page with its answer. */
export function EmptyChat({ agentId, suggestions, ask }: EmptyChatProps) {
  function onClick(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault()
    ask(event.currentTarget.value)
  }
  return (
    <div className="grid min-h-full content-center">
      <EmptyState icon={MessageCircle} title="No messages yet! Don't be shy, chat with your data :)" />
      {suggestions.length > 0 && (
        <form method="post" action={paths.agentChat(agentId)} className="mx-auto w-full max-w-[680px] px-4 pb-6">
          <ShownOrganizationInput />
          <ul aria-label="Suggested questions" className="grid gap-2 sm:grid-cols-2">
            {suggestions.slice(0, maxShown).map((question) => (
              <li key={question} className="flex">
                <button
                  type="submit"
                  name="prompt"
                  value={question}
                  onClick={onClick}
                  className="flex w-full items-center justify-between gap-3 rounded-medium border border-line bg-surface px-3 py-2 text-left font-medium hover:border-line-strong hover:bg-sunken"
                >
                  <span className="min-w-0 break-words">{question}</span>
                  <ArrowUpRight className="size-4 shrink-0 text-soft" aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
        </form>
      )}
    </div>
  )
}
