import type { IndexedText } from '../../../engine/ports/search-index'
import { termsOfFragment } from '../../../engine/search/terms'
import { columnWeights, encodeLength, maxTermBytes } from './layout'
import { Postings } from './postings'
import { SegmentWriter } from './segment-writer'

/** A term of the fragments that are indexed, with its first and last occurrence. */
interface Term {
  text: string
  first: number
  last: number
  /** In the order of the segment. */
  number: number
}

const initialOccurrences = 4_096
const none = -1

/** The occurrences of terms in fragments. Those of one term are linked. */
class Occurrences {
  readonly terms = new Map<string, Term>()
  private count = 0
  private fragments = new Int32Array(initialOccurrences)
  private frequencies = new Int32Array(initialOccurrences)
  private wordFrequencies = new Int32Array(initialOccurrences)
  private next = new Int32Array(initialOccurrences)

  add(text: string, fragment: number, weight: number, isWord: boolean): Term {
    let term = this.terms.get(text)
    if (term === undefined) {
      term = { text, first: none, last: none, number: 0 }
      this.terms.set(text, term)
    }
    if (term.last === none || this.fragments[term.last] !== fragment) this.append(term, fragment)
    const { last } = term
    this.frequencies[last] = (this.frequencies[last] as number) + weight
    if (isWord) this.wordFrequencies[last] = (this.wordFrequencies[last] as number) + weight
    return term
  }

  read({ first }: Term, target: Postings): void {
    target.count = 0
    for (let n = first; n !== none; n = this.next[n] as number)
      target.add(this.fragments[n] as number, this.frequencies[n] as number, this.wordFrequencies[n] as number)
  }

  private append(term: Term, fragment: number): void {
    const n = this.count++
    if (n === this.fragments.length) this.grow()
    this.fragments[n] = fragment
    this.next[n] = none
    if (term.first === none) term.first = n
    else this.next[term.last] = n
    term.last = n
  }

  private grow(): void {
    this.fragments = grown(this.fragments)
    this.frequencies = grown(this.frequencies)
    this.wordFrequencies = grown(this.wordFrequencies)
    this.next = grown(this.next)
  }
}

function grown(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * list.length)
  larger.set(list)
  return larger
}

/** Reused, because it has room for the longest list. */
const postings = new Postings()
const encoder = new TextEncoder()
const encoded = new Uint8Array(maxTermBytes)

/** Indexes fragments, which are ordered by their keys. */
export function buildSegment(
  fragments: Pick<IndexedText, 'key' | 'title' | 'headings' | 'text'>[],
): Uint8Array<ArrayBuffer> {
  const occurrences = new Occurrences()
  const lengths: number[] = []
  const words = fragments.map((fragment, n) => {
    const terms = termsOfFragment(fragment)
    let length = 1
    const columns = columnWeights.map((weight, column) => {
      const [ofColumn, derived] = [terms.words[column] ?? [], terms.derived[column] ?? []]
      length += ofColumn.length + derived.length
      for (const term of derived) occurrences.add(term, n, weight, false)
      return ofColumn.map((term) => occurrences.add(term, n, weight, true))
    })
    lengths.push(length)
    return columns
  })

  const writer = new SegmentWriter()
  for (const term of sortByCodePoint([...occurrences.terms.values()])) {
    occurrences.read(term, postings)
    const { written } = encoder.encodeInto(term.text, encoded)
    term.number = writer.addTerm(encoded, written, postings)
  }
  for (const columns of words) {
    writer.startWords()
    for (const column of columns) {
      for (const { number } of column) writer.addWord(number)
      writer.endColumn()
    }
  }
  const entries = fragments.map(({ key }, n) => ({ key, length: encodeLength(lengths[n] ?? 1) }))
  return writer.finish(
    entries,
    lengths.reduce((sum, length) => sum + length, 0),
  )
}

const surrogate = /[\ud800-\udfff]/

/** The order of UTF-8, which differs from that of strings where characters take two units. */
function sortByCodePoint(terms: Term[]): Term[] {
  if (!terms.some(({ text }) => surrogate.test(text)))
    return terms.sort((first, second) => (first.text < second.text ? -1 : 1))
  return terms
    .map((term) => ({ term, bytes: Buffer.from(term.text) }))
    .sort((first, second) => Buffer.compare(first.bytes, second.bytes))
    .map(({ term }) => term)
}
