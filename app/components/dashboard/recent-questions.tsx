import { Link } from '@remix-run/react'
import { type Verdict, verdictLabels } from '../../../contract/values/enumerations'
import type { RecentQuestion } from '../../../contract/views/overview'
import { paths } from '../../paths'
import { Card, CardHead } from '../ui/card'
import { StatusBadge, type Tone } from '../ui/feedback/status-badge'
import { RelativeTime } from '../ui/time'

const tones: Record<Verdict, Tone> = { answered: 'success', partly: 'warning', 'not-found': 'danger' }

export function RecentQuestions({ questions }: { questions: RecentQuestion[] }) {
  return (
    <Card label="Recent questions">
      <CardHead title="Recent questions">
        <Link to={paths.threads()} className="text-accent-strong hover:underline">
          All threads
        </Link>
      </CardHead>
      <ul>
        {questions.map(({ thread_id: id, title, agent, origin, verdict, created_at: createdAt }) => (
          <li key={id} className="border-t border-line first:border-t-0">
            <Link
              to={paths.thread(id)}
              className="flex items-center gap-3 px-4 py-2.5 text-text no-underline hover:bg-sunken"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{title}</span>
                <span className="block truncate text-meta text-soft">
                  {[agent ?? 'Deleted agent', origin].filter(Boolean).join(' · ')}
                  <span className="sm:hidden">
                    {' · '}
                    <RelativeTime value={createdAt} />
                  </span>
                </span>
              </span>
              {verdict && <StatusBadge tone={tones[verdict]}>{verdictLabels[verdict]}</StatusBadge>}
              <span className="w-24 shrink-0 text-right text-meta text-soft max-sm:hidden">
                <RelativeTime value={createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
