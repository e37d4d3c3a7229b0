import { Link } from '@remix-run/react'
import type { SourceView } from '../../../contract/views/source'
import { paths } from '../../paths'
import { fileProgressLine, progressLine } from '../sources/progress-line'
import { Card, CardHead } from '../ui/card'
import { Progress } from '../ui/feedback/progress'

/** Sources with a run in progress. */
export function RunningCrawls({ crawls }: { crawls: SourceView[] }) {
  return (
    <Card label="Running crawls">
      <CardHead title="Running crawls" />
      <ul>
        {crawls.map((source) => (
          <li key={source.id} className="grid gap-1.5 border-t border-line px-4 py-2.5 first:border-t-0">
            <Link
              to={paths.source(source.collection_id, source.id)}
              className="truncate font-[570] text-text no-underline hover:underline"
            >
              {source.name}
            </Link>
            <Progress
              label={`Progress of ${source.name}`}
              done={source.progress?.done ?? 0}
              total={source.progress?.total ?? 0}
            />
            <p className="text-small text-soft tabular-nums">{lineOf(source)}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function lineOf({ paused, type, progress }: SourceView): string {
  if (paused) return 'Paused'
  if (!progress) return 'Waiting to start'
  return type === 'file' ? fileProgressLine(progress) : progressLine(progress)
}
