import { useSearchParams } from '@remix-run/react'
import { ArrowDown } from 'lucide-react'
import { useRef } from 'react'
import { messageStatuses } from '../../../contract/values/enumerations'
import type { AgentView } from '../../../contract/views/chat/agent'
import type { MessageView } from '../../../contract/views/chat/thread'
import type { SharedThread } from '../threads/share-thread'
import { withQuery } from '../ui/browser/query'
import { useReloadWhile } from '../ui/browser/use-reload'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { lazyComponent } from '../ui/lazy-component'
import { ChatHead } from './chat-head'
import { EmptyChat } from './empty-chat'
import { LiveExchange } from './live-exchange'
import { Message } from './message'
import { PromptBox } from './prompt-box'
import { useChat } from './use-chat'
import { useFollow } from './use-follow'
import type { OwnThreads } from './your-threads'

const Inspection = lazyComponent(async () => (await import('./inspection')).Inspection)

interface ChatPanelProps {
  agent: AgentView
  /** Whether the agent takes questions. */
  canAsk: boolean
  threadId: string | null
  /** The open thread with the address under which it is shared; null for a new one. */
  shared: SharedThread | null
  messages: MessageView[]
  threads: OwnThreads
}

export function ChatPanel({ agent, canAsk, threadId, shared, messages: loaded, threads }: ChatPanelProps) {
  const [search] = useSearchParams()
  const isFailureInView = useRef(true)
  const { messages, exchange, busy, send, stop } = useChat({
    agentId: agent.id,
    threadId,
    messages: loaded,
    isFailureInView,
  })
  const region = useRef<HTMLDivElement>(null)
  const { isAtEnd, toEnd } = useFollow(region, `${messages.length} ${exchange?.state} ${exchange?.answer.length}`)
  isFailureInView.current = isAtEnd
  const ask = (prompt: string) => {
    toEnd()
    void send(prompt)
  }
  const inspected = loaded.find((message) => message.id === search.get('inspect'))
  const last = messages.at(-1)
  // Another tab or program waits for its answer, or the server has ended before it.
  const isPending = !exchange && last?.role === 'user' && last.status !== messageStatuses.error
  useReloadWhile(isPending)
  const lastQuestion = messages.findLast((message) => message.role === 'user')?.content
  return (
    <Card
      label="Agent Chat"
      className="flex h-[max(480px,calc(100dvh-290px))] flex-col max-sm:-mb-14 max-sm:h-[max(360px,calc(100dvh-110px))]"
    >
      <ChatHead
        agentId={agent.id}
        threadId={threadId}
        shared={shared}
        threads={threads}
        count={messages.length + (exchange ? 1 : 0)}
      />
      <div
        ref={region}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        role="log"
        aria-label="Messages"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain"
      >
        {messages.length === 0 && !exchange ? (
          <EmptyChat agentId={agent.id} suggestions={canAsk ? (agent.suggestions ?? []) : []} ask={ask} />
        ) : (
          <div className="mx-auto grid max-w-[800px] gap-[18px] p-4 max-sm:px-3 max-sm:pt-2.5 sm:p-6">
            {messages.map((message, index) => (
              <Message
                key={message.id}
                message={message}
                isPending={isPending && message === last}
                retry={
                  index === messages.length - 1 && !exchange && canAsk && lastQuestion && isRetryable(message)
                    ? () => ask(lastQuestion)
                    : undefined
                }
              />
            ))}
            {exchange && <LiveExchange exchange={exchange} retry={() => ask(exchange.prompt)} />}
          </div>
        )}
      </div>
      {!isAtEnd && (
        <div className="needs-script relative">
          <Button
            type="button"
            className="-translate-x-1/2 absolute bottom-2 left-1/2 rounded-full shadow-high"
            onClick={toEnd}
          >
            <ArrowDown aria-hidden="true" />
            Jump to latest
          </Button>
        </div>
      )}
      {canAsk && (
        <PromptBox
          agentId={agent.id}
          threadId={threadId}
          maxLength={agent.message_length}
          busy={busy}
          send={ask}
          stop={stop}
        />
      )}
      {inspected && <Inspection message={inspected} closeTo={withQuery(search, { inspect: null })} />}
    </Card>
  )
}

/** An answer can be asked for again, and a question that got none. */
function isRetryable({ role, status }: MessageView): boolean {
  return role !== 'user' || status === messageStatuses.error
}
