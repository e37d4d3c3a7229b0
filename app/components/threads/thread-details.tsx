import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { providerLabels } from '../../../contract/values/enumerations'
import type { ThreadView } from '../../../contract/views/chat/thread'
import { paths } from '../../paths'
import { RelativeTime } from '../ui/time'
import { notVerified } from './not-verified'

export function ThreadDetails({ thread }: { thread: ThreadView }) {
  const rows: [string, ReactNode][] = [
    [
      'Agent',
      thread.agent_id ? (
        <Link key="agent" to={paths.agent(thread.agent_id)} className="text-accent-strong hover:underline">
          {thread.agent?.name ?? thread.agent_id}
        </Link>
      ) : (
        'Deleted'
      ),
    ],
    ['Agent id', thread.agent_id],
    ['Id', thread.id],
    ['AI provider', thread.provider && providerLabels[thread.provider]],
    ['Provider thread id', thread.provider_thread_id],
    ['Shared', thread.published_at ? <RelativeTime key="shared" value={thread.published_at} /> : 'Not shared'],
    ['Origin', thread.meta_origin],
    ['IP address', thread.meta_ip],
    ['User agent', thread.meta_user_agent],
    ['External user identifier', notVerified(thread.external_user_id)],
    ['External user e-mail', notVerified(thread.external_user_email)],
    ['External session identifier', notVerified(thread.external_session_id)],
  ]
  return (
    <dl className="grid gap-x-6 gap-y-2.5 p-5 sm:grid-cols-[190px_minmax(0,1fr)]">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft max-sm:mt-1.5">{name}</dt>
          <dd className="break-words">{value || <span className="text-soft">None</span>}</dd>
        </div>
      ))}
    </dl>
  )
}
