import { Link, useFetcher } from '@remix-run/react'
import { List, MessagesSquare } from 'lucide-react'
import type { ChangeEvent } from 'react'
import type { ThreadView } from '../../../contract/views/chat/thread'
import { paths } from '../../paths'
import { controlClasses } from '../ui/forms/field'
import { useTypingPause } from '../ui/forms/use-typing-pause'
import { Menu, menuItemClasses } from '../ui/menus/menu'
import { RelativeTime } from '../ui/time'

/** The reader's latest threads with an agent. */
export interface OwnThreads {
  docs: Pick<ThreadView, 'id' | 'title' | 'created_at'>[]
  total: number
}

interface YourThreadsProps {
  agentId: string
  threadId: string | null
  threads: OwnThreads
}

/** The menu of the reader's threads. A fetcher searches a long list, because a navigation would close the menu. */
export function YourThreads({ agentId, threadId, threads }: YourThreadsProps) {
  const fetcher = useFetcher<{ threads: OwnThreads }>()
  const afterTyping = useTypingPause()
  const { docs } = fetcher.data?.threads ?? threads

  function search({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) {
    const query = new URLSearchParams({ question: value })
    afterTyping(() => fetcher.load(`${paths.agent(agentId)}?index&${query}`))
  }

  return (
    <Menu
      label={
        <>
          <MessagesSquare aria-hidden="true" />
          <span className="max-sm:sr-only">Your threads</span>
        </>
      }
    >
      {threads.total === 0 && <p className="px-2.5 py-1.5 text-soft">No threads yet</p>}
      {threads.total > threads.docs.length && (
        <input
          type="search"
          placeholder="Search in your questions"
          aria-label="Search in your questions"
          onChange={search}
          className={`needs-script mb-1 ${controlClasses}`}
        />
      )}
      {threads.total > 0 && docs.length === 0 && (
        <p role="status" className="px-2.5 py-1.5 text-soft">
          No question of yours has this text.
        </p>
      )}
      {docs.map((thread) => (
        <Link
          key={thread.id}
          to={paths.agentThread(agentId, thread.id)}
          data-menu-item
          aria-current={thread.id === threadId || undefined}
          className={menuItemClasses}
        >
          <span className="grid w-72 max-w-full">
            <span className="truncate">{thread.title}</span>
            <span className="flex justify-between gap-3 text-meta text-soft">
              <RelativeTime value={thread.created_at} />
              <span className="font-mono">{thread.id.slice(0, 8)}</span>
            </span>
          </span>
        </Link>
      ))}
      {threads.total > threads.docs.length && (
        <Link to={`${paths.threads()}?agentId=${agentId}`} data-menu-item className={menuItemClasses}>
          <List aria-hidden="true" />
          All threads of this agent
        </Link>
      )}
    </Menu>
  )
}
