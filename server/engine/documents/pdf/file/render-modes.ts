import { constants, inflateSync } from 'node:zlib'
import { type PdfStream, streamsOf } from './objects'

/** Streams without text operators: images, font programs, object tables, metadata. */
const withoutText =
  /\/Subtype\s{0,9}\/(?:Image|Type1C|CIDFontType0C|OpenType|XML)\b|\/Length1\b|\/Type\s{0,9}\/(?:XRef|ObjStm)\b/
/** Decompressed bytes of one stream, and of all; more is not examined. */
const maxStreamBytes = 32 * 1024 * 1024
const maxTotalBytes = 128 * 1024 * 1024
/** Bytes before the operator that are examined. */
const maxOperandBytes = 12

/**
 * Whether a page may write invisible text (text rendering mode 3, ISO 32000-1, 9.3.6); true if that cannot be ruled out
 * cheaply. Listing what a page draws takes several times as long as reading its text.
 */
export function mayHideText(data: Buffer): boolean {
  if (data.includes('/Encrypt')) return true
  let remaining = maxTotalBytes
  for (const stream of streamsOf(data)) {
    if (withoutText.test(stream.dictionary)) continue
    const content = contentOf(data, stream)
    remaining -= content?.length ?? 0
    if (content === null || remaining < 0 || setsInvisible(content)) return true
  }
  return false
}

/** Returns null for a stream with another filter, a damaged one, or one that is too long. */
function contentOf(data: Buffer, { dictionary, start, end }: PdfStream): Buffer | null {
  const compressed = data.subarray(start, end)
  if (!/\/Filter\b|\/F\s{0,9}\//.test(dictionary)) return compressed
  if (!/\/Filter\s{0,9}(?:\/FlateDecode|\[\s{0,9}\/FlateDecode\s{0,9}\])/.test(dictionary)) return null
  try {
    return inflateSync(compressed, { maxOutputLength: maxStreamBytes, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return null
  }
}

function setsInvisible(content: Buffer): boolean {
  for (let index = content.indexOf('Tr'); index >= 0; index = content.indexOf('Tr', index + 2)) {
    if ((content[index - 1] ?? 0) > 32) continue
    const before = content.toString('latin1', Math.max(0, index - maxOperandBytes), index)
    // White space or a comment may separate the number from its operator.
    if (/(?:^|\D)0*3(?:\.0*)?\s+$|^\s+$|%/.test(before)) return true
  }
  return false
}
