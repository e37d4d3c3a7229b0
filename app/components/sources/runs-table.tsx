import { Link } from '@remix-run/react'
import { History } from 'lucide-react'
import { runSentence } from '../../../contract/texts/run-sentence'
import type { ReasonCount, RunReport } from '../../../contract/views/run'
import type { SourceView } from '../../../contract/views/source'
import { paths } from '../../paths'
import { Card, CardHead } from '../ui/card'
import { EmptyState } from '../ui/feedback/empty-state'
import { StatusBadge } from '../ui/feedback/status-badge'
import { formatBytes, formatCount, formatDuration } from '../ui/format'
import { Cell, Table } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'

const columns = [
  { title: 'Started' },
  { title: 'Kind' },
  { title: 'Took', number: true },
  { title: 'Size of pages', number: true },
  { title: 'What it did' },
]

const kinds: Record<RunReport['kind'], string> = {
  full: 'Whole source',
  discover: 'Addresses only',
  address: 'Single address',
}

/** The last runs of a source, newest first. */
export function RunsTable({ source, runs }: { source: SourceView; runs: RunReport[] }) {
  return (
    <Card label="Runs">
      <CardHead title="Runs" count={formatCount(runs.length)} />
      {runs.length === 0 ? (
        <EmptyState icon={History} title="No runs yet">
          The first run is queued. Its report appears here when it ends.
        </EmptyState>
      ) : (
        <Table label="Runs" columns={columns}>
          {runs.map((run) => (
            <RunRow key={run.id} source={source} run={run} />
          ))}
        </Table>
      )}
    </Card>
  )
}

function RunRow({ source, run }: { source: SourceView; run: RunReport }) {
  return (
    <tr>
      <Cell label="Started" className="whitespace-nowrap">
        <RelativeTime value={run.started_at} />
      </Cell>
      <Cell label="Kind">
        <span className="inline-flex flex-wrap gap-x-2 gap-y-1">
          {kinds[run.kind]}
          {run.cancelled && <StatusBadge tone="warning">Cancelled</StatusBadge>}
          {run.finished_at === null && (
            <StatusBadge tone={source.paused ? 'warning' : 'running'}>
              {source.paused ? 'Paused' : 'In progress'}
            </StatusBadge>
          )}
        </span>
      </Cell>
      <Cell label="Took" number className="whitespace-nowrap">
        {formatDuration(run.duration_ms / 1_000)}
      </Cell>
      <Cell label="Size of pages" number className="whitespace-nowrap">
        {formatBytes(run.bytes)}
      </Cell>
      <Cell className="min-w-64 wrap-anywhere">
        <p className="first-letter:uppercase">{runSentence(run)}</p>
        {run.problem && <p className="text-sm text-warning">{run.problem.message}</p>}
        <Reasons source={source} title="Rejected" reasons={run.rejected} />
        <Reasons source={source} title="Withdrawn" reasons={run.withdrawals} />
        <Reasons source={source} title="Skipped" reasons={run.skipped} />
      </Cell>
    </tr>
  )
}

/** Reasons of runs, which no address has. */
const runReasons = ['cancelled', 'crawl-failed']

/** Each reason links to the addresses that have it now. */
function Reasons({ source, title, reasons }: { source: SourceView; title: string; reasons: ReasonCount[] }) {
  if (reasons.length === 0) return null
  return (
    <div className="mt-1 text-small">
      <p className="text-soft">{title}</p>
      <ul aria-label={title} className="grid gap-0.5">
        {reasons.map(({ reason, message, count }) => (
          <li key={reason} className="flex gap-2">
            <span className="min-w-6 text-right text-soft tabular-nums">{formatCount(count)}</span>
            {runReasons.includes(reason) ? (
              message
            ) : (
              <Link
                to={paths.addresses(source.collection_id, { source: source.id, reason })}
                className="text-accent-strong hover:underline"
              >
                {message}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
