import { Link } from '@remix-run/react'
import { Download, Eraser, MessagesSquare, Plus, Search } from 'lucide-react'
import { defaultPageSizes } from '../../../contract/limits'
import type { ThreadView } from '../../../contract/views/thread'
import { paths } from '../../paths'
import { type SharedThread, ShareThread } from '../threads/share-thread'
import { buttonClasses, LinkButton } from '../ui/button'
import { Menu, menuItemClasses } from '../ui/menus/menu'
import { RelativeTime } from '../ui/time'

interface ChatHeadProps {
  agentId: string
  threadId: string | null
  shared: SharedThread | null
  threads: Pick<ThreadView, 'id' | 'title' | 'created_at'>[]
  /** Number of messages in the open thread. */
  count: number
}

/** The list of threads, and the actions on the open one. */
export function ChatHead({ agentId, threadId, shared, threads, count }: ChatHeadProps) {
  return (
    <div className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-2 max-sm:py-0.5">
      <Menu
        label={
          <>
            <MessagesSquare aria-hidden="true" />
            <span className="max-sm:sr-only">Your threads</span>
          </>
        }
      >
        {threads.length === 0 && <p className="px-2.5 py-1.5 text-soft">No threads yet</p>}
        {threads.map((thread) => (
          <Link
            key={thread.id}
            to={paths.agentThread(agentId, thread.id)}
            data-menu-item
            aria-current={thread.id === threadId || undefined}
            className={menuItemClasses}
          >
            <span className="grid w-72 max-w-full">
              <span className="truncate">{thread.title}</span>
              <span className="flex justify-between gap-3 text-tiny text-soft">
                <RelativeTime value={thread.created_at} />
                <span className="font-mono">{thread.id.slice(0, 8)}</span>
              </span>
            </span>
          </Link>
        ))}
        {threads.length >= defaultPageSizes.threads && (
          <Link to={`${paths.threads()}?agentId=${agentId}`} data-menu-item className={menuItemClasses}>
            <Search aria-hidden="true" />
            Search all threads of this agent
          </Link>
        )}
      </Menu>
      <LinkButton to={paths.agent(agentId)} look="quiet">
        <Plus aria-hidden="true" />
        <span className="max-sm:sr-only">New thread</span>
      </LinkButton>
      <div className="ml-auto flex flex-wrap items-center gap-1">
        {count > 0 && (
          <LinkButton to={paths.agent(agentId)} look="quiet" title="Clear conversation">
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
