import { runSentence } from '../../../contract/texts/pages/run-sentence'
import type { SourceView } from '../../../contract/views/source'
import { formatCount, formatCounted, formatDuration } from '../ui/format'

type Progress = NonNullable<SourceView['progress']>
type Indexing = NonNullable<SourceView['indexing']>
type Counts = Pick<Indexing, 'done' | 'total'>
type Runs = Pick<SourceView, 'last_run' | 'last_full_run'>

/** The first stage of a run: 'About 16 s left · read 312 of 531'. */
export function progressLine({ done, total, seconds_left: seconds }: Progress): string {
  return lineOf(readLine({ done, total }), seconds)
}

export function readLine({ done, total }: Counts): string {
  return total > 0 ? `Read ${formatCount(done)} of ${formatCount(total)}` : 'Finding pages…'
}

/** The second stage: 'About 7 min left · indexed 3,100 of 20,113'. */
export function indexingLine({ done, total, seconds_left: seconds, paused }: Indexing): string {
  if (paused) return `${indexedLine({ done, total })} · paused, keyword search finds all`
  return lineOf(indexedLine({ done, total }), seconds)
}

export function indexedLine({ done, total }: Counts): string {
  return `Indexed ${formatCount(done)} of ${formatCount(total)}`
}

/** For a file: 'About 16 s left · read 40 %'. Its `done` and `total` are internal units, so they are not shown. */
export function fileProgressLine({ done, total, seconds_left: seconds }: Progress): string {
  const read = total > 0 ? `Read ${Math.floor((100 * Math.min(done, total)) / total)} %` : 'Opening the file'
  return lineOf(read, seconds)
}

/** The time that is left comes first, because it is what people wait for. */
function lineOf(done: string, seconds: number | null): string {
  if (seconds === null || seconds <= 0) return done
  return `About ${formatDuration(seconds)} left · ${done.charAt(0).toLowerCase()}${done.slice(1)}`
}

/** '14 pages a second', '12 pages a minute'; null for 0. */
export function rateText(rate: number, noun: 'page' | 'fragment'): string | null {
  if (rate === 0) return null
  return rate >= 1
    ? `${formatCounted(Math.round(rate), noun)} a second`
    : `${formatCounted(Math.max(1, Math.round(rate * 60)), noun)} a minute`
}

export function isBusy(source: Pick<SourceView, 'status'>): boolean {
  return source.status === 'processing' || source.status === 'crawling'
}

/** Its run was cancelled, but the pages in progress are still being finished. */
export function isCancelling({ last_run: run }: Pick<SourceView, 'last_run'>): boolean {
  return run?.cancelled === true && run.finished_at === null
}

/** The result of the last complete run: 'checked 529', 'Cancelled: checked 4, unchanged 4'. */
export function lastRunLine({ last_run: lastRun, last_full_run: lastFullRun }: Runs): string | null {
  const run = lastFullRun ?? lastRun
  return run && `${run.cancelled ? 'Cancelled: ' : ''}${runSentence(run)}`
}
