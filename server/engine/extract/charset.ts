/**
 * Decodes an HTML page: byte order mark, then the header's charset, then a meta element in the first 2,048 bytes. Without
 * any, or with one that does not exist, UTF-8; where that is not valid, windows-1252, as browsers assume.
 */
export function decodeHtml(body: Uint8Array, contentType: string): string {
  const named = markOf(body) ?? charsetIn(contentType) ?? charsetIn(headOf(body))
  const decoder = named ? decoderFor(named) : null
  if (decoder && decoder.encoding !== 'utf-8') return decoder.decode(body)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    // A page that says UTF-8 and has a stray byte is still UTF-8.
    return new TextDecoder(decoder ? 'utf-8' : 'windows-1252').decode(body)
  }
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
