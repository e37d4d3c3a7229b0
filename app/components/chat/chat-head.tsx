import { Download, Eraser, Plus } from 'lucide-react'
import { paths } from '../../paths'
import { type SharedThread, ShareThread } from '../threads/share-thread'
import { buttonClasses, LinkButton } from '../ui/button'
import { type OwnThreads, YourThreads } from './your-threads'

interface ChatHeadProps {
  agentId: string
  threadId: string | null
  shared: SharedThread | null
  threads: OwnThreads
  /** Number of messages in the open thread. */
  count: number
}

/** The list of threads, and the actions on the open one. */
export function ChatHead({ agentId, threadId, shared, threads, count }: ChatHeadProps) {
  return (
    <div className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-2 max-sm:py-0.5">
      <YourThreads key={agentId} agentId={agentId} threadId={threadId} threads={threads} />
      <LinkButton to={paths.agent(agentId)} variant="quiet">
        <Plus aria-hidden="true" />
        <span className="max-sm:sr-only">New thread</span>
      </LinkButton>
      <div className="ml-auto flex flex-wrap items-center gap-1">
        {count > 0 && (
          <LinkButton to={paths.agent(agentId)} variant="quiet" title="Clear conversation">
            <Eraser aria-hidden="true" />
            <span className="max-2xl:sr-only">Clear conversation</span>
          </LinkButton>
        )}
        {threadId && count >= 2 && (
          <a href={paths.threadExport(threadId)} download className={buttonClasses('quiet')} title="Save as JSON">
            <Download aria-hidden="true" />
            <span className="max-2xl:sr-only">Save as JSON</span>
          </a>
        )}
        {shared && count > 0 && <ShareThread thread={shared} />}
      </div>
    </div>
  )
}
