import { isBoilerplateHeading } from '../../chunking/embedding-text'
import type { FusedHit } from './fusion'
import type { LineMatch } from './line-match'

export interface RankedHit extends FusedHit {
  /** Orders the hits: the fusion score plus what the texts add to it. */
  rerankScore: number
}

interface LoadedHit extends FusedHit, LineMatch {
  fragment: { addressId: string; headings: string }
  /** Share of the query terms the fragment contains, rare terms weighing more. */
  weightedCoverage: number
  /** How closely its title or one of its headings matches the query, from 0 to 1. */
  headingMatch: number
}

/**
 * Weights added to the fusion score, which is at most 1. Chosen on the sets of docs/figures.md: between .1 and .2 every
 * set gains, or loses less than .002.
 */
const coverageWeight = 0.15
const headingWeight = 0.1
const lineWeight = 0.1
/** More than BM25 gives to a page that names a code often, since tables name each code once. */
const rowWeight = 0.3
const addressWeight = 0.1
/** Shared content contains many words: between two equal matches, the page's own text is the better answer. */
const boilerplatePenalty = 0.03

/**
 * Orders hits by their texts, best first: by term coverage; by a heading that nearly is the query, as on FAQ pages; by a
 * line that starts with the query, or a heading that is the query; by a table row for a code in the query; and in languages other than English by the best BM25 among the other hits of the same address. The model splits the words
 * of those languages into more tokens, so that a fragment holds fewer of them, and the terms of one question are spread
 * over several fragments. Boilerplate ranks below what matches equally well.
 */
export function rerank<Hit extends LoadedHit>(hits: Hit[], { isEnglish }: { isEnglish: boolean }): (Hit & RankedHit)[] {
  const bestBm25 = Math.max(0, ...hits.map(({ bm25 }) => bm25))
  const siblingBm25 = isEnglish || bestBm25 === 0 ? () => 0 : bestSiblingBm25(hits)
  return hits
    .map((hit) => ({
      ...hit,
      rerankScore:
        hit.fusionScore +
        coverageWeight * hit.weightedCoverage +
        // Cubed, so that a heading on the same subject counts little.
        headingWeight * hit.headingMatch ** 3 +
        (hit.startsLine || hit.headingMatch === 1 ? lineWeight : 0) +
        rowWeight * hit.rowShare -
        (isBoilerplateHeading(hit.fragment.headings) ? boilerplatePenalty : 0) +
        (bestBm25 === 0 ? 0 : (addressWeight * siblingBm25(hit)) / bestBm25),
    }))
    .sort((a, b) => b.rerankScore - a.rerankScore || a.key - b.key)
}

/** The best BM25 among the other hits of the same address; 0 without any. */
function bestSiblingBm25<Hit extends LoadedHit>(hits: Hit[]): (hit: Hit) => number {
  const best = new Map<string, Hit>()
  const secondBest = new Map<string, Hit>()
  for (const hit of hits.toSorted((a, b) => b.bm25 - a.bm25)) {
    const { addressId } = hit.fragment
    if (!best.has(addressId)) best.set(addressId, hit)
    else if (!secondBest.has(addressId)) secondBest.set(addressId, hit)
  }
  return (hit) => {
    const { addressId } = hit.fragment
    const sibling = best.get(addressId) === hit ? secondBest.get(addressId) : best.get(addressId)
    return sibling?.bm25 ?? 0
  }
}
