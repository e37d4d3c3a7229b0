import { decodeLength, maxSegmentFragments, termKinds } from './layout'
import { Postings, readFragments } from './postings'
import type { Segment } from './segment'
import { type FragmentEntry, SegmentWriter } from './segment-writer'
import { compareTerms, type TermCursor } from './term-cursor'

export interface MergeSource {
  segment: Segment
  /** Numbers of its deleted fragments. */
  deleted: ReadonlySet<number>
}

interface Live extends FragmentEntry {
  source: number
  fragment: number
}

/** Merges segments to one without the deleted fragments. Null if no fragment is left. */
export function mergeSegments(sources: MergeSource[]): Uint8Array<ArrayBuffer> | null {
  const live = liveFragments(sources)
  if (live.length === 0) return null
  const newFragments = sources.map(({ segment }) => new Int32Array(segment.header.fragments).fill(-1))
  for (const [n, { source, fragment }] of live.entries()) {
    const numbers = newFragments[source]
    if (numbers) numbers[fragment] = n
  }
  const writer = new SegmentWriter()
  const newTerms = mergeTerms(writer, sources, newFragments)
  for (const { source, fragment } of live) {
    writer.startWords()
    const [from, numbers] = [sources[source], newTerms[source]]
    if (from && numbers) writer.copyWords(from.segment.words(fragment), numbers)
  }
  // The sum of what the codes stand for: the exact lengths are not stored.
  return writer.finish(live, Math.round(live.reduce((sum, { length }) => sum + decodeLength(length), 0)))
}

function liveFragments(sources: MergeSource[]): Live[] {
  const live: Live[] = []
  for (const [source, { segment, deleted }] of sources.entries()) {
    const keys = segment.keys()
    const lengths = segment.lengths()
    for (const [fragment, key] of keys.entries())
      if (!deleted.has(fragment)) live.push({ key, length: lengths[fragment] ?? 0, source, fragment })
  }
  return live.sort((first, second) => first.key - second.key)
}

interface Merging {
  segment: Segment
  cursor: TermCursor
  /** New numbers of its fragments, -1 for deleted ones, and of its terms. */
  fragments: Int32Array
  terms: Uint32Array
}

/** Returns, for each source, the new numbers of its terms. */
function mergeTerms(writer: SegmentWriter, sources: MergeSource[], newFragments: Int32Array[]): Uint32Array[] {
  const newTerms = sources.map(({ segment }) => new Uint32Array(segment.header.terms))
  let left = sources.flatMap(({ segment }, n): Merging[] => {
    const [cursor, fragments, terms] = [segment.termsFrom(new Uint8Array()), newFragments[n], newTerms[n]]
    return cursor && fragments && terms ? [{ segment, cursor, fragments, terms }] : []
  })
  const postings = new Postings()
  const scratch = new Uint16Array(maxSegmentFragments)
  const equal: Merging[] = []
  while (left.length > 0) {
    findLeast(left, equal)
    postings.count = 0
    for (const source of equal) addPostings(postings, source, scratch)
    const [first] = equal
    if (first && postings.count > 0) {
      postings.sort()
      const number = writer.addTerm(first.cursor.term, first.cursor.length, postings)
      for (const { terms, cursor } of equal) terms[cursor.number] = number
    }
    let hasEnded = false
    for (const { cursor } of equal) if (!cursor.next()) hasEnded = true
    if (hasEnded) left = left.filter(({ cursor, segment }) => cursor.number < segment.header.terms)
  }
  return newTerms
}

/** Collects the sources whose current term is the first. */
function findLeast(sources: Merging[], equal: Merging[]): void {
  equal.length = 0
  let least: TermCursor | null = null
  for (const source of sources) {
    const { cursor } = source
    const order = least ? compareTerms(cursor.term, cursor.length, least.term, least.length) : -1
    if (order < 0) {
      least = cursor
      equal.length = 0
    }
    if (order <= 0) equal.push(source)
  }
}

function addPostings(merged: Postings, { segment, cursor, fragments }: Merging, scratch: Uint16Array): void {
  const entry = cursor.entry()
  const { fragments: count, kind } = entry
  const postings = segment.postings(entry)
  const start = readFragments(postings, count, scratch)
  for (let n = 0; n < count; n++) {
    const fragment = fragments[scratch[n] as number] as number
    if (fragment < 0) continue
    const frequency = postings[start + n] as number
    const ofWords =
      kind === termKinds.both ? (postings[start + count + n] as number) : kind === termKinds.word ? frequency : 0
    merged.add(fragment, frequency, ofWords)
  }
}
