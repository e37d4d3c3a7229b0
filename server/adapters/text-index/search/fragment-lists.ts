import { columnWeights, maxFrequency, maxSegmentFragments } from '../segments/layout'
import type { FragmentList, Segment } from '../segments/segment'
import { columnEndByte, encodeWords } from '../segments/segment-writer'
import type { SegmentTerm } from '../segments/term-cursor'

/** Of the bytes of a number, only the last is not larger. */
const maxLastByte = 127
/** Fragments of a segment in which a phrase is looked for; among more, its words say enough. */
const maxPhraseCandidates = 4_000

/** Fragments of any of the lists, with the sums of their frequencies. */
export function joinLists(lists: FragmentList[]): FragmentList | null {
  const [first] = lists
  if (!first || lists.length === 1) return first ?? null
  const sums = new Uint16Array(maxSegmentFragments)
  let count = 0
  for (const { fragments, frequencies } of lists) {
    for (let n = 0; n < fragments.length; n++) {
      const fragment = fragments[n] as number
      if (sums[fragment] === 0) count++
      sums[fragment] = Math.min(maxFrequency, (sums[fragment] as number) + (frequencies[n] as number))
    }
  }
  const joined = { fragments: new Uint16Array(count), frequencies: new Uint8Array(count) }
  let size = 0
  for (let fragment = 0; size < count; fragment++) {
    const sum = sums[fragment] as number
    if (sum === 0) continue
    joined.fragments[size] = fragment
    joined.frequencies[size++] = sum
  }
  return joined
}

/** The fragments of a list that are not in the other. */
export function subtractList(list: FragmentList, excluded: FragmentList | null): FragmentList {
  return excluded ? selectFragments(list, excluded, false) : list
}

/** Fragments with words that follow one another, with the number of times that they do, weighted by column. */
export function selectPhrases(segment: Segment, words: SegmentTerm[]): FragmentList {
  const [rarest, ...others] = [...words].sort((first, second) => first.wordFragments - second.wordFragments)
  if (!rarest) return { fragments: new Uint16Array(), frequencies: new Uint8Array() }
  let candidates = segment.list(rarest, true)
  for (const word of others) candidates = selectFragments(candidates, segment.list(word, true), true)
  const phrase = encodeWords(words.map(({ number }) => number))
  const fragments: number[] = []
  const frequencies: number[] = []
  for (const fragment of candidates.fragments.subarray(0, maxPhraseCandidates)) {
    const count = countPhrases(segment.words(fragment), phrase)
    if (count === 0) continue
    fragments.push(fragment)
    frequencies.push(Math.min(maxFrequency, count))
  }
  return { fragments: Uint16Array.from(fragments), frequencies: Uint8Array.from(frequencies) }
}

/** Occurrences of encoded words among those of a fragment, each counted as often as its column weighs. */
function countPhrases(words: Uint8Array, phrase: Uint8Array): number {
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength)
  let count = 0
  for (let start = bytes.indexOf(phrase); start >= 0; start = bytes.indexOf(phrase, start + 1)) {
    // Within a longer number, the byte before has its highest bit set.
    if (start > 0 && (bytes[start - 1] as number) > maxLastByte) continue
    const column = bytes.subarray(0, start).filter((byte) => byte === columnEndByte).length
    count += columnWeights[column] ?? 1
  }
  return count
}

/** The fragments of a list that are in another one, or those that are not. Both are ordered. */
function selectFragments(list: FragmentList, other: FragmentList, areInOther: boolean): FragmentList {
  const fragments = new Uint16Array(list.fragments.length)
  const frequencies = new Uint8Array(list.fragments.length)
  let count = 0
  let next = 0
  for (let n = 0; n < list.fragments.length; n++) {
    const fragment = list.fragments[n] as number
    while (next < other.fragments.length && (other.fragments[next] as number) < fragment) next++
    if ((other.fragments[next] === fragment) !== areInOther) continue
    fragments[count] = fragment
    frequencies[count++] = list.frequencies[n] as number
  }
  return { fragments: fragments.subarray(0, count), frequencies: frequencies.subarray(0, count) }
}
