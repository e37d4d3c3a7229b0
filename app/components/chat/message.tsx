import { useSearchParams } from '@remix-run/react'
import { RotateCcw, ScanSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import { failedMessage } from '../../../contract/texts/chat/chat-failures'
import { messageStatuses } from '../../../contract/values/enumerations'
import type { MessageView } from '../../../contract/views/chat/thread'
import { CopyButton } from '../copy-button'
import { AnswerText } from '../markdown/answer-text'
import { withQuery } from '../ui/browser/query'
import { Button, LinkButton } from '../ui/button'
import { SourceList } from './source-list'

const smallButton = '!px-2 !py-0.5 text-meta'

interface MessageProps {
  message: MessageView
  /** Whether it is a question whose answer is being written. */
  isPending?: boolean
  /** Sends the question again. Only the last message has it. */
  retry?: () => void
}

/** A stored message. */
export function Message({ message, isPending = false, retry }: MessageProps) {
  const [search] = useSearchParams()
  const isFailed = message.status === messageStatuses.error
  if (message.role === 'user') {
    return (
      <div className="grid gap-1">
        <Question text={message.content} />
        {isPending && <p className="text-soft">Waiting for the answer…</p>}
        {isFailed && <p className="text-right text-meta text-soft">{message.status_message || failedMessage}</p>}
        {retry && (
          <div className="flex justify-end">
            <Retry retry={retry} />
          </div>
        )}
      </div>
    )
  }
  const note = message.status_message || (isFailed || message.role === 'error' ? failedMessage : null)
  return (
    <article aria-label="Answer" className="text-read">
      {message.content && <AnswerText markdown={message.content} fragments={message.fragments} />}
      {note && (message.content ? <Note text={note} /> : <Failure title={note} />)}
      <SourceList fragments={message.fragments} cited={message.cited} />
      <Foot>
        {message.content && <CopyButton text={message.content} />}
        {message.role === 'agent' && (
          <LinkButton
            to={withQuery(search, { inspect: message.id })}
            variant="quiet"
            className={smallButton}
            preventScrollReset
          >
            <ScanSearch aria-hidden="true" />
            Inspect
          </LinkButton>
        )}
        {retry && <Retry retry={retry} />}
      </Foot>
    </article>
  )
}

export function Question({ text }: { text: string }) {
  return (
    <article
      aria-label="Your message"
      className="ml-auto max-w-[85%] whitespace-pre-line break-words rounded-large rounded-br-[4px] bg-accent-soft px-4 py-2.5 text-read"
    >
      {text}
    </article>
  )
}

/** Why an answer is incomplete. */
export function Note({ text }: { text: string }) {
  return <p className="mt-1 text-meta text-soft">{text}</p>
}

/** Why there is no answer. */
export function Failure({ title, message }: { title: string; message?: string }) {
  return (
    <div role="alert" className="mt-2 rounded-small bg-danger-soft px-3 py-1.5 text-base text-danger">
      <p className="font-medium">{title}</p>
      {message && <p>{message}</p>}
    </div>
  )
}

export function Foot({ children }: { children: ReactNode }) {
  return <div className="mt-2 -ml-2 flex flex-wrap gap-0.5">{children}</div>
}

export function Retry({ retry }: { retry: () => void }) {
  return (
    <Button type="button" variant="quiet" className={`needs-script ${smallButton}`} onClick={retry}>
      <RotateCcw aria-hidden="true" />
      Retry
    </Button>
  )
}
