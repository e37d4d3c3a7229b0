import { cutWord } from '../../../engine/search/terms'
import { type CollectionSegments, countLive, type LiveSegment } from '../collection-segments'
import { maxTermBytes } from '../segments/layout'
import type { SegmentTerm, TermCursor } from '../segments/term-cursor'

/** Where a term is in the segments of a collection. */
export interface ResolvedTerm {
  /** By segment; null in those without it. */
  entries: (SegmentTerm | null)[]
  /** Fragments that have it, and those that have it as a word. */
  fragments: number
  wordFragments: number
}

export interface TermFragments {
  term: string
  fragments: number
}

/** Fragments of a segment that are counted without the deleted ones; more are counted with them. */
const maxCountedExactly = 2_000
const encoder = new TextEncoder()
const decoder = new TextDecoder()
const encoded = new Uint8Array(maxTermBytes)

/** The terms of one collection during one search. */
export interface TermResolver {
  resolve(term: string): ResolvedTerm
  /** Terms that start with a prefix, in code point order; at most `limit`, if given. */
  startingWith(prefix: string, limit?: number): TermFragments[]
}

export function createTermResolver({ segments }: CollectionSegments): TermResolver {
  const known = new Map<string, ResolvedTerm>()
  return {
    resolve(term) {
      let resolved = known.get(term)
      if (!resolved) {
        const { written } = encoder.encodeInto(cutWord(term), encoded)
        resolved = countFragments(
          segments,
          segments.map(({ segment }) => segment.find(encoded, written)),
        )
        known.set(term, resolved)
      }
      return resolved
    },

    startingWith(prefix, limit = Number.POSITIVE_INFINITY) {
      const start = encoder.encode(cutWord(prefix))
      const found = new Map<string, number>()
      for (const live of segments) {
        let taken = 0
        const cursor = live.segment.termsFrom(start)
        for (let isAt = cursor !== null; cursor && isAt && taken < limit; isAt = cursor.next()) {
          if (!startsWith(cursor, start)) break
          const count = countEntry(live, cursor.entry(), false)
          if (count === 0) continue
          const text = decoder.decode(cursor.term.subarray(0, cursor.length))
          found.set(text, (found.get(text) ?? 0) + count)
          taken++
        }
      }
      const terms = [...found].map(([term, fragments]) => ({ term, fragments }))
      return terms.sort((first, second) => (first.term < second.term ? -1 : 1)).slice(0, limit)
    },
  }
}

function countFragments(segments: LiveSegment[], entries: (SegmentTerm | null)[]): ResolvedTerm {
  let fragments = 0
  let wordFragments = 0
  for (const [n, live] of segments.entries()) {
    const entry = entries[n]
    if (!entry) continue
    fragments += countEntry(live, entry, false)
    if (entry.wordFragments > 0) wordFragments += countEntry(live, entry, true)
  }
  return { entries, fragments, wordFragments }
}

function countEntry(live: LiveSegment, entry: SegmentTerm, wordsOnly: boolean): number {
  if (!live.deleted || entry.fragments > maxCountedExactly) return wordsOnly ? entry.wordFragments : entry.fragments
  return countLive(live, live.segment.list(entry, wordsOnly).fragments)
}

function startsWith({ term, length }: TermCursor, start: Uint8Array): boolean {
  if (length < start.length) return false
  for (let n = 0; n < start.length; n++) if (term[n] !== start[n]) return false
  return true
}
