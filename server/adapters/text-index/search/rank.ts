import { TopK } from '../../top-k'
import type { CollectionSegments, LiveSegment } from '../collection-segments'
import { decodeLength, maxSegmentFragments, termKinds } from '../segments/layout'
import { readFragments } from '../segments/postings'
import type { Segment } from '../segments/segment'
import type { SegmentTerm } from '../segments/term-cursor'
import type { Match } from './match-terms'

/** A hit by its segment and its number there. */
export interface RankedHit {
  segment: number
  fragment: number
  key: number
  score: number
}

// The constants of BM25 (S. Robertson, H. Zaragoza, 2009). Lengths count less than usual, because chunking makes fragments
// of similar lengths; chosen on the sets of docs/figures.md.
const k1 = 1.2
const b = 0.5
/** Higher frequencies hardly add to a score. */
const maxScoredFrequency = 63
const lengthCodes = 256

/** Reused by all searches of a thread. */
const scores = new Float32Array(maxSegmentFragments)
const touched = new Uint16Array(maxSegmentFragments)
const scratch = new Uint16Array(maxSegmentFragments)
const batchSize = 1_024
const batch = new Int32Array(batchSize)
const batchScores = new Float32Array(batchSize)
let impacts = { averageLength: 0, table: new Float32Array() }

/**
 * The best fragments by the sum of BM25 over all matches, best first. `among` restricts them to fragments with these keys,
 * which are ordered.
 */
export function rank(
  collection: CollectionSegments,
  matches: Match[],
  limit: number,
  among: Float64Array | null,
): RankedHit[] {
  const { segments, fragments, averageLength } = collection
  const table = impactTable(averageLength)
  const weighted = matches.map((match) => ({ match, factor: match.weight * idf(match.count, fragments) }))
  const top = new TopK(limit, batchSize)
  try {
    for (const [n, live] of segments.entries()) {
      const isExcluded = excluded(live, among)
      const count = scoreSegment(live.segment, n, weighted, table)
      for (let start = 0; start < count; start += batchSize) {
        const size = takeScores(start, Math.min(count, start + batchSize), top.threshold(), isExcluded)
        top.add(size, batch, batchScores, n * maxSegmentFragments)
      }
    }
  } catch (error) {
    // A segment that cannot be read leaves no scores to the next search.
    scores.fill(0)
    throw error
  }
  const { slots, scores: best } = top.result()
  const hits: RankedHit[] = []
  for (let n = 0; n < slots.length; n++) {
    const slot = slots[n] ?? 0
    const [segment, fragment] = [Math.floor(slot / maxSegmentFragments), slot % maxSegmentFragments]
    hits.push({ segment, fragment, key: segments[segment]?.segment.key(fragment) ?? 0, score: best[n] ?? 0 })
  }
  return hits.sort(byScore)
}

/** Moves the scores of touched fragments that may be among the best to the batch. Returns their number. */
function takeScores(from: number, to: number, threshold: number, isExcluded: Uint8Array | null): number {
  let size = 0
  for (let t = from; t < to; t++) {
    const fragment = touched[t] as number
    const score = scores[fragment] as number
    scores[fragment] = 0
    if (score < threshold || isExcluded?.[fragment] === 1) continue
    batch[size] = fragment
    batchScores[size++] = score
  }
  return size
}

export function byScore(first: { key: number; score: number }, second: { key: number; score: number }): number {
  return second.score - first.score || first.key - second.key
}

/** The inverse document frequency (S. Robertson, K. Spärck Jones, 1976). */
function idf(count: number, fragments: number): number {
  return Math.max(1e-6, Math.log((Math.max(0, fragments - count) + 0.5) / (count + 0.5)))
}

