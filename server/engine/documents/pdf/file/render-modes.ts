import { constants, inflateSync } from 'node:zlib'
import { type PdfStream, streamsOf } from './objects'

/** Streams that write no text: images, programs of fonts, tables of objects, data about the file. */
const withoutText =
  /\/Subtype\s{0,9}\/(?:Image|Type1C|CIDFontType0C|OpenType|XML)\b|\/Length1\b|\/Type\s{0,9}\/(?:XRef|ObjStm)\b/
/** Bytes of a stream, and of all of them, unpacked; what is longer is not looked into. */
const longest = 32 * 1024 * 1024
const longestInAll = 128 * 1024 * 1024
/** Bytes in front of the operator. */
const longestNumber = 12

/**
 * Whether a page of the file may write text in a mode in which nobody sees it (ISO 32000-1, 9.3.6); true where that cannot
 * be told without reading it. To list what a page draws takes several times as long as its text.
 */
export function mayHideText(data: Buffer): boolean {
  if (data.includes('/Encrypt')) return true
  let left = longestInAll
  for (const stream of streamsOf(data)) {
    if (withoutText.test(stream.dictionary)) continue
    const content = contentOf(data, stream)
    left -= content?.length ?? 0
    if (content === null || left < 0 || setsInvisible(content)) return true
  }
  return false
}

/** Null for one that is packed in another way, damaged or too long. */
function contentOf(data: Buffer, { dictionary, start, end }: PdfStream): Buffer | null {
  const packed = data.subarray(start, end)
  if (!/\/Filter\b|\/F\s{0,9}\//.test(dictionary)) return packed
  if (!/\/Filter\s{0,9}(?:\/FlateDecode|\[\s{0,9}\/FlateDecode\s{0,9}\])/.test(dictionary)) return null
  try {
    return inflateSync(packed, { maxOutputLength: longest, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return null
  }
}

function setsInvisible(content: Buffer): boolean {
  for (let at = content.indexOf('Tr'); at >= 0; at = content.indexOf('Tr', at + 2)) {
    if ((content[at - 1] ?? 0) > 32) continue
    const before = content.toString('latin1', Math.max(0, at - longestNumber), at)
    // Blanks or a remark may stand between the number and its operator.
    if (/(?:^|\D)0*3(?:\.0*)?\s+$|^\s+$|%/.test(before)) return true
  }
  return false
}
