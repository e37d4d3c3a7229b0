import { type DictionaryIndex, readDictionaryIndex } from './dictionary-index'
import { headerBytes, keyBytes, readHeader, type SegmentBytes, type SegmentHeader, termKinds } from './layout'
import { readFragments } from './postings'
import { compareTerms, type SegmentTerm, TermCursor } from './term-cursor'

/** Fragments with the frequency of what was searched. */
export interface FragmentList {
  fragments: Uint16Array
  frequencies: Uint8Array
}

/** Reads one segment. */
export interface Segment {
  header: SegmentHeader
  index: DictionaryIndex
  /** Finds the term in the first `length` bytes. */
  find(term: Uint8Array, length: number): SegmentTerm | null
  /** A cursor that is at the first term that is not before `start`; null if there is none. */
  termsFrom(start: Uint8Array): TermCursor | null
  /** The fragments of a term; with `wordsOnly` those that have it as a word. */
  list(entry: SegmentTerm, wordsOnly: boolean): FragmentList
  /** The same as `writePostings` writes it. */
  postings(entry: SegmentTerm): Uint8Array
  key(fragment: number): number
  /** A copy of the keys of all fragments, which ascend. */
  keys(): Float64Array
  /** By fragment, the code of its length; see `encodeLength`. */
  lengths(): Uint8Array
  /** The words of a fragment as `SegmentWriter` writes them. */
  words(fragment: number): Uint8Array
}

const nothing: FragmentList = { fragments: new Uint16Array(), frequencies: new Uint8Array() }

/** Takes the header and the index of the dictionary from an earlier opening of the segment, if there was one. */
export function openSegment(
  bytes: SegmentBytes,
  header = readHeader(bytes.read(0, headerBytes)),
  index = readDictionaryIndex(bytes, header),
): Segment {
  const lookup = new TermCursor(bytes, header, index)
  return {
    header,
    index,

    find(term, length) {
      const isFound = lookup.seek(term, length) && compareTerms(lookup.term, lookup.length, term, length) === 0
      return isFound ? lookup.entry() : null
    },

    termsFrom(start) {
      const cursor = new TermCursor(bytes, header, index)
      return cursor.seek(start, start.length) ? cursor : null
    },

    list(entry, wordsOnly) {
      if (wordsOnly && entry.wordFragments === 0) return nothing
      const postings = bytes.read(entry.from, entry.to)
      const fragments = new Uint16Array(entry.fragments)
      const start = readFragments(postings, entry.fragments, fragments)
      if (!wordsOnly || entry.kind !== termKinds.both)
        return { fragments, frequencies: postings.subarray(start, start + entry.fragments) }
      return withoutZeros({ fragments, frequencies: postings.subarray(start + entry.fragments) })
    },

    postings: ({ from, to }) => bytes.read(from, to),

    key(fragment) {
      const offset = headerBytes + keyBytes * fragment
      const view = bytes.read(offset, offset + keyBytes)
      return new DataView(view.buffer, view.byteOffset).getFloat64(0, true)
    },

    // A copy, because the bytes may not be aligned.
    keys: () => new Float64Array(bytes.read(headerBytes, header.lengths).slice().buffer),

    lengths: () => bytes.read(header.lengths, header.dictionaryIndex),

    words(fragment) {
      const from = uint32At(header.wordIndex + 4 * fragment)
      const isLast = fragment + 1 === header.fragments
      const to = isLast ? header.end - header.words : uint32At(header.wordIndex + 4 * (fragment + 1))
      return bytes.read(header.words + from, header.words + to)
    },
  }

  function uint32At(offset: number): number {
    const view = bytes.read(offset, offset + 4)
    return new DataView(view.buffer, view.byteOffset).getUint32(0, true)
  }
}

function withoutZeros({ fragments, frequencies }: FragmentList): FragmentList {
  const kept = new Uint8Array(frequencies.length)
  let count = 0
  for (let n = 0; n < fragments.length; n++) {
    const frequency = frequencies[n] as number
    if (frequency === 0) continue
    fragments[count] = fragments[n] as number
    kept[count++] = frequency
  }
  return { fragments: fragments.subarray(0, count), frequencies: kept.subarray(0, count) }
}
