import { isOfSite } from '../chunking/embedding-text'
import type { FusedHit } from './fusion'

export interface RankedHit extends FusedHit {
  /** Orders the hits that are shown; it begins with the fused score. */
  rank: number
}

interface ReadHit extends FusedHit {
  fragment: { addressId: string; headings: string }
  /** Share of the query's words that it holds, rare ones counting more. */
  weighted: number
  /** How much its title or one of its headings is the query itself, 0 to 1. */
  heading: number
}

/**
 * What the texts say adds to the fused score, which is 1 at most. Chosen on the sets of docs/figures.md: from .1 to .2 each
 * of them gains or stays, within .002.
 */
const wordsShare = 0.15
const headingShare = 0.1
const addressShare = 0.1
/** What a site says around its pages holds many words: of two that fit alike, the page's own text is meant. */
const siteLoss = 0.03

/**
 * Orders hits anew by what their texts tell, best first: by how many of the query's words they hold; by a heading that is
 * nearly the question itself, as on pages of questions and answers; and in other languages than English by what else of
 * the address the words found. There the model, which cuts such words into more pieces, leaves a fragment fewer of them,
 * and what a question asks for is spread over several. What stands on several pages comes behind what fits as well.
 */
export function rerank<Hit extends ReadHit>(hits: Hit[], { english }: { english: boolean }): (Hit & RankedHit)[] {
  const best = Math.max(0, ...hits.map(({ bm25 }) => bm25))
  const beside = english || best === 0 ? () => 0 : bestBeside(hits)
  return hits
    .map((hit) => ({
      ...hit,
      rank:
        hit.score +
        wordsShare * hit.weighted +
        // To the third power: one that is about the same thing, too, counts little.
        headingShare * hit.heading ** 3 -
        (isOfSite(hit.fragment.headings) ? siteLoss : 0) +
        (best === 0 ? 0 : (addressShare * beside(hit)) / best),
    }))
    .sort((a, b) => b.rank - a.rank || a.key - b.key)
}

/** The best BM25 of the other fragments of the same address. */
function bestBeside<Hit extends ReadHit>(hits: Hit[]): (hit: Hit) => number {
  const firsts = new Map<string, Hit>()
  const seconds = new Map<string, Hit>()
  for (const hit of hits.toSorted((a, b) => b.bm25 - a.bm25)) {
    const { addressId } = hit.fragment
    if (!firsts.has(addressId)) firsts.set(addressId, hit)
    else if (!seconds.has(addressId)) seconds.set(addressId, hit)
  }
  return (hit) => {
    const { addressId } = hit.fragment
    const other = firsts.get(addressId) === hit ? seconds.get(addressId) : firsts.get(addressId)
    return other?.bm25 ?? 0
  }
}
