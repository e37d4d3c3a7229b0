import { useEffect, useRef } from 'react'
import type { PreviewSummary } from '../../../../contract/views/preview'
import { Spinner } from '../../ui/button'
import { classes } from '../../ui/classes'
import { formatBytes, formatCount, formatDuration } from '../../ui/format'
import { previewIndexingNote, useIndexingRate } from '../indexing-time'
import { PreviewAddresses } from './address-list'
import { PreviewCounts } from './counts'
import { PreviewNotice } from './preview-notice'
import { type PreviewState, siteProblem } from './state'

interface PreviewPanelProps {
  preview: PreviewState
  /** The form has changed since the preview was started. */
  outdated: boolean
}

/** The progress and the result of a preview. */
export function PreviewPanel({ preview, outdated }: PreviewPanelProps) {
  const ref = useRef<HTMLElement>(null)
  const { phase, summary, failure } = preview
  const running = phase === 'running'
  const problem = siteProblem(preview)

  useEffect(() => {
    if (running) ref.current?.scrollIntoView({ block: 'start' })
  }, [running])

  return (
    <section
      ref={ref}
      aria-label="Preview"
      className={classes(
        'grid scroll-mt-3 content-start gap-3 rounded-medium border border-line p-3 sm:p-4',
        running && 'min-h-[60dvh]',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="flex items-center gap-2 font-semibold">
          {running && <Spinner />}
          Preview
        </h3>
        <p role="status" className="text-soft">
          {problem === null && headline(preview)}
        </p>
      </div>
      <PreviewNotice failure={failure} problem={problem} outdated={outdated} />
      {summary && problem === null && (
        <>
          <Estimate summary={summary} running={running} />
          <PreviewCounts summary={summary} />
        </>
      )}
      <PreviewAddresses title="Included" list={preview.in} total={summary?.in ?? 0} />
      {problem === null && <PreviewAddresses title="Excluded" list={preview.out} total={summary?.out ?? 0} />}
      <PreviewAddresses title="Links to other sites" list={preview.elsewhere} total={0} />
    </section>
  )
}

/** For a live region, so it changes with the phase and not with each page. */
function headline({ phase, summary }: PreviewState): string {
  const counts = summary && `${formatCount(summary.in)} included, ${formatCount(summary.out)} excluded`
  switch (phase) {
    case 'running':
      return 'Fetching pages. Nothing is stored.'
    case 'stopped':
      return counts ? `Stopped: ${counts} so far.` : 'Stopped.'
    case 'ended':
      return counts ? `${counts}.` : 'Nothing found.'
    case 'failed':
      return ''
  }
}

function Estimate({ summary, running }: { summary: PreviewSummary; running: boolean }) {
  const { found, read, in: included, out, estimate, cut } = summary
  const rate = useIndexingRate()
  const figures = [
    ['Included', formatCount(included)],
    ['Excluded', formatCount(out)],
    ['Found', formatCount(found)],
    ['Pages read', formatCount(read)],
  ]
  return (
    <div className="grid gap-2">
      <dl className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {figures.map(([name, value]) => (
          <div key={name} className="flex flex-col-reverse rounded-small bg-sunken px-3 py-2">
            <dt className="text-meta text-soft">{name}</dt>
            <dd className="font-semibold text-lead leading-6 tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {estimate && (
        <p>
          A full run: about {formatCount(estimate.pages)} {estimate.pages === 1 ? 'page' : 'pages'},{' '}
          {formatDuration(estimate.seconds)}, {formatBytes(estimate.bytes)}, {formatCount(estimate.fragments)}{' '}
          {estimate.fragments === 1 ? 'fragment' : 'fragments'}.
        </p>
      )}
      {estimate && <p className="text-soft">{previewIndexingNote(estimate, rate)}</p>}
      {cut && !running && (
        <p className="text-soft">
          Preview stops at {formatCount(read)} {read === 1 ? 'page' : 'pages'}. The full crawl continues.
        </p>
      )}
    </div>
  )
}
