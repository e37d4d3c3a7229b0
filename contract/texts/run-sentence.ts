import type { RunReport } from '../views/run'

/** Summarizes a run in a line, omitting zero counts: 'checked 531, unchanged 529, changed 2, embedded 9 fragments'. */
export function runSentence(run: RunReport): string {
  const counts: [string, number, string?][] = [
    ['unchanged', run.unchanged],
    ['changed', run.changed],
    ['new', run.new],
    ['withdrawn', run.withdrawn],
    ['failed', run.failed],
    ['replaced by another address', run.canonicalized],
    ['over the limit', run.ignored],
    ['embedded', run.embedded, run.embedded === 1 ? ' fragment' : ' fragments'],
  ]
  const some = counts
    .filter(([, many]) => many > 0)
    .map(([what, many, unit = '']) => `${what} ${formatted(many)}${unit}`)
  return [`checked ${formatted(run.checked)}`, ...some].join(', ')
}

function formatted(count: number): string {
  return count.toLocaleString('en')
}
