import { choosePassages } from './passage/choose-passages'
import type { Passage } from './passage/passage'
import type { FusedHit } from './ranking/fusion'
import { createRelevanceScorer, type RelevanceQuery, type SearchedForm } from './ranking/relevance'
import {
  type DroppedHit,
  type RankableFragment,
  type SelectedHit,
  type SelectionRules,
  selectHits,
} from './ranking/select-hits'

/** What the ranking of a search depends on. Can be sent to another thread. */
export interface RankingRequest {
  /** The text of the query with its corrections. */
  meant: string
  query: RelevanceQuery
  /** The query words as they were searched. */
  forms: SearchedForm[]
  /** The query words with their expansions, folded. */
  words: string[]
  /** Best first. */
  fused: FusedHit[]
  /** Their fragments in any order, without those that cannot be found. */
  fragments: RankableFragment[]
  rules: SelectionRules
  /** Whether there are further hits, whose fragments have not been loaded. */
  hasMore: boolean
  /** Whether to choose the passage of each hit. */
  withPassages: boolean
}

/** Hits without their fragments, whose keys they have. */
export interface Ranking {
  /** Best first. */
  hits: (Omit<SelectedHit, 'fragment'> & { passage: Passage | null })[]
  /** Best first. */
  dropped: (Omit<DroppedHit, 'fragment' | 'duplicateOf'> & { duplicateOfKey: number | null })[]
  /** Whether a fragment that might have been selected is missing. */
  isMissingFragments: boolean
}

/** Ranks outside the event loop. */
export interface Ranker {
  /** See `rankFragments`. */
  rank(request: RankingRequest): Promise<Ranking | null>
}

/** Selects and orders hits by their texts, and chooses their passages. Null if it needs further hits, of which there are more. */
export function rankFragments(request: RankingRequest): Ranking | null {
  const { meant, query, forms, words, fused, fragments, rules, hasMore, withPassages } = request
  const selection = selectHits({
    fused,
    fragments,
    scoreRelevance: createRelevanceScorer(meant, query, forms),
    query: { words, isEnglish: query.isEnglish },
    rules,
  })
  if (hasMore && !selection.isComplete) return null
  const sources = withPassages ? selection.hits.map(({ fragment }) => fragment) : []
  const passages = choosePassages(sources, forms)
  return {
    hits: selection.hits.map(({ fragment: _, ...hit }, n) => ({ ...hit, passage: passages[n] ?? null })),
    dropped: selection.dropped.map(({ fragment: _, duplicateOf, ...hit }) => ({
      ...hit,
      duplicateOfKey: duplicateOf?.key ?? null,
    })),
    isMissingFragments: selection.isMissingFragments,
  }
}
