import { Link, useSearchParams } from '@remix-run/react'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Rating, ratingLabels, type Verdict, verdictLabels } from '../../../contract/values/enumerations'
import type { ListedThreadView } from '../../../contract/views/chat/thread'
import { paths } from '../../paths'
import { StatusBadge, type Tone } from '../ui/feedback/status-badge'
import { dayName } from '../ui/format'
import { LocalTime } from '../ui/time'

const verdictTones: Record<Verdict, Tone> = { answered: 'success', partly: 'warning', 'not-found': 'danger' }

/** Lists threads by day, each under its first question. */
export function ThreadList({ threads, selected }: { threads: ListedThreadView[]; selected: string | null }) {
  const days = useDays(threads)
  return (
    <div className="max-h-[70dvh] overflow-y-auto p-1.5">
      {days.map(({ name, threads: ofDay }) => (
        <section key={name} aria-label={name}>
          <h3 className="px-3 pt-2.5 pb-1 font-medium text-meta text-soft">{name}</h3>
          <ul>
            {ofDay.map((thread) => (
              <li key={thread.id}>
                <ThreadLink thread={thread} isSelected={thread.id === selected} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function ThreadLink({ thread, isSelected }: { thread: ListedThreadView; isSelected: boolean }) {
  const [search] = useSearchParams()
  const query = new URLSearchParams(search)
  query.delete('dialog')
  query.delete('inspect')
  const { id, title, agent, created_at: createdAt, verdict, feedback } = thread
  return (
    <Link
      to={`${paths.thread(id)}?${query}`}
      preventScrollReset
      aria-current={isSelected ? 'page' : undefined}
      className="grid grid-cols-[minmax(0,1fr)] gap-0.5 rounded-small px-3 py-2 text-text no-underline hover:bg-sunken aria-[current]:bg-accent-soft"
    >
      <span className="truncate font-medium" title={title}>
        {title}
      </span>
      <span className="flex gap-2 text-meta text-soft">
        <span className="shrink-0">
          <LocalTime value={createdAt} />
        </span>
        <span className="truncate font-mono text-meta leading-5" title={id}>
          {id}
        </span>
      </span>
      <span className="flex min-h-6 items-center gap-2 text-meta text-soft">
        <span className="min-w-0 truncate">{agent?.name ?? 'Deleted agent'}</span>
        <span className="ml-auto flex shrink-0 items-center gap-2">
          {feedback && <Feedback feedback={feedback} />}
          {verdict && <StatusBadge tone={verdictTones[verdict]}>{verdictLabels[verdict]}</StatusBadge>}
        </span>
      </span>
    </Link>
  )
}

function Feedback({ feedback }: { feedback: Rating }) {
  const Icon = feedback === 'up' ? ThumbsUp : ThumbsDown
  const text = ratingLabels[feedback]
  return (
    <span title={text}>
      <Icon className="size-4" aria-hidden="true" />
      <span className="sr-only">{text}</span>
    </span>
  )
}

/** Groups threads, which are sorted by time, by day: in UTC until scripts run, then in the reader's time zone. */
function useDays(threads: ListedThreadView[]): { name: string; threads: ListedThreadView[] }[] {
  const [isLocal, setLocal] = useState(false)
  useEffect(() => setLocal(true), [])
  const now = Date.now()
  const days = new Map<string, ListedThreadView[]>()
  for (const thread of threads) {
    const name = dayName(thread.created_at, now, isLocal ? undefined : 'UTC')
    days.set(name, [...(days.get(name) ?? []), thread])
  }
  return [...days].map(([name, ofDay]) => ({ name, threads: ofDay }))
}
