import { blockTerms, type SegmentBytes, type SegmentHeader } from './layout'

/** The blocks of a dictionary. */
export interface DictionaryIndex {
  /** The last block whose first term is not after a term, or the first block. */
  find(term: Uint8Array, length: number): number
  /** Memory that it takes. */
  bytes: number
  /** Where a block is in the dictionary. */
  block(number: number): { from: number; to: number }
}

/** Copies the index of a dictionary from a segment. */
export function readDictionaryIndex(
  { read }: SegmentBytes,
  { terms, dictionaryIndex, dictionary, postings }: SegmentHeader,
): DictionaryIndex {
  const bytes = new Uint8Array(read(dictionaryIndex, dictionary))
  const blocks = Math.ceil(terms / blockTerms)
  const starts = new Uint32Array(bytes.buffer, 0, blocks)
  const ends = new Uint32Array(bytes.buffer, 4 * blocks, blocks)
  const firstTerms = 8 * blocks

  return {
    bytes: bytes.length,

    find(term, length) {
      let low = 0
      let high = blocks - 1
      while (low < high) {
        const middle = (low + high + 1) >>> 1
        if (compareFirstTerm(middle, term, length) <= 0) low = middle
        else high = middle - 1
      }
      return low
    },

    block: (number) => ({ from: starts[number] ?? 0, to: starts[number + 1] ?? postings - dictionary }),
  }

  function compareFirstTerm(block: number, term: Uint8Array, length: number): number {
    const from = firstTerms + (block === 0 ? 0 : (ends[block - 1] as number))
    const size = firstTerms + (ends[block] as number) - from
    const shared = size < length ? size : length
    for (let n = 0; n < shared; n++) {
      const difference = (bytes[from + n] as number) - (term[n] as number)
      if (difference !== 0) return difference
    }
    return size - length
  }
}