/** Adds the scores of all matches in a segment. Returns the number of fragments that are touched. */
function scoreSegment(
  segment: Segment,
  n: number,
  matches: { match: Match; factor: number }[],
  table: Float32Array,
): number {
  const lengths = segment.lengths()
  const byTerm = new Map<SegmentTerm, { all: number; words: number }>()
  let count = 0
  for (const { match, factor } of matches) {
    if ('lists' in match.source) {
      const list = match.source.lists[n]
      if (list)
        count = addScores(list.fragments, list.fragments.length, list.frequencies, factor, lengths, table, count)
      continue
    }
    const { term, wordsOnly } = match.source
    const entry = term.entries[n]
    if (!entry || (wordsOnly && entry.wordFragments === 0)) continue
    const factors = byTerm.get(entry) ?? { all: 0, words: 0 }
    if (wordsOnly && entry.kind === termKinds.both) factors.words += factor
    else factors.all += factor
    byTerm.set(entry, factors)
  }
  for (const [entry, { all, words }] of byTerm) {
    const postings = segment.postings(entry)
    const size = entry.fragments
    const start = readFragments(postings, size, scratch)
    const frequencies = postings.subarray(start, start + size)
    count =
      words === 0
        ? addScores(scratch, size, frequencies, all, lengths, table, count)
        : addScoresOfBoth(scratch, size, postings.subarray(start), { all, words }, lengths, table, count)
  }
  return count
}

function addScores(
  fragments: Uint16Array,
  size: number,
  frequencies: Uint8Array,
  factor: number,
  lengths: Uint8Array,
  table: Float32Array,
  touchedBefore: number,
): number {
  let count = touchedBefore
  for (let n = 0; n < size; n++) {
    const frequency = frequencies[n] as number
    const fragment = fragments[n] as number
    const row = frequency > maxScoredFrequency ? maxScoredFrequency : frequency
    const score = scores[fragment] as number
    if (score === 0) touched[count++] = fragment
    scores[fragment] = score + factor * (table[row * lengthCodes + (lengths[fragment] as number)] as number)
  }
  return count
}

/** Adds the scores of a term that occurs as a word and otherwise, for all of its occurrences and for those as a word. */
function addScoresOfBoth(
  fragments: Uint16Array,
  size: number,
  frequencies: Uint8Array,
  factors: { all: number; words: number },
  lengths: Uint8Array,
  table: Float32Array,
  touchedBefore: number,
): number {
  const { all, words } = factors
  let count = touchedBefore
  for (let n = 0; n < size; n++) {
    const frequency = frequencies[n] as number
    const ofWords = frequencies[size + n] as number
    const fragment = fragments[n] as number
    const length = lengths[fragment] as number
    const row = frequency > maxScoredFrequency ? maxScoredFrequency : frequency
    const wordRow = ofWords > maxScoredFrequency ? maxScoredFrequency : ofWords
    const impact =
      all * (table[row * lengthCodes + length] as number) + words * (table[wordRow * lengthCodes + length] as number)
    if (impact === 0) continue
    const score = scores[fragment] as number
    if (score === 0) touched[count++] = fragment
    scores[fragment] = score + impact
  }
  return count
}

/** BM25 without the weight of the term, by frequency and code of the length. */
function impactTable(averageLength: number): Float32Array {
  if (impacts.averageLength === averageLength) return impacts.table
  const table = new Float32Array((maxScoredFrequency + 1) * lengthCodes)
  for (let code = 0; code < lengthCodes; code++) {
    const norm = k1 * (1 - b + (b * decodeLength(code)) / averageLength)
    for (let frequency = 1; frequency <= maxScoredFrequency; frequency++)
      table[frequency * lengthCodes + code] = (frequency * (k1 + 1)) / (frequency + norm)
  }
  impacts = { averageLength, table }
  return table
}

/** Marks the fragments of a segment that are deleted or not among the keys; null if there are none. */
function excluded({ segment, deleted }: LiveSegment, among: Float64Array | null): Uint8Array | null {
  if (!among) return deleted
  const marks = new Uint8Array(segment.header.fragments).fill(1)
  const keys = segment.keys()
  let next = 0
  for (let fragment = 0; fragment < keys.length; fragment++) {
    const key = keys[fragment] as number
    while (next < among.length && (among[next] as number) < key) next++
    if (among[next] === key) marks[fragment] = deleted?.[fragment] ?? 0
  }
  return marks
}
