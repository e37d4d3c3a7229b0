import { runSentence } from '../../../contract/texts/run-sentence'
import type { SourceView } from '../../../contract/views/source'
import { formatCount, formatDuration } from '../ui/format'

type Progress = NonNullable<SourceView['progress']>
type Runs = Pick<SourceView, 'last_run' | 'last_full_run'>

/** '312 of 531 · 14 pages a second · about 16 s left'. */
export function progressLine({ done, total, rate, seconds_left }: Progress): string {
  const parts = [total > 0 ? `${formatCount(done)} of ${formatCount(total)}` : 'Looking for pages']
  if (rate > 0) {
    const [pages, unit] = rate >= 1 ? [Math.round(rate), 'second'] : [Math.max(1, Math.round(rate * 60)), 'minute']
    parts.push(`${pages === 1 ? '1 page' : `${formatCount(pages)} pages`} a ${unit}`)
  }
  if (seconds_left !== null && seconds_left > 0) parts.push(`about ${formatDuration(seconds_left)} left`)
  return parts.join(' · ')
}

/** For a file: '40 % read · about 16 s left'. Its `done` and `total` are internal units, so they are not shown. */
export function fileProgressLine({ done, total, seconds_left }: Progress): string {
  const parts = [total > 0 ? `${Math.floor((100 * Math.min(done, total)) / total)} % read` : 'Opening the file']
  if (seconds_left !== null && seconds_left > 0) parts.push(`about ${formatDuration(seconds_left)} left`)
  return parts.join(' · ')
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
