import type { SourceView } from '../../../contract/source'
import { formatCount, formatDuration } from '../ui/format'

type Run = NonNullable<SourceView['progress']>

/** '312 of 531 · 14 pages a second · about 16 s left'. */
export function progressLine({ done, total, rate, seconds_left }: Run): string {
  const parts = [total > 0 ? `${formatCount(done)} of ${formatCount(total)}` : 'Looking for pages']
  if (rate > 0)
    parts.push(
      rate >= 1 ? `${Math.round(rate)} pages a second` : `${Math.max(1, Math.round(rate * 60))} pages a minute`,
    )
  if (seconds_left !== null && seconds_left > 0) parts.push(`about ${formatDuration(seconds_left)} left`)
  return parts.join(' · ')
}

export function isBusy(source: Pick<SourceView, 'status'>): boolean {
  return source.status === 'processing' || source.status === 'crawling'
}

/** What the last run did, in the words that matter to who waits for it. */
export function runLine({
  new: added,
  changed,
  unchanged,
  failed,
  ignored,
}: NonNullable<SourceView['last_run']>): string {
  const counts = [
    [added, 'new'],
    [changed, 'changed'],
    [unchanged, 'unchanged'],
    [failed, 'failed'],
    [ignored, 'over the limit'],
  ] as const
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatCount(count)} ${word}`)
    .join(', ')
}
