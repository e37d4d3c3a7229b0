import type { ByteWriter } from './byte-writer'
import { maxFrequency, maxSegmentFragments, type TermKind, termKinds } from './layout'

/** The fragments of a term with its frequency in each, weighted by column: in all columns, and in those of words. */
export class Postings {
  count = 0
  readonly fragments = new Uint16Array(maxSegmentFragments)
  readonly frequencies = new Uint8Array(maxSegmentFragments)
  readonly wordFrequencies = new Uint8Array(maxSegmentFragments)

  add(fragment: number, frequency: number, wordFrequency: number): void {
    this.fragments[this.count] = fragment
    this.frequencies[this.count] = Math.min(maxFrequency, frequency)
    this.wordFrequencies[this.count++] = Math.min(maxFrequency, wordFrequency)
  }

  /** Orders the fragments, which are so unless segments with interleaved keys are merged. */
  sort(): void {
    let isSorted = true
    for (let n = 1; n < this.count && isSorted; n++) isSorted = at(this.fragments, n - 1) < at(this.fragments, n)
    if (isSorted) return
    const order = Array.from({ length: this.count }, (_, n) => n).sort(
      (first, second) => at(this.fragments, first) - at(this.fragments, second),
    )
    for (const list of [this.fragments, this.frequencies, this.wordFrequencies]) {
      const unsorted = list.slice(0, this.count)
      for (const [n, from] of order.entries()) list[n] = at(unsorted, from)
    }
  }

  /** Where the term occurs, and the number of fragments that have it as a word. */
  describe(): { kind: TermKind; words: number } {
    let words = 0
    let isDerived = false
    for (let n = 0; n < this.count; n++) {
      if (at(this.wordFrequencies, n) > 0) words++
      if (at(this.wordFrequencies, n) < at(this.frequencies, n)) isDerived = true
    }
    return { kind: words === 0 ? termKinds.derived : isDerived ? termKinds.both : termKinds.word, words }
  }
}

/** Marks a gap that follows in two bytes. */
const longGap = 255

/** Writes the gaps between the fragments, then the frequencies, then those of words if both differ. */
export function writePostings(target: ByteWriter, postings: Postings, kind: TermKind): void {
  const { count, fragments, frequencies, wordFrequencies } = postings
  let previous = -1
  for (let n = 0; n < count; n++) {
    const fragment = at(fragments, n)
    const gap = fragment - previous - 1
    if (gap < longGap) target.byte(gap)
    else {
      target.byte(longGap)
      target.uint16(gap)
    }
    previous = fragment
  }
  target.append(frequencies.subarray(0, count))
  if (kind === termKinds.both) target.append(wordFrequencies.subarray(0, count))
}

/** Reads the fragments of a list of postings. Returns where its frequencies start. */
export function readFragments(bytes: Uint8Array, count: number, target: Uint16Array): number {
  let position = 0
  let fragment = -1
  for (let n = 0; n < count; n++) {
    let gap = at(bytes, position++)
    if (gap === longGap) {
      gap = at(bytes, position) | (at(bytes, position + 1) << 8)
      position += 2
    }
    fragment += gap + 1
    target[n] = fragment
  }
  return position
}

function at(list: Uint8Array | Uint16Array, index: number): number {
  return list[index] as number
}
