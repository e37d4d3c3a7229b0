import { CircleAlert } from 'lucide-react'
import type { SourceView } from '../../../contract/views/source'
import { classes } from '../ui/classes'
import { ReasonHelp } from './reason-help'

/** What went wrong with a source at last: why it failed, or what its last run could not read. Null without a problem. */
export function problemOf({ message, last_full_run: full, last_run: last }: SourceView): string | null {
  return message ?? (full ?? last)?.problem?.message ?? null
}

/** A problem on one line: what, why, and what to do. */
export function SourceProblem({ source, problem }: { source: SourceView; problem: string }) {
  const isFailed = source.status === 'fail'
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <CircleAlert
        className={classes('size-4 shrink-0', isFailed ? 'text-danger' : 'text-warning')}
        aria-hidden="true"
      />
      <p className="min-w-0 truncate" title={problem}>
        {problem}
      </p>
      {source.reason && isFailed && <ReasonHelp reason={source.reason} />}
    </div>
  )
}
