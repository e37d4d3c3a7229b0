/**
 * Returns the encoding of XML by its first bytes, as TextDecoder names it: by the byte order mark, zero bytes around
 * the first character, or the declaration; UTF-8 without any.
 */
export function xmlEncodingOf(start: Uint8Array): string {
  const [first, second] = start
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  const head = new TextDecoder('latin1').decode(start.subarray(0, 256))
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1]
  // Text readable as ASCII is not UTF-16, whatever it declares.
  if (declared === undefined || /^(utf|ucs|iso-10646)/i.test(declared)) return 'utf-8'
  try {
    return new TextDecoder(declared).encoding
  } catch {
    return 'utf-8'
  }
}
