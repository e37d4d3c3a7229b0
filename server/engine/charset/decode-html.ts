import { decodeAs } from './decoders'
import { detectEncoding } from './detect-charset'
import { charsetIn, namedInPage } from './meta-charset'

/**
 * Decodes an HTML page: byte order mark, then the header's charset, then what the page names itself. Without any, or
 * where a page that calls itself UTF-8 is not, UTF-8 if it is valid, and else the encoding in which the page makes the
 * most sense. Zeros are left out.
 */
export function decodeHtml(body: Uint8Array, contentType: string): string {
  const text = decodeAs(encodingOf(body, contentType), body)
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/** The standard's name of a page's encoding, in lower case. */
export function encodingOf(body: Uint8Array, contentType: string): string {
  const marked = markOf(body)
  if (marked !== null) return marked
  const inHeader = charsetIn(contentType)
  // A page that can be read as ASCII is no UTF-16, whatever its server says.
  const named =
    (inHeader?.startsWith('utf-16') && !body.subarray(0, 1024).includes(0) ? null : inHeader) ?? namedInPage(body)
  if (named !== null && named !== 'utf-8') return named
  return inSevenBits(body) ?? inPairs(body) ?? (isUtf8(body, named === 'utf-8') ? 'utf-8' : detectEncoding(body))
}

/** The encoding of text that names none: its mark, else UTF-8 if it is valid, else in what it makes the most sense. */
export function encodingOfText(body: Uint8Array): string {
  return markOf(body) ?? inSevenBits(body) ?? inPairs(body) ?? (isUtf8(body, false) ? 'utf-8' : detectEncoding(body))
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

/** ISO-2022-JP is ASCII but for its escapes to Japanese. */
function inSevenBits(body: Uint8Array): string | null {
  const start = body.indexOf(0x1b)
  if (start < 0 || body[start + 1] !== 0x24) return null
  return body[start + 2] === 0x40 || body[start + 2] === 0x42 ? 'iso-2022-jp' : null
}

/** UTF-16 without a mark: every other byte of what is ASCII is zero. */
function inPairs(body: Uint8Array): string | null {
  const sample = body.subarray(0, 1024)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) < sample.length / 10 || Math.min(even, odd) > sample.length / 100) return null
  return even > odd ? 'utf-16be' : 'utf-16le'
}

/** `isNamed`: a page that says so is UTF-8 even with a stray byte, or where most of what is not ASCII is. */
function isUtf8(body: Uint8Array, isNamed: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body)
    return true
  } catch {
    if (!isNamed) return false
  }
  const text = new TextDecoder().decode(body.subarray(0, 256 * 1024))
  let broken = 0
  let whole = 0
  for (const sign of text) {
    if (sign === '\ufffd') broken++
    else if (sign > '\x7f') whole++
  }
  return broken <= 1 || whole >= 2 * broken
}
