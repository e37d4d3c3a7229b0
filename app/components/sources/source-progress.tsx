import type { SourceView } from '../../../contract/views/source'
import { Progress } from '../ui/feedback/progress'
import { fileProgressLine, indexingLine, isBusy, isCancelling, progressLine, rateText } from './progress-line'

/** The stage that a source is in: its run reads pages, then the semantic index is built. Null once both have ended. */
export function stageOf(source: SourceView, canEmbed: boolean): 'reading' | 'indexing' | null {
  if (isBusy(source) || source.paused) return 'reading'
  return canEmbed && source.indexing ? 'indexing' : null
}

/** How far a source is: read, then indexed. Nothing once both have ended. */
export function SourceProgress({ source, canEmbed }: { source: SourceView; canEmbed: boolean }) {
  const stage = stageOf(source, canEmbed)
  if (stage === 'reading') return <Reading source={source} />
  return stage === 'indexing' && source.indexing ? <Indexing source={source} indexing={source.indexing} /> : null
}

function Reading({ source }: { source: SourceView }) {
  const { progress, paused, type } = source
  const lineOf = type === 'file' ? fileProgressLine : progressLine
  const isEnding = isCancelling(source)
  const line = isEnding
    ? 'Cancelling. Pages that are being fetched are still stored.'
    : progress
      ? lineOf(paused ? { ...progress, rate: 0, seconds_left: null } : progress)
      : 'Waiting for its turn'
  return (
    <ProgressLine
      label={`Progress of ${source.name}`}
      done={progress?.done ?? 0}
      // Without a total the bar is indeterminate, which would be wrong for a paused run.
      total={Math.max(progress?.total ?? 0, paused ? 1 : 0)}
      line={paused && !isEnding ? `${line} · ${source.message}` : line}
      details={[progress && type !== 'file' && !paused ? rateText(progress.rate, 'page') : null, progress?.current]}
    />
  )
}

function Indexing({ source, indexing }: { source: SourceView; indexing: NonNullable<SourceView['indexing']> }) {
  const { done, total, rate } = indexing
  return (
    <ProgressLine
      label={`Index of ${source.name}`}
      done={done}
      total={total}
      line={indexingLine(indexing)}
      details={[rateText(rate, 'fragment')]}
    />
  )
}

interface ProgressLineProps {
  label: string
  done: number
  total: number
  line: string
  /** Shown on hover, after the line. */
  details: (string | null | undefined)[]
}

function ProgressLine({ label, done, total, line, details }: ProgressLineProps) {
  return (
    <div className="grid gap-1.5" title={[line, ...details.filter(Boolean)].join('\n')}>
      <Progress label={label} done={done} total={total} />
      <p className="truncate text-meta text-soft tabular-nums">{line}</p>
    </div>
  )
}
