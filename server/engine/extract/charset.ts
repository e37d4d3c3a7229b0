/**
 * Decodes an HTML page: byte order mark, then the header's charset, then a meta element in the first 2,048 bytes. Without
 * any, or with one that does not exist, UTF-8; where that is not valid, windows-1252, as browsers assume.
 */
export function decodeHtml(body: Uint8Array, contentType: string): string {
  const named = markOf(body) ?? charsetIn(contentType) ?? charsetIn(headOf(body))
  const decoder = named ? decoderFor(named) : null
  if (decoder && decoder.encoding !== 'utf-8') return decode(decoder, body)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    // A page that says UTF-8 and has a stray byte is still UTF-8.
    return decode(new TextDecoder(decoder ? 'utf-8' : 'windows-1252'), body)
  }
}

/** What windows-1252 has at 0x80 to 0x9f; a full stop in the middle is a place that it leaves as it is. */
const windowsSigns = '€·‚ƒ„…†‡ˆ‰Š‹Œ·Ž··‘’“”•–—˜™š›œ·žŸ'

function decode(decoder: TextDecoder, body: Uint8Array): string {
  const text = decoder.decode(body)
  if (decoder.encoding !== 'windows-1252') return text
  // Some versions of Node decode this as ISO-8859-1, which has control characters there.
  return text.replace(/[\x80-\x9f]/g, (sign) => {
    const meant = windowsSigns[sign.charCodeAt(0) - 0x80]
    return meant === undefined || meant === '·' ? sign : meant
  })
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return null
}

function charsetIn(text: string): string | null {
  return /charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(text)?.[1]?.toLowerCase() ?? null
}

/** The meta elements of the head; a page that can be read this far is no UTF-16, whatever it says. */
function headOf(body: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(body.subarray(0, 2048))
  const meta = head.match(/<meta\s[^>]*charset[^>]*>/i)?.[0] ?? ''
  return meta.replace(/utf-16(le|be)?/i, 'utf-8')
}

function decoderFor(name: string): TextDecoder | null {
  try {
    return new TextDecoder(name)
  } catch {
    return null
  }
}
