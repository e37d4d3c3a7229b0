/** The bytes of a segment, wherever they are. A view is valid until the work with the segment ends. */
export interface SegmentBytes {
  read(from: number, to: number): Uint8Array
}

/**
 * A segment is an immutable keyword index of up to 65,536 fragments, in this order: header, keys, lengths, an index of the
 * dictionary, the dictionary, postings, an index of the words, and the words of each fragment in order. Integers are little
 * endian; offsets are bytes from the start of the segment.
 */
export interface SegmentHeader {
  fragments: number
  terms: number
  /** Sum of the lengths of all fragments, in terms. */
  totalLength: number
  /** A code per fragment; see `encodeLength`. */
  lengths: number
  /** Of the blocks of the dictionary: their offsets within it, the ends of their first terms, and those terms. */
  dictionaryIndex: number
  dictionary: number
  postings: number
  /** Per fragment, the offset of its words within the words. */
  wordIndex: number
  words: number
  end: number
}

/** Weights of title, headings and text in BM25: how often a term in them counts. */
export const columnWeights = [3, 2, 1]
/** Fragments are numbered by 16 bits. */
export const maxSegmentFragments = 65_536
export const headerBytes = 64
/** A frequency is a byte. */
export const maxFrequency = 255
export const keyBytes = 8
/** The longest term has 64 UTF-16 units. */
export const maxTermBytes = 192
/** Terms per block of the dictionary. The first term of a block is written in full, the others by how they differ. */
export const blockTerms = 16

const fields: readonly (keyof SegmentHeader)[] = [
  'fragments',
  'terms',
  'totalLength',
  'lengths',
  'dictionaryIndex',
  'dictionary',
  'postings',
  'wordIndex',
  'words',
  'end',
]

export function writeHeader(header: SegmentHeader, target: Uint8Array): void {
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength)
  for (const [n, field] of fields.entries()) view.setUint32(4 * n, header[field], true)
}

export function readHeader(bytes: Uint8Array): SegmentHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Object.fromEntries(fields.map((field, n) => [field, view.getUint32(4 * n, true)])) as unknown as SegmentHeader
}

/** Where a term occurs: among the words of the texts, among what is derived from them, or both. */
export const termKinds = { word: 0, derived: 1, both: 2 } as const
export type TermKind = (typeof termKinds)[keyof typeof termKinds]

const exactLengths = 64
const mantissaBits = 5

/** A length as one byte: exact below 64, then with five significant bits, up to about 4,000. */
export function encodeLength(length: number): number {
  if (length < exactLengths) return length
  const exponent = Math.floor(Math.log2(length))
  const mantissa = Math.floor(length / 2 ** (exponent - mantissaBits)) - 2 ** mantissaBits
  return Math.min(255, exactLengths + (exponent - 6) * 2 ** mantissaBits + mantissa)
}

export function decodeLength(code: number): number {
  if (code < exactLengths) return code
  const exponent = Math.floor((code - exactLengths) / 2 ** mantissaBits) + 6
  const mantissa = (code - exactLengths) % 2 ** mantissaBits
  // The middle of the lengths with this code.
  return (2 ** mantissaBits + mantissa + 0.5) * 2 ** (exponent - mantissaBits)
}
