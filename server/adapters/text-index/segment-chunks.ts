import type { SegmentBytes } from './segments/layout'

/** Segments are stored in chunks of this size, the last of which is shorter. */
export const chunkBytes = 65_536
const maxChunks = 65_536

/** Where a chunk of a segment is in `text_segment_chunks`; never 0, because segments are numbered from 1. */
export function placeOf(segmentId: number, chunk: number): number {
  return segmentId * maxChunks + chunk
}

/** The bytes of a segment by its chunks. What spans several of them is copied. */
export function bytesOfChunks(segmentId: number, read: (place: number) => Uint8Array): SegmentBytes {
  return {
    read(from, to) {
      const first = Math.floor(from / chunkBytes)
      const last = Math.floor(Math.max(from, to - 1) / chunkBytes)
      const offset = first * chunkBytes
      if (first === last) return read(placeOf(segmentId, first)).subarray(from - offset, to - offset)
      const bytes = new Uint8Array(to - from)
      for (let chunk = first; chunk <= last; chunk++) {
        const start = chunk * chunkBytes
        const part = read(placeOf(segmentId, chunk))
        bytes.set(part.subarray(Math.max(0, from - start), Math.min(chunkBytes, to - start)), Math.max(0, start - from))
      }
      return bytes
    },
  }
}

/** The bytes of a segment that is in memory as a whole. */
export function bytesInMemory(bytes: Uint8Array): SegmentBytes {
  const plain = withoutBuffer(bytes)
  return { read: (from, to) => plain.subarray(from, to) }
}

/** A Buffer as a plain array, whose `slice` copies. */
export function withoutBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

export function splitIntoChunks(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, n) =>
    bytes.subarray(n * chunkBytes, (n + 1) * chunkBytes),
  )
}
