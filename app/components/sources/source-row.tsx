import { Link } from '@remix-run/react'
import { sourceAddress } from '../../../contract/texts/pages/source-address'
import { sourceTypeLabels } from '../../../contract/values/enumerations'
import type { SourceView } from '../../../contract/views/source'
import { paths } from '../../paths'
import { formatCount, shortAddress } from '../ui/format'
import { Cell, NameCell } from '../ui/tables/table'
import { RelativeTime } from '../ui/time'
import { FileLine } from './files/file-line'
import { lastRunLine } from './progress-line'
import { SourceActions } from './source-actions'
import { problemOf, SourceHelp, SourceProblem } from './source-problem'
import { SourceProgress, stageOf } from './source-progress'
import { SourceBadge } from './source-status'

interface SourceRowProps {
  source: SourceView
  mayEdit: boolean
  /** Whether fragments without an embedding will get one. */
  canEmbed: boolean
}

export function SourceRow({ source, mayEdit, canEmbed }: SourceRowProps) {
  const stage = stageOf(source, canEmbed)
  const isQuiet = stage === null && problemOf(source) === null
  return (
    <tr>
      <NameCell
        name={source.name}
        to={paths.source(source.collection_id, source.id)}
        detail={
          source.file ? (
            <FileLine source={source} file={source.file} />
          ) : (
            `${sourceTypeLabels[source.type]} · ${sourceAddress(source, shortAddress)}`
          )
        }
      />
      <Cell>
        <SourceBadge source={source} canEmbed={canEmbed} />
      </Cell>
      <Cell number card="hidden">
        {formatCount(source.addresses)}
      </Cell>
      <Cell card={isQuiet ? 'hidden' : 'line'}>
        {stage === null ? <LastRun source={source} /> : <SourceProgress source={source} canEmbed={canEmbed} />}
      </Cell>
      <SourceActions source={source} mayEdit={mayEdit} canEmbed={canEmbed} />
    </tr>
  )
}

function LastRun({ source }: { source: SourceView }) {
  const { refreshed_at: refreshed, refresh_due_at: due } = source
  const problem = problemOf(source)
  const line = lastRunLine(source)
  return (
    <>
      {problem ? (
        <SourceProblem source={source} problem={problem} />
      ) : (
        <p className="truncate text-soft">
          {refreshed && <RelativeTime value={refreshed} />}
          {refreshed && due && ' · '}
          {due && (
            <>
              due <RelativeTime value={due} ahead />
            </>
          )}
        </p>
      )}
      <p className="flex gap-3 text-meta">
        <SourceHelp source={source} />
        {line && (
          <Link
            to={paths.source(source.collection_id, source.id)}
            title={line}
            className="not-on-card truncate text-accent-strong hover:underline"
          >
            {line}
          </Link>
        )}
      </p>
    </>
  )
}
