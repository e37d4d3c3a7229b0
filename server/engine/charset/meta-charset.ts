/**
 * Bytes searched for a declaration. The HTML standard (13.2.3.2) prescans 1,024, and changes the encoding at a later
 * meta element.
 */
const prescanBytes = 16 * 1024

/**
 * Returns the encoding that a page's meta elements or its XML declaration declare, found as the HTML standard does; the
 * standard's name in lower case, null without one. UTF-16 means UTF-8, since a readable meta element is not UTF-16;
 * x-user-defined means windows-1252.
 */
export function declaredEncoding(body: Uint8Array): string | null {
  const text = new TextDecoder('latin1').decode(body.subarray(0, prescanBytes))
  const [, declared] = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]+)["']/.exec(text) ?? []
  return declaredInMeta(text) ?? (declared === undefined ? null : asInPage(encodingForLabel(declared)))
}

/** Returns the standard's name of an encoding for one of its labels; null for unknown ones. */
export function encodingForLabel(label: string): string | null {
  // The decoder of Node 24 has an encoding of this name, that of Node 20 has none.
  if (/^\s*x-user-defined\s*$/i.test(label)) return 'windows-1252'
  try {
    return new TextDecoder(label.trim()).encoding
  } catch {
    return null
  }
}

/** Returns the charset parameter of a Content-Type, in a header or a meta element. */
export function charsetOf(contentType: string): string | null {
  for (const { index } of contentType.matchAll(/charset/gi)) {
    const rest = contentType.slice(index + 'charset'.length)
    const [sign, , quoted, single, plain] = /^\s*=\s*("([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/.exec(rest) ?? []
    if (sign !== undefined) return encodingForLabel(quoted ?? single ?? plain ?? '')
    // An equals sign without a value ends the search; a longer word that starts with charset does not.
    if (/^\s*=/.test(rest)) return null
  }
  return null
}

function declaredInMeta(text: string): string | null {
  let position = text.indexOf('<')
  while (position >= 0) {
    let next = position + 1
    if (text.startsWith('<!--', position)) {
      const end = text.indexOf('-->', position + 2)
      next = end < 0 ? text.length : end + 3
    } else if (/^<\/?[a-z]/i.test(text.slice(position, position + 3))) {
      const tag = readTag(text, position)
      if (tag === null) return null
      const named = tag.isMeta ? encodingOfMeta(tag.attributes) : null
      if (named !== null) return named
      next = tag.end
    } else if (/^<[!/?]/.test(text.slice(position, position + 2))) {
      const end = text.indexOf('>', position)
      next = end < 0 ? text.length : end + 1
    }
    position = text.indexOf('<', next)
  }
  return null
}

/**
 * Reads the name and the attributes of a tag in lower case, the first of each name; null if the text ends within it.
 */
function readTag(
  text: string,
  start: number,
): { isMeta: boolean; attributes: Map<string, string>; end: number } | null {
  const isMeta = /^<meta[\s/]/i.test(text.slice(start, start + 6))
  const attributes = new Map<string, string>()
  const nameEnd = /[\s/>]/g
  nameEnd.lastIndex = start + 1 + Number(text[start + 1] === '/')
  let position = (nameEnd.exec(text) ?? { index: text.length }).index
  const attribute =
    /[\s/]*(?:(>)|([^\s/>]?[^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*|(?=>)))|(?=[\s/>])))/y
  while (position < text.length) {
    attribute.lastIndex = position
    const [match = '', end, name = '', double, single, plain] = attribute.exec(text) ?? []
    if (match === '') return null
    position += match.length
    if (end !== undefined) return { isMeta, attributes, end: position }
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, (double ?? single ?? plain ?? '').toLowerCase())
  }
  return null
}

function encodingOfMeta(attributes: Map<string, string>): string | null {
  const charset = attributes.get('charset')
  if (charset !== undefined) return asInPage(encodingForLabel(charset))
  if (attributes.get('http-equiv') !== 'content-type') return null
  return asInPage(charsetOf(attributes.get('content') ?? ''))
}

function asInPage(encoding: string | null): string | null {
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding
}
