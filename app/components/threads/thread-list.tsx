import { Form, Link, useSearchParams, useSubmit } from '@remix-run/react'
import type { ThreadView } from '../../../contract/views/thread'
import { paths } from '../../paths'
import { Button } from '../ui/button'
import { controlClasses } from '../ui/forms/field'
import { RelativeTime } from '../ui/time'

interface AgentFilterProps {
  agents: { id: string; name: string }[]
  selected: string | null
}

export function AgentFilter({ agents, selected }: AgentFilterProps) {
  const submit = useSubmit()
  return (
    <Form
      method="get"
      action={paths.threads()}
      className="flex items-center gap-2"
      onChange={(event) => submit(event.currentTarget)}
    >
      <select key={selected} name="agentId" defaultValue={selected ?? ''} aria-label="Agent" className={controlClasses}>
        <option value="">All agents</option>
        {agents.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.name}
          </option>
        ))}
      </select>
      <noscript>
        <Button>Show</Button>
      </noscript>
    </Form>
  )
}

/** Lists threads by their titles, with creation time and id below. */
export function ThreadList({ threads, selected }: { threads: ThreadView[]; selected: string | null }) {
  const [search] = useSearchParams()
  const query = new URLSearchParams(search)
  query.delete('dialog')
  query.delete('inspect')
  return (
    <ul className="max-h-[70dvh] overflow-y-auto p-1.5">
      {threads.map((thread) => (
        <li key={thread.id}>
          <Link
            to={`${paths.thread(thread.id)}?${query}`}
            preventScrollReset
            aria-current={thread.id === selected ? 'page' : undefined}
            className="block rounded-small px-3 py-2 text-text no-underline hover:bg-sunken aria-[current]:bg-accent-soft"
          >
            <span className="block truncate">{thread.title}</span>
            <span className="flex justify-between gap-3 text-small text-soft">
              <RelativeTime value={thread.created_at} />
              <span className="truncate">{thread.agent?.name ?? 'Deleted agent'}</span>
            </span>
            <span className="block truncate font-mono text-tiny text-soft">{thread.id}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
