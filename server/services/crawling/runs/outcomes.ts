import { isNote, type ReasonCode } from '../../../../contract/reasons'
import type { OutcomeCount } from '../../runs/run-report'
import type { RunRow } from '../../runs/runs'

/** How a run ends. */
export type RunEnd = 'finished' | 'listed' | 'cancelled' | 'failed' | 'url-limit' | 'crawl-limit'

/** Addresses of a source by reason; null without one. */
export interface ReasonOfAddresses {
  reason: string | null
  count: number
}

/** Why a full run ends before it visited all addresses. */
const earlyEnds: Partial<Record<RunEnd, ReasonCode>> = {
  cancelled: 'cancelled',
  'crawl-limit': 'crawl-limit',
  failed: 'crawl-failed',
}

const withText: OutcomeCount['outcome'][] = ['new', 'changed', 'unchanged']

/** The addresses that a run did not visit, by reason. A run of single addresses says nothing about the others. */
export function skippedAddresses(
  kind: RunRow['kind'],
  end: RunEnd,
  stored: ReasonOfAddresses[],
  visited: OutcomeCount[],
): OutcomeCount[] {
  if (kind === 'address') return []
  const skipped = new Map<string, number>()
  for (const { reason, count } of stored.filter(isExplained)) {
    const left = count - sum(visited.filter((row) => row.reason === reason && !withText.includes(row.outcome)))
    if (left > 0) skipped.set(reason ?? '', left)
  }
  const early = kind === 'full' ? earlyEnds[end] : undefined
  const unexplained = sum(stored.filter((row) => !isExplained(row)))
  const unvisited = unexplained - sum(visited.filter(({ outcome }) => withText.includes(outcome)))
  if (early && unvisited > 0) skipped.set(early, (skipped.get(early) ?? 0) + unvisited)
  return [...skipped].map(([reason, count]) => ({ outcome: 'skipped', reason, count, fetched: 0, bytes: 0 }))
}

/** Whether every visit failed: none found a text, or another address that has it. */
export function foundNothing(visited: OutcomeCount[]): boolean {
  const replacing = ['duplicate', 'canonical', 'feed', 'link-list']
  const found = visited.filter(({ outcome, reason, fetched }) => {
    return fetched > 0 || outcome === 'unchanged' || (outcome === 'replaced' && replacing.includes(reason))
  })
  return found.length === 0 && visited.some(({ outcome }) => outcome === 'failed')
}

/** Whether the reason is why an address has no text, and not a note about its text. */
export function isExplained({ reason }: { reason: string | null }): boolean {
  return reason !== null && reason !== '' && !isNote(reason)
}

function sum(rows: { count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0)
}
