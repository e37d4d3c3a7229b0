import { decodeAs } from './decoders'
import { detectEncoding } from './detect-charset'
import { charsetOf, declaredEncoding } from './meta-charset'

/** Characters of several bytes that make UTF-8 certain: two or three valid ones occur in short texts of GBK. */
const minUtf8Characters = 8

/**
 * Decodes an HTML page. The encoding is, in this order, that of a byte order mark, the header's charset, and the one
 * that the page declares. Without any, or if a page that declares UTF-8 is not, it is UTF-8 if valid, else it is
 * detected. A page that declares another encoding, and is valid UTF-8 with several characters beyond ASCII, is UTF-8.
 * Null characters are removed.
 */
export function decodeHtml(body: Uint8Array, contentType: string): string {
  const text = decodeAs(encodingOf(body, contentType), body)
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/** Returns the encoding of a page, by the standard's name in lower case. */
export function encodingOf(body: Uint8Array, contentType: string): string {
  const byMark = bomEncoding(body)
  if (byMark !== null) return byMark
  const fromHeader = charsetOf(contentType)
  // Text readable as ASCII is not UTF-16, whatever the header says.
  const declared =
    (fromHeader?.startsWith('utf-16') && !body.subarray(0, 1024).includes(0) ? null : fromHeader) ??
    declaredEncoding(body)
  if (declared !== null && declared !== 'utf-8') return isClearlyUtf8(body) ? 'utf-8' : declared
  return (
    iso2022Encoding(body) ??
    utf16Encoding(body) ??
    (isUtf8(body, declared === 'utf-8') ? 'utf-8' : detectEncoding(body))
  )
}

/**
 * Returns the encoding of text that declares none: that of its byte order mark, UTF-8 if valid, else the detected one.
 */
export function encodingOfText(body: Uint8Array): string {
  return (
    bomEncoding(body) ??
    iso2022Encoding(body) ??
    utf16Encoding(body) ??
    (isUtf8(body, false) ? 'utf-8' : detectEncoding(body))
  )
}

function bomEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

/** ISO-2022-JP is ASCII with escape sequences for Japanese. */
function iso2022Encoding(body: Uint8Array): string | null {
  const start = body.indexOf(0x1b)
  if (start < 0 || body[start + 1] !== 0x24) return null
  return body[start + 2] === 0x40 || body[start + 2] === 0x42 ? 'iso-2022-jp' : null
}

/** Detects UTF-16 without a byte order mark: every other byte of ASCII characters is zero. */
function utf16Encoding(body: Uint8Array): string | null {
  const sample = body.subarray(0, 1024)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) < sample.length / 10 || Math.min(even, odd) > sample.length / 100) return null
  return even > odd ? 'utf-16be' : 'utf-16le'
}

/** Whether a body is valid UTF-8 with enough non-ASCII characters to rule out a coincidence. */
function isClearlyUtf8(body: Uint8Array): boolean {
  let characters = 0
  for (const byte of body) if (byte >= 0xc2 && ++characters >= minUtf8Characters) return isUtf8(body, false)
  return false
}

/**
 * Whether a body is UTF-8. With `isDeclared`, tolerates one stray byte, and text whose non-ASCII characters are mostly
 * valid.
 */
function isUtf8(body: Uint8Array, isDeclared: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body)
    return true
  } catch {
    if (!isDeclared) return false
  }
  const text = new TextDecoder().decode(body.subarray(0, 256 * 1024))
  let broken = 0
  let valid = 0
  for (const character of text) {
    if (character === '\ufffd') broken++
    else if (character > '\x7f') valid++
  }
  return broken <= 1 || valid >= 2 * broken
}
