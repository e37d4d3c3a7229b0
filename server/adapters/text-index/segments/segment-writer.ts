import { ByteReader, ByteWriter } from './byte-writer'
import { blockTerms, headerBytes, keyBytes, maxTermBytes, termKinds, writeHeader } from './layout'
import { type Postings, writePostings } from './postings'

/** What a segment stores of a fragment beside its terms. */
export interface FragmentEntry {
  key: number
  /** Code of its length; see `encodeLength`. */
  length: number
}

/** Ends a column of the words of a fragment. The numbers of words follow it, so that no other byte is 0. */
export const columnEndByte = 0

/** Words as a segment stores them. */
export function encodeWords(terms: number[]): Uint8Array {
  const writer = new ByteWriter()
  for (const term of terms) writer.varint(term + 1)
  return writer.written()
}

/** Writes a segment: first all terms in the order of their bytes, then the words of each fragment. */
export class SegmentWriter {
  private readonly blocks = new ByteWriter()
  private readonly firstTermEnds = new ByteWriter()
  private readonly firstTerms = new ByteWriter()
  private readonly dictionary = new ByteWriter()
  private readonly postings = new ByteWriter()
  private readonly wordIndex = new ByteWriter()
  private readonly words = new ByteWriter()
  private readonly previous = new Uint8Array(maxTermBytes)
  private previousLength = 0
  private terms = 0

  /** Adds the term in the first `length` bytes. Returns its number. */
  addTerm(term: Uint8Array, length: number, postings: Postings): number {
    const { dictionary, previous } = this
    const isFirst = this.terms % blockTerms === 0
    if (isFirst) {
      this.blocks.uint32(dictionary.size)
      this.firstTerms.append(term.subarray(0, length))
      this.firstTermEnds.uint32(this.firstTerms.size)
      dictionary.varint(this.postings.size)
    }
    const max = isFirst ? 0 : Math.min(length, this.previousLength)
    let shared = 0
    while (shared < max && previous[shared] === term[shared]) shared++
    dictionary.varint(shared)
    dictionary.varint(length - shared)
    for (let n = shared; n < length; n++) {
      const byte = term[n] as number
      previous[n] = byte
      dictionary.byte(byte)
    }
    this.previousLength = length
    const { kind, words } = postings.describe()
    const before = this.postings.size
    writePostings(this.postings, postings, kind)
    dictionary.varint(3 * postings.count + kind)
    if (kind === termKinds.both) dictionary.varint(words)
    dictionary.varint(this.postings.size - before)
    return this.terms++
  }

  /** Begins the words of the next fragment. */
  startWords(): void {
    this.wordIndex.uint32(this.words.size)
  }

  addWord(term: number): void {
    this.words.varint(term + 1)
  }

  endColumn(): void {
    this.words.byte(columnEndByte)
  }

  /** Adds the words of a fragment of another segment, whose terms have these numbers here. */
  copyWords(bytes: Uint8Array, numbers: Uint32Array): void {
    const reader = new ByteReader(bytes)
    while (reader.at < bytes.length) {
      const word = reader.varint()
      this.words.varint(word === columnEndByte ? columnEndByte : (numbers[word - 1] as number) + 1)
    }
  }

  finish(entries: FragmentEntry[], totalLength: number): Uint8Array<ArrayBuffer> {
    const lengths = headerBytes + keyBytes * entries.length
    const dictionaryIndex = lengths + entries.length
    const dictionary = dictionaryIndex + this.blocks.size + this.firstTermEnds.size + this.firstTerms.size
    const postings = dictionary + this.dictionary.size
    const wordIndex = postings + this.postings.size
    const words = wordIndex + this.wordIndex.size
    const end = words + this.words.size
    const bytes = new Uint8Array(end)
    const { terms } = this
    const fragments = entries.length
    writeHeader(
      { fragments, terms, totalLength, lengths, dictionaryIndex, dictionary, postings, wordIndex, words, end },
      bytes,
    )
    const keys = new Float64Array(bytes.buffer, headerBytes, fragments)
    for (const [n, { key, length }] of entries.entries()) {
      keys[n] = key
      bytes[lengths + n] = length
    }
    this.blocks.copyTo(bytes, dictionaryIndex)
    this.firstTermEnds.copyTo(bytes, dictionaryIndex + this.blocks.size)
    this.firstTerms.copyTo(bytes, dictionaryIndex + this.blocks.size + this.firstTermEnds.size)
    this.dictionary.copyTo(bytes, dictionary)
    this.postings.copyTo(bytes, postings)
    this.wordIndex.copyTo(bytes, wordIndex)
    this.words.copyTo(bytes, words)
    return bytes
  }
}
