import { embeddingText } from '../chunking/embedding-text'
import type { Reranker } from '../ports/reranker'
import type { PassageText } from './ranking/relevance'
import type { DroppedHit, RankableFragment, SelectedHit, SelectionRules } from './ranking/select-hits'

/** What the reranker did in a search. */
export interface RerankerReport {
  model: string
  /** Number of hits that it was given, and of those that it read in time. */
  candidates: number
  scored: number
  ms: number
  /** Whether it read enough of them to change their order. */
  isApplied: boolean
}

interface Ranked<Hit, Fragment> {
  /** Best first. */
  hits: Hit[]
  /** Best first. */
  dropped: DroppedHit<Fragment>[]
}

type Rules = Pick<SelectionRules, 'limit' | 'maxPerAddress' | 'maxDropped'>
type FragmentOfHit = PassageText & Pick<RankableFragment, 'addressId'>

/** The best hits, which the reranker reads. */
export const maxCandidates = 20
/** What a search may wait for the reranker. */
export const rerankerBudgetMs = 150
/** Fewer have no order. */
const minScored = 2

/**
 * Orders the best hits by the scores of the reranker, and selects as many as the rules say. Those that it does not read in
 * time follow the others in their order. If it fails, the order stays as it is, and the report is `null`.
 */
export async function applyReranker<Fragment extends FragmentOfHit, Hit extends SelectedHit<Fragment>>(
  reranker: Pick<Reranker, 'model' | 'score'>,
  query: string,
  { hits, dropped }: Ranked<Hit, Fragment>,
  rules: Rules,
): Promise<Ranked<Hit, Fragment> & { report: RerankerReport | null; error?: unknown }> {
  const candidates = hits.slice(0, maxCandidates)
  const startedAt = performance.now()
  let scores: number[] = []
  try {
    const texts = candidates.map(({ fragment }) => embeddingText(fragment))
    if (candidates.length >= minScored) scores = await reranker.score(query, texts, rerankerBudgetMs)
  } catch (error) {
    return { ...select(hits, dropped, rules), report: null, error }
  }
  const isApplied = scores.length >= minScored
  const report = {
    model: reranker.model,
    candidates: candidates.length,
    scored: scores.length,
    ms: Math.round(performance.now() - startedAt),
    isApplied,
  }
  return { ...select(isApplied ? reorder(hits, scores) : hits, dropped, rules), report }
}

/** The scores are those of the first hits. */
function reorder<Hit extends SelectedHit<unknown>>(hits: Hit[], scores: number[]): Hit[] {
  const scored = scores.flatMap((rerankerScore, n) => {
    const hit = hits[n]
    return hit ? [{ ...hit, rerankerScore }] : []
  })
  return [...scored.sort((a, b) => b.rerankerScore - a.rerankerScore), ...hits.slice(scores.length)]
}

/** Applies the limits to hits of which more were ranked, so that the reranker could choose. */
function select<Fragment extends FragmentOfHit, Hit extends SelectedHit<Fragment>>(
  ordered: Hit[],
  dropped: DroppedHit<Fragment>[],
  { limit, maxPerAddress, maxDropped }: Rules,
): Ranked<Hit, Fragment> {
  const perAddress = new Map<string, number>()
  const within = ordered.filter(({ fragment: { addressId } }) => {
    const count = (perAddress.get(addressId) ?? 0) + 1
    perAddress.set(addressId, count)
    return count <= maxPerAddress
  })
  const isWithin = new Set(within)
  const backfilled = ordered.filter((hit) => !isWithin.has(hit))
  const all = [
    ...within.map((hit) => ({ ...hit, isBackfilled: false })),
    ...backfilled.map((hit) => ({ ...hit, isBackfilled: true })),
  ]
  const cut = all.slice(limit).map((hit): DroppedHit<Fragment> => {
    const { isBackfilled, ...scored } = hit
    return { ...scored, reason: isBackfilled ? 'same-address' : 'over-limit', duplicateOf: null }
  })
  return { hits: all.slice(0, limit), dropped: [...cut, ...dropped].slice(0, maxDropped) }
}
