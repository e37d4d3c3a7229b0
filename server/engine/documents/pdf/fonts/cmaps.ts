import { constants, inflateRawSync } from 'node:zlib'
import { fileLimits } from '../../../limits'
import { type PdfObjectUpdate, type PdfStream, streamsOf } from '../file/objects'
import { isKnownCMap } from '../pdfjs'

/** Limits: bytes by which a CMap is recognized, bytes of a CMap, bytes of all, streams, and changes. */
const sampleBytes = 1_024
const maxCMapBytes = 2 * 1024 * 1024
const maxTotalBytes = 64 * 1024 * 1024
const maxStreams = 20_000
const maxChanges = 200

interface CMapText {
  text: string
  /** The end of its compressed data is missing. */
  isTruncated: boolean
}

/**
 * Rewrites the CMaps of a file that pdfjs cannot read: those with truncated compressed data, those that refer to a CMap
 * of the file's own, and those with ranges of too many codes.
 */
export function patchCMaps(data: Buffer): PdfObjectUpdate[] {
  const changes: PdfObjectUpdate[] = []
  let examined = 0
  let remaining = maxTotalBytes
  for (const stream of streamsOf(data)) {
    if (/\/Subtype\b|\/Type\s{0,9}\/(?!CMap\b)|\/DecodeParms\b/.test(stream.dictionary)) continue
    if (++examined > maxStreams || remaining < 0 || changes.length === maxChanges) break
    const cmap = cmapOf(stream, data)
    if (cmap === null) continue
    remaining -= cmap.text.length
    const text = limitCodes(removeUnknownReferences(cmap.text))
    if (!cmap.isTruncated && text === cmap.text) continue
    const content = Buffer.from(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`, 'latin1')
    changes.push({ ...stream, content })
  }
  return changes
}

function cmapOf({ dictionary, start, end }: PdfStream, data: Buffer): CMapText | null {
  const filter = /\/Filter\s{0,9}(\/\w+|\[[^\]]{0,60}\])/.exec(dictionary)?.[1] ?? ''
  const isCompressed = /^\[?\s*\/(?:FlateDecode|Fl)\s*\]?$/.test(filter)
  if ((filter !== '' && !isCompressed) || end - start > maxCMapBytes) return null
  const bytes = data.subarray(start, end)
  const sample = isCompressed
    ? decompress(bytes.subarray(0, sampleBytes))?.text
    : bytes.toString('latin1', 0, sampleBytes)
  if (!sample || !/begincmap|Resource-CMap|\/CIDInit|begin(?:bf|cid)/.test(sample)) return null
  return isCompressed ? decompress(bytes) : { text: bytes.toString('latin1'), isTruncated: false }
}

/** Decompresses a stream as far as it goes; null for a damaged one. The checksum is ignored. */
function decompress(bytes: Buffer): CMapText | null {
  const body = bytes.subarray(2)
  try {
    return { text: inflateRawSync(body, { maxOutputLength: maxCMapBytes }).toString('latin1'), isTruncated: false }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR')) return null
  }
  try {
    const options = { maxOutputLength: maxCMapBytes, finishFlush: constants.Z_SYNC_FLUSH }
    return { text: inflateRawSync(body, options).toString('latin1'), isTruncated: true }
  } catch {
    return null
  }
}

/** Removes a reference to a CMap that pdfjs does not have, which would make it reject the whole CMap. */
function removeUnknownReferences(text: string): string {
  return text.replace(/\/([\w.-]{1,80})\s{1,9}usecmap\b/g, (use, name: string) => (isKnownCMap(name) ? use : ''))
}

/** Reduces ranges beyond the limit to their first code. */
function limitCodes(text: string): string {
  let remaining: number = fileLimits.pdf.codes
  let copied = 0
  let limited = ''
  for (const { low, high, at } of rangesOf(text)) {
    const codes = Math.max(0, codeOf(high) - codeOf(low))
    if (codes <= remaining) {
      remaining -= codes
      continue
    }
    limited += text.slice(copied, at) + low
    copied = at + high.length
  }
  return limited + text.slice(copied)
}

interface CodeRange {
  /** First code, in angle brackets. */
  low: string
  high: string
  /** The offset of `high`. */
  at: number
}

/** Yields the code ranges, except those that map to lists, which are as long as their lists. */
function* rangesOf(text: string): Generator<CodeRange> {
  let pending: { token: string; at: number }[] = []
  let isRange = false
  let isList = false
  for (const { 0: token, index: position } of text.matchAll(/<[\da-fA-F\s]{0,64}>|[[\]]|\d+|begin\w+|end\w+/g)) {
    const [low, high] = pending
    if (/^[be]/.test(token)) isRange = /^begin(?:bf|cid)range$/.test(token)
    else if (/^[[\]]/.test(token)) isList = token === '['
    else if (!isRange || isList) continue
    else if (!low || !high) {
      pending.push({ token, at: position })
      continue
    } else yield { low: low.token, high: high.token, at: high.at }
    pending = []
  }
}

/** Returns a code as pdfjs does: its last four bytes. */
function codeOf(token: string): number {
  return Number.parseInt(token.replace(/[<>\s]/g, '').slice(-8) || '0', 16)
}
