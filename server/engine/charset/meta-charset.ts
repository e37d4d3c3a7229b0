/**
 * Bytes in which a page's encoding is looked for. The HTML standard (13.2.3.2) looks at 1,024 before it parses the page,
 * and changes its mind at a meta element that it meets later on.
 */
const prescanned = 16 * 1024

/**
 * The encoding that a page's meta elements name, as the HTML standard looks for it, or its XML
 * declaration; the standard's name in lower case, null without one. UTF-16 means UTF-8 here: a page whose meta element
 * can be read is no UTF-16. x-user-defined means windows-1252.
 */
export function namedInPage(body: Uint8Array): string | null {
  const text = new TextDecoder('latin1').decode(body.subarray(0, prescanned))
  const [, declared] = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]+)["']/.exec(text) ?? []
  return namedInMeta(text) ?? (declared === undefined ? null : asInPage(encodingNamed(declared)))
}

/** The standard's name of an encoding for one of its labels; null for what nothing can decode. */
export function encodingNamed(label: string): string | null {
  try {
    return new TextDecoder(label.trim()).encoding
  } catch {
    return /^\s*x-user-defined\s*$/i.test(label) ? 'windows-1252' : null
  }
}

/** The charset parameter in a Content-Type, in a header or in a meta element. */
export function charsetIn(contentType: string): string | null {
  for (const { index } of contentType.matchAll(/charset/gi)) {
    const rest = contentType.slice(index + 'charset'.length)
    const [sign, , quoted, single, plain] = /^\s*=\s*("([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/.exec(rest) ?? []
    if (sign !== undefined) return encodingNamed(quoted ?? single ?? plain ?? '')
    // An equals sign without a value ends the search, a word that only starts alike does not.
    if (/^\s*=/.test(rest)) return null
  }
  return null
}

function namedInMeta(text: string): string | null {
  let at = text.indexOf('<')
  while (at >= 0) {
    let next = at + 1
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 2)
      next = end < 0 ? text.length : end + 3
    } else if (/^<\/?[a-z]/i.test(text.slice(at, at + 3))) {
      const tag = readTag(text, at)
      if (tag === null) return null
      const named = tag.isMeta ? ofMeta(tag.attributes) : null
      if (named !== null) return named
      next = tag.end
    } else if (/^<[!/?]/.test(text.slice(at, at + 2))) {
      const end = text.indexOf('>', at)
      next = end < 0 ? text.length : end + 1
    }
    at = text.indexOf('<', next)
  }
  return null
}

/** Name and attributes of a tag, lower case, the first of each name; null where the text ends within it. */
function readTag(
  text: string,
  start: number,
): { isMeta: boolean; attributes: Map<string, string>; end: number } | null {
  const isMeta = /^<meta[\s/]/i.test(text.slice(start, start + 6))
  const attributes = new Map<string, string>()
  const nameEnd = /[\s/>]/g
  nameEnd.lastIndex = start + 1 + Number(text[start + 1] === '/')
  let at = (nameEnd.exec(text) ?? { index: text.length }).index
  const attribute =
    /[\s/]*(?:(>)|([^\s/>]?[^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*|(?=>)))|(?=[\s/>])))/y
  while (at < text.length) {
    attribute.lastIndex = at
    const [whole = '', end, name = '', double, single, plain] = attribute.exec(text) ?? []
    if (whole === '') return null
    at += whole.length
    if (end !== undefined) return { isMeta, attributes, end: at }
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, (double ?? single ?? plain ?? '').toLowerCase())
  }
  return null
}

function ofMeta(attributes: Map<string, string>): string | null {
  const charset = attributes.get('charset')
  if (charset !== undefined) return asInPage(encodingNamed(charset))
  if (attributes.get('http-equiv') !== 'content-type') return null
  return asInPage(charsetIn(attributes.get('content') ?? ''))
}

function asInPage(encoding: string | null): string | null {
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding
}
