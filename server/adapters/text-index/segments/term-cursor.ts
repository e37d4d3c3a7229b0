import { ByteReader } from './byte-writer'
import type { DictionaryIndex } from './dictionary-index'
import { blockTerms, maxTermBytes, type SegmentBytes, type SegmentHeader, type TermKind, termKinds } from './layout'

export interface SegmentTerm {
  /** In the order of the dictionary. */
  number: number
  kind: TermKind
  /** Number of fragments that contain it, and of those that have it as a word. */
  fragments: number
  wordFragments: number
  /** Where its postings are. */
  from: number
  to: number
}

/** Moves over the terms of a segment in the order of their bytes. */
export class TermCursor {
  /** The current term is in the first `length` bytes. */
  readonly term = new Uint8Array(maxTermBytes)
  length = 0
  number = -1
  private fragments = 0
  private kind: TermKind = termKinds.word
  private wordFragments = 0
  private from = 0
  private to = 0
  private readonly reader = new ByteReader(new Uint8Array())

  constructor(
    private readonly bytes: SegmentBytes,
    private readonly header: SegmentHeader,
    private readonly index: DictionaryIndex,
  ) {}

  /** Moves to the first term that is not before another one. False if there is none. */
  seek(term: Uint8Array, length: number): boolean {
    this.number = this.index.find(term, length) * blockTerms - 1
    while (this.next()) if (compareTerms(this.term, this.length, term, length) >= 0) return true
    return false
  }

  /** Moves to the next term. False at the end. */
  next(): boolean {
    const { reader } = this
    if (++this.number >= this.header.terms) return false
    if (this.number % blockTerms === 0) this.openBlock(this.number / blockTerms)
    let length = reader.varint()
    for (let rest = reader.varint(); rest > 0; rest--) this.term[length++] = reader.byte()
    this.length = length
    const code = reader.varint()
    this.kind = (code % 3) as TermKind
    this.fragments = (code - this.kind) / 3
    this.wordFragments =
      this.kind === termKinds.both ? reader.varint() : this.kind === termKinds.word ? this.fragments : 0
    this.from = this.to
    this.to += reader.varint()
    return true
  }

  entry(): SegmentTerm {
    const { number, kind, fragments, wordFragments, from, to } = this
    return { number, kind, fragments, wordFragments, from, to }
  }

  private openBlock(block: number): void {
    const { header, reader } = this
    const { from, to } = this.index.block(block)
    reader.open(this.bytes.read(header.dictionary + from, header.dictionary + to))
    this.to = header.postings + reader.varint()
  }
}

/** Compares by bytes, which for UTF-8 is the order of the code points. */
export function compareTerms(first: Uint8Array, length: number, second: Uint8Array, otherLength: number): number {
  const shared = length < otherLength ? length : otherLength
  for (let n = 0; n < shared; n++) {
    const difference = (first[n] as number) - (second[n] as number)
    if (difference !== 0) return difference
  }
  return length - otherLength
}
