import { Link } from '@remix-run/react'
import { History } from 'lucide-react'
import { runSentence } from '../../../contract/texts/pages/run-sentence'
import type { ReasonCount, RunReport } from '../../../contract/views/run'
import type { SourceView } from '../../../contract/views/source'
import { paths } from '../../paths'
import { Card, CardHead } from '../ui/card'
import { EmptyState } from '../ui/feedback/empty-state'
import { StatusBadge } from '../ui/feedback/status-badge'
import { formatBytes, formatCount, formatDuration } from '../ui/format'
import { Cell, type Column, Table } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'

const columns: Column[] = [
  { title: 'Started', width: 'w-32' },
  { title: 'Kind', width: 'w-52' },
  { title: 'Result' },
  { title: 'Took', width: 'w-20', number: true },
  { title: 'Size of pages', width: 'w-32', number: true, extra: true },
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
      <td className="name">
        <span className="name-line">
          <RelativeTime value={run.started_at} />
        </span>
      </td>
      <Cell>
        <span className="inline-flex items-center gap-2">
          {kinds[run.kind]}
          {run.cancelled && <StatusBadge tone="warning">Cancelled</StatusBadge>}
          {run.finished_at === null && (
            <StatusBadge tone={source.paused ? 'warning' : 'running'}>
              {source.paused ? 'Paused' : 'In progress'}
            </StatusBadge>
          )}
        </span>
      </Cell>
      <Cell card="line">
        <p className="truncate first-letter:uppercase" title={runSentence(run)}>
          {runSentence(run)}
        </p>
        {run.problem && (
          <p className="truncate text-meta text-warning" title={run.problem.message}>
            {run.problem.message}
          </p>
        )}
        <RunReasons source={source} run={run} />
      </Cell>
      <Cell number label="Took">
        {formatDuration(run.duration_ms / 1_000)}
      </Cell>
      <Cell number extra>
        {formatBytes(run.bytes)}
      </Cell>
    </tr>
  )
}

/** Why addresses are not indexed, behind a line that counts them, so that the rows stay low. */
function RunReasons({ source, run }: { source: SourceView; run: RunReport }) {
  const groups = [
    { title: 'Rejected', reasons: run.rejected },
    { title: 'Withdrawn', reasons: run.withdrawals },
    { title: 'Skipped', reasons: run.skipped },
  ].filter(({ reasons }) => reasons.length > 0)
  if (groups.length === 0) return null
  return (
    <details className="text-meta">
      <summary className="inline-block rounded-small text-accent-strong hover:underline">
        {groups.map(({ title, reasons }) => `${title} ${formatCount(sumOf(reasons))}`).join(' · ')}
      </summary>
      {groups.map(({ title, reasons }) => (
        <Reasons key={title} source={source} title={title} reasons={reasons} />
      ))}
    </details>
  )
}

function sumOf(reasons: ReasonCount[]): number {
  return reasons.reduce((sum, { count }) => sum + count, 0)
}

/** Reasons of runs, which no address has. */
const runReasons = ['cancelled', 'crawl-failed']

/** Each reason links to the addresses that have it now. */
function Reasons({ source, title, reasons }: { source: SourceView; title: string; reasons: ReasonCount[] }) {
  return (
    <div className="my-1 whitespace-normal">
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
