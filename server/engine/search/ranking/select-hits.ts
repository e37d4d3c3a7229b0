import type { ParsedQuery } from '../../ports/parsed-query'
import type { FusedHit } from './fusion'
import { createDuplicateDetector } from './near-duplicates'
import type { MeasuredText, Relevance, RelevanceScorer } from './relevance'
import { type RankedHit, rerank } from './rerank'

/** The columns of a fragment that ranking reads. */
export interface RankableFragment extends MeasuredText {
  key: number
  addressId: string
  url: string
  /** BCP 47, or '' if unknown. */
  language: string
}

export interface ScoredHit<Fragment = RankableFragment> extends RankedHit, Relevance {
  fragment: Fragment
  /** Of the reranker, if there is one and it read the text. Higher is better. */
  rerankerScore?: number
}

export interface SelectedHit<Fragment = RankableFragment> extends ScoredHit<Fragment> {
  /** Exceeds `maxPerAddress`, and fills a place that no other address took. */
  isBackfilled: boolean
}

export type DropReason = 'below-threshold' | 'duplicate' | 'same-address' | 'over-limit'

export interface DroppedHit<Fragment = RankableFragment> extends ScoredHit<Fragment> {
  reason: DropReason
  /** For duplicates, the selected fragment with the same content. */
  duplicateOf: Fragment | null
}

export interface SelectionRules {
  limit: number
  /** Minimum similarity, from 0 to 1. */
  threshold: number
  /** Maximum number of hits of one address, as long as others fill the places. */
  maxPerAddress: number
  /** Primary language subtag, preferred among equal hits; null for none. */
  preferredLanguage: string | null
  /** Maximum number of dropped hits to report. With 0, selection stops once there are enough hits. */
  maxDropped: number
}

export interface Selection {
  /** Best first. */
  hits: SelectedHit[]
  dropped: DroppedHit[]
  /** Whether a fragment that might have been selected is missing. */
  isMissingFragments: boolean
  /** Whether further hits would change nothing. */
  isComplete: boolean
}

export interface SelectionInput {
  /** Best first. */
  fused: FusedHit[]
  /** Their fragments in any order, without those that cannot be found. */
  fragments: RankableFragment[]
  scoreRelevance: RelevanceScorer
  query: Pick<ParsedQuery, 'words' | 'isEnglish'>
  rules: SelectionRules
}

/** Hits whose scores differ by less are equal. The scores of translations of one text differ by up to 0.04. */
const equalScores = 0.05
/** The same for hits that contain the query to the same degree: cosines with texts of two languages are not comparable. */
const equalScoresOfWords = 0.15
/** Hits that are reranked together: no set of docs/figures.md gained with more. */
const minBatchSize = 40

/** Hits that are reranked together, of which most selections need no more. */
export function batchSizeFor({ limit }: Pick<SelectionRules, 'limit'>): number {
  return Math.max(minBatchSize, 2 * limit)
}

/**
 * Selects hits, best first: those that reach the threshold, are no duplicates, and do not exceed the limit per address.
 * If places remain, as in a collection of one long document, more hits of the same addresses fill them. Reranks hits in
 * batches, since most are not needed.
 */
export function selectHits({ fused, fragments, scoreRelevance, query, rules }: SelectionInput): Selection {
  const selector = createSelector(rules, query.words)
  const byKey = new Map(fragments.map((fragment) => [fragment.key, fragment]))
  const batchSize = batchSizeFor(rules)
  for (let start = 0; start < fused.length && !selector.isComplete(); start += batchSize) {
    const scored: Omit<ScoredHit, 'rerankScore' | 'rerankerScore'>[] = []
    for (const hit of fused.slice(start, start + batchSize)) {
      const fragment = byKey.get(hit.key)
      if (fragment) scored.push({ ...hit, fragment, ...scoreRelevance(hit.cosine, fragment) })
      else selector.missFragment()
    }
    selector.add(orderEquals(rerank(scored, query), rules.preferredLanguage))
  }
  return selector.finish()
}

/** Collects hits in order, and decides for each whether it is selected or dropped. */
function createSelector({ limit, threshold, maxPerAddress, maxDropped }: SelectionRules, queryWords: string[]) {
  const hits: SelectedHit[] = []
  const dropped: DroppedHit[] = []
  const overPerAddress: ScoredHit[] = []
  const perAddress = new Map<string, number>()
  const duplicates = createDuplicateDetector<RankableFragment>(queryWords)
  let isMissingFragments = false

  return {
    isComplete,

    add(batch: ScoredHit[]): void {
      for (const hit of batch) {
        if (isComplete()) return
        const drop = reasonToDrop(hit)
        if (drop === null) hits.push({ ...hit, isBackfilled: false })
        else if (maxDropped > 0) dropped.push({ ...hit, ...drop })
        if (drop?.reason === 'same-address') overPerAddress.push(hit)
      }
    },

    /** Fragments that are only reported as dropped do not matter. */
    missFragment(): void {
      if (hits.length < limit) isMissingFragments = true
    },

    finish(): Selection {
      const isEnough = isComplete()
      for (const hit of overPerAddress) if (hits.length < limit) backfill(hit)
      return { hits, dropped: dropped.slice(0, maxDropped), isMissingFragments, isComplete: isEnough }
    },
  }

  function isComplete(): boolean {
    return hits.length >= limit && dropped.length >= maxDropped
  }

  function reasonToDrop({ fragment, similarity }: ScoredHit) {
    const drop = (reason: DropReason, duplicateOf: RankableFragment | null = null) => ({ reason, duplicateOf })
    if (similarity < threshold) return drop('below-threshold')
    if (hits.length >= limit) return drop('over-limit')
    const selected = perAddress.get(fragment.addressId) ?? 0
    if (selected >= maxPerAddress) return drop('same-address')
    const original = duplicates.check(fragment)
    if (original) return drop('duplicate', original)
    perAddress.set(fragment.addressId, selected + 1)
    return null
  }

  function backfill(hit: ScoredHit): void {
    const position = dropped.findIndex(({ key }) => key === hit.key)
    const original = duplicates.check(hit.fragment)
    if (!original) hits.push({ ...hit, isBackfilled: true })
    if (position === -1) return
    if (original) dropped[position] = { ...hit, reason: 'duplicate', duplicateOf: original }
    else dropped.splice(position, 1)
  }
}

/**
 * Orders hits of equal score: those in the preferred language first, then by score, then by the length of the URL, since
 * the shorter one is more often the canonical page.
 */
function orderEquals(hits: ScoredHit[], language: string | null): ScoredHit[] {
  const groups: ScoredHit[][] = []
  for (const hit of hits) {
    const group = groups.at(-1)
    if (group?.[0] && areEqual(group[0], hit)) group.push(hit)
    else groups.push([hit])
  }
  const isOther = ({ fragment }: ScoredHit) => Number(primarySubtag(fragment.language) !== language)
  return groups.flatMap((group) =>
    group.sort(
      (a, b) =>
        (language === null ? 0 : isOther(a) - isOther(b)) ||
        b.rerankScore - a.rerankScore ||
        a.fragment.url.length - b.fragment.url.length ||
        a.key - b.key,
    ),
  )
}

function areEqual(better: ScoredHit, hit: ScoredHit): boolean {
  const difference = better.rerankScore - hit.rerankScore
  if (difference < equalScores) return true
  return difference < equalScoresOfWords && hit.coverage > 0 && hit.coverage >= better.coverage
}

function primarySubtag(language: string): string {
  return language.split('-', 1)[0] ?? ''
}
