import { Link } from '@remix-run/react'
import { sourceTypeLabels } from '../../../contract/enumerations'
import { sourceAddress } from '../../../contract/texts/source-address'
import type { SourceView } from '../../../contract/views/source'
import { paths } from '../../paths'
import { shortAddress } from '../search/passage'
import { Progress } from '../ui/feedback/progress'
import { formatCount } from '../ui/format'
import { Cell } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'
import { FileLine } from './files/file-line'
import { fileProgressLine, isBusy, isCancelling, lastRunLine, progressLine } from './progress-line'
import { ReasonHelp } from './reason-help'
import { SourceActions } from './source-actions'
import { SourceBadge } from './source-status'

interface SourceRowProps {
  source: SourceView
  mayEdit: boolean
  /** Whether fragments without an embedding will get one. */
  canEmbed: boolean
}

export function SourceRow({ source, mayEdit, canEmbed }: SourceRowProps) {
  return (
    <tr>
      <Cell className="min-w-52 wrap-anywhere">
        <Link to={paths.source(source.collection_id, source.id)} className="font-[570] text-text hover:underline">
          {source.name}
        </Link>
        <p className="break-all text-small text-soft">
          {source.file ? (
            <FileLine source={source} file={source.file} />
          ) : (
            `${sourceTypeLabels[source.type]} · ${sourceAddress(source, shortAddress)}`
          )}
        </p>
      </Cell>
      <Cell>
        <SourceBadge source={source} />
      </Cell>
      <Cell label="Addresses" number>
        {formatCount(source.addresses)}
      </Cell>
      <Cell className="min-w-52 wrap-anywhere">
        {isBusy(source) || source.paused ? <RunProgress source={source} /> : <LastRun source={source} />}
        {canEmbed && <PendingEmbeddings source={source} />}
      </Cell>
      <SourceActions source={source} mayEdit={mayEdit} />
    </tr>
  )
}

function RunProgress({ source }: { source: SourceView }) {
  const progress = source.progress
  const lineOf = source.type === 'file' ? fileProgressLine : progressLine
  return (
    <div className="grid gap-1.5 pt-1.5">
      <Progress
        label={`Progress of ${source.name}`}
        done={progress?.done ?? 0}
        // Without a total the bar is indeterminate, which would be wrong for a paused run.
        total={Math.max(progress?.total ?? 0, source.paused ? 1 : 0)}
      />
      <p className="text-small text-soft tabular-nums">
        {isCancelling(source)
          ? 'Cancelling. Pages that are being read are still stored.'
          : progress
            ? lineOf(source.paused ? { ...progress, rate: 0, seconds_left: null } : progress)
            : 'Waiting for its turn'}
      </p>
      {source.paused && !isCancelling(source) && <p className="text-small text-soft">{source.message}</p>}
      {progress?.current && source.type !== 'file' && (
        <p className="max-w-72 truncate text-tiny text-soft">{progress.current}</p>
      )}
    </div>
  )
}

function LastRun({ source }: { source: SourceView }) {
  const { refreshed_at: refreshed, refresh_due_at: due } = source
  const problem = (source.last_full_run ?? source.last_run)?.problem
  const line = lastRunLine(source)
  return (
    <>
      {source.message && <p>{source.message}</p>}
      {problem && !source.message && <p className="text-warning">{problem.message}</p>}
      {source.reason && source.status === 'fail' && <ReasonHelp reason={source.reason} />}
      <p className="text-soft">
        {refreshed && <RelativeTime value={refreshed} />}
        {refreshed && due && ' · '}
        {due && (
          <>
            due <RelativeTime value={due} ahead />
          </>
        )}
      </p>
      {line && (
        <Link
          to={paths.source(source.collection_id, source.id)}
          className="text-small text-accent-strong hover:underline"
        >
          {line}
        </Link>
      )}
    </>
  )
}

/** Keyword search works at once; the embeddings follow. */
function PendingEmbeddings({ source: { pending_embeddings: count } }: { source: SourceView }) {
  if (count === 0) return null
  return (
    <p className="text-small text-soft tabular-nums">
      Preparing semantic search: {formatCount(count)} {count === 1 ? 'fragment' : 'fragments'} to go.
    </p>
  )
}
