import { CircleAlert } from 'lucide-react'
import type { SourceView } from '../../../contract/views/source'
import { classes } from '../ui/classes'
import { ReasonHelp } from './reason-help'

/** What went wrong with a source at last: why it failed, or what its last run could not read. Null without a problem. */
export function problemOf({ message, last_full_run: full, last_run: last }: SourceView): string | null {
  return message ?? (full ?? last)?.problem?.message ?? null
}

/** What went wrong, and why. */
export function SourceProblem({ source, problem }: { source: SourceView; problem: string }) {
  return (
    <p className="flex min-w-0 items-center gap-1.5" title={problem}>
      <CircleAlert
        className={classes('size-4 shrink-0', source.status === 'fail' ? 'text-danger' : 'text-warning')}
        aria-hidden="true"
      />
      <span className="min-w-0 truncate">{problem}</span>
    </p>
  )
}

/** What to do about the problem of a source. Null if the manual does not say. */
export function SourceHelp({ source: { status, reason } }: { source: SourceView }) {
  return reason && status === 'fail' ? <ReasonHelp reason={reason} /> : null
}
