import { constants, inflateRawSync } from 'node:zlib'
import { fileLimits } from '../../../limits'
import { type PdfChange, type PdfStream, streamsOf } from '../file/objects'
import { isKnownCMap } from '../pdfjs'

/** Bytes of a stream by which a CMap is told; larger ones are not looked at, nor more than so many together. */
const sampled = 1_024
const largest = 2 * 1024 * 1024
const together = 64 * 1024 * 1024
const mostStreams = 20_000
const mostChanges = 200

interface CMapText {
  text: string
  /** Its compressed bytes lack their end. */
  isCut: boolean
}

/**
 * The tables of character codes (CMaps) of a file that pdfjs cannot read, in a form in which it can: those whose compressed
 * bytes lack their end, those that build on a table of the file's own, and those with ranges of more codes than memory holds.
 */
export function changedCMaps(data: Buffer): PdfChange[] {
  const changes: PdfChange[] = []
  let looked = 0
  let left = together
  for (const stream of streamsOf(data)) {
    if (/\/Subtype\b|\/Type\s{0,9}\/(?!CMap\b)|\/DecodeParms\b/.test(stream.dictionary)) continue
    if (++looked > mostStreams || left < 0 || changes.length === mostChanges) break
    const cmap = cmapOf(stream, data)
    if (cmap === null) continue
    left -= cmap.text.length
    const text = withFewCodes(withoutUnknown(cmap.text))
    if (!cmap.isCut && text === cmap.text) continue
    const content = Buffer.from(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`, 'latin1')
    changes.push({ ...stream, content })
  }
  return changes
}

function cmapOf({ dictionary, start, end }: PdfStream, data: Buffer): CMapText | null {
  const filter = /\/Filter\s{0,9}(\/\w+|\[[^\]]{0,60}\])/.exec(dictionary)?.[1] ?? ''
  const isPacked = /^\[?\s*\/(?:FlateDecode|Fl)\s*\]?$/.test(filter)
  if ((filter !== '' && !isPacked) || end - start > largest) return null
  const bytes = data.subarray(start, end)
  const sample = isPacked ? unpacked(bytes.subarray(0, sampled))?.text : bytes.toString('latin1', 0, sampled)
  if (!sample || !/begincmap|Resource-CMap|\/CIDInit|begin(?:bf|cid)/.test(sample)) return null
  return isPacked ? unpacked(bytes) : { text: bytes.toString('latin1'), isCut: false }
}

/** What a compressed stream holds, up to where it is cut off; null for a damaged one. The sum at its end does not count. */
function unpacked(bytes: Buffer): CMapText | null {
  const body = bytes.subarray(2)
  try {
    return { text: inflateRawSync(body, { maxOutputLength: largest }).toString('latin1'), isCut: false }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR')) return null
  }
  try {
    const options = { maxOutputLength: largest, finishFlush: constants.Z_SYNC_FLUSH }
    return { text: inflateRawSync(body, options).toString('latin1'), isCut: true }
  } catch {
    return null
  }
}

/** Without the reference to a CMap that pdfjs has not, for which it would refuse all of it. */
function withoutUnknown(text: string): string {
  return text.replace(/\/([\w.-]{1,80})\s{1,9}usecmap\b/g, (use, name: string) => (isKnownCMap(name) ? use : ''))
}

/** Ranges behind the limit lead from their first code to their first code. */
function withFewCodes(text: string): string {
  let left: number = fileLimits.pdf.codes
  let copied = 0
  let kept = ''
  for (const { low, high, at } of rangesOf(text)) {
    const codes = Math.max(0, codeOf(high) - codeOf(low))
    if (codes <= left) {
      left -= codes
      continue
    }
    kept += text.slice(copied, at) + low
    copied = at + high.length
  }
  return kept + text.slice(copied)
}

interface CodeRange {
  /** In angle brackets. */
  low: string
  high: string
  /** Where `high` stands. */
  at: number
}

/** The ranges of codes, without those that lead to a list, which are as long as it. */
function* rangesOf(text: string): Generator<CodeRange> {
  let before: { token: string; at: number }[] = []
  let isRange = false
  let isList = false
  for (const { 0: token, index: at } of text.matchAll(/<[\da-fA-F\s]{0,64}>|[[\]]|\d+|begin\w+|end\w+/g)) {
    const [low, high] = before
    if (/^[be]/.test(token)) isRange = /^begin(?:bf|cid)range$/.test(token)
    else if (/^[[\]]/.test(token)) isList = token === '['
    else if (!isRange || isList) continue
    else if (!low || !high) {
      before.push({ token, at })
      continue
    } else yield { low: low.token, high: high.token, at: high.at }
    before = []
  }
}

/** pdfjs reads the last four bytes. */
function codeOf(token: string): number {
  return Number.parseInt(token.replace(/[<>\s]/g, '').slice(-8) || '0', 16)
}
