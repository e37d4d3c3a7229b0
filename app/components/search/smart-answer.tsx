import { SearchX } from 'lucide-react'
import type { SimpleChatView } from '../../../contract/views/chat/thread'
import { CopyButton } from '../copy-button'
import { AnswerText } from '../markdown/answer-text'
import { Card, CardHead } from '../ui/card'
import { EmptyState } from '../ui/feedback/empty-state'
import { Notice } from '../ui/feedback/notice'
import { Skeleton } from '../ui/feedback/skeleton'
import { groupByPage } from './group-by-page'
import { PageCard } from './page-card'
import type { SmartSearchState } from './use-smart-search'

/** The answer of Smart Search above its fragments. */
export function SmartAnswer({ state }: { state: SmartSearchState }) {
  switch (state.kind) {
    case 'idle':
      return null
    case 'asking':
      return <Skeleton rows={6} label="Searching" />
    case 'failed':
      return (
        <div role="alert">
          <Notice kind="danger" title="Failed to process search request.">
            {state.message}
          </Notice>
        </div>
      )
    case 'answered':
      return <Answered view={state.view} />
  }
}

function Answered({ view: { message, fragments } }: { view: SimpleChatView }) {
  const found = fragments.map((fragment) => ({ ...fragment, passage: { text: fragment.content, highlights: [] } }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {message === null ? (
        <p role="status" className="text-meta text-soft">
          The agent can't answer right now. These fragments match your question.
        </p>
      ) : (
        <Card label="Answer">
          <CardHead title="Answer">
            <CopyButton text={message} />
          </CardHead>
          <div className="p-4 text-read">
            <AnswerText markdown={message} fragments={fragments} />
          </div>
        </Card>
      )}
      {found.length > 0 ? (
        <ol aria-label="Fragments" className="overflow-clip rounded-large border border-line bg-surface">
          {groupByPage(found).map((page) => (
            <PageCard key={page.best.id} page={page} />
          ))}
        </ol>
      ) : (
        message === null && (
          <EmptyState icon={SearchX} title="Nothing found">
            Try other words, or fewer words.
          </EmptyState>
        )
      )}
    </div>
  )
}
