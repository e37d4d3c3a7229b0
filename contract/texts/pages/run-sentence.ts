import type { RunReport } from '../../views/run'

/** Summarizes a run in a line, omitting zero counts: '531 checked, 529 unchanged, 2 changed, 9 fragments indexed'. */
export function runSentence(run: RunReport): string {
  const counts: [string, number][] = [
    ['unchanged', run.unchanged],
    ['changed', run.changed],
    ['new', run.new],
    ['withdrawn', run.withdrawn],
    ['failed', run.failed],
    [run.canonicalized === 1 ? 'redirect' : 'redirects', run.canonicalized],
    ['over the limit', run.ignored],
    [run.embedded === 1 ? 'fragment indexed' : 'fragments indexed', run.embedded],
  ]
  const parts = counts.filter(([, count]) => count > 0).map(([what, count]) => `${formatted(count)} ${what}`)
  return [`${formatted(run.checked)} checked`, ...parts].join(', ')
}

function formatted(count: number): string {
  return count.toLocaleString('en')
}
