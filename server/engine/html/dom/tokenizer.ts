import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'

/** Attributes that the extraction reads. */
const keptAttributes = new Map(
  'id class style hidden role aria-hidden aria-controls aria-expanded aria-label accesskey title lang name property http-equiv content itemprop itemtype rel type href hreflang src alt start value datetime data-lang data-language rowspan colspan'
    .split(' ')
    .map((name) => [name, name]),
)
const maxNameLength = Math.max(...[...keptAttributes.keys()].map((name) => name.length))
const noAttributes: string[] = []

const quotes = { double: 34, single: 39 }
const slash = 47
const equals = 61
const greater = 62

export interface TagReader {
  /** The last tag that was read. */
  name: string
  /** Names and values in turn. */
  attributes: string[]
  isSelfClosing: boolean
  /** Reads the tag whose name starts at `start`; returns the index after it. */
  read(start: number): number
}

/** Reads the tags of a page. A tag that is never closed extends to the end. `more` names further attributes to keep. */
export function createTagReader(html: string, more: readonly string[] = []): TagReader {
  const kept =
    more.length === 0 ? keptAttributes : new Map([...keptAttributes, ...more.map((name) => [name, name] as const)])
  const maxLength = Math.max(maxNameLength, ...more.map((name) => name.length))
  const reader: TagReader = { name: '', attributes: noAttributes, isSelfClosing: false, read }
  const length = html.length

  function read(start: number): number {
    let at = endOfName(start)
    reader.name = html.slice(start, at).toLowerCase()
    reader.attributes = noAttributes
    reader.isSelfClosing = false
    while (at < length) {
      const code = html.charCodeAt(at)
      if (code === greater) {
        reader.isSelfClosing = html.charCodeAt(at - 1) === slash
        return at + 1
      }
      at = code <= 32 || code === slash ? at + 1 : readAttribute(at)
    }
    return length
  }

  function readAttribute(start: number): number {
    // A name may start with an equals sign, but not contain one.
    const nameEnd = endOfAttributeName(start + 1)
    let at = skipSpace(nameEnd)
    if (html.charCodeAt(at) !== equals) {
      keep(start, nameEnd, 0, 0)
      return at
    }
    at = skipSpace(at + 1)
    const code = html.charCodeAt(at)
    if (code !== quotes.double && code !== quotes.single) {
      const end = endOfUnquoted(at)
      keep(start, nameEnd, at, end)
      return end
    }
    const close = html.indexOf(code === quotes.double ? '"' : "'", at + 1)
    if (close < 0) return length
    keep(start, nameEnd, at + 1, close)
    return close + 1
  }

  function keep(start: number, nameEnd: number, from: number, to: number): void {
    if (nameEnd - start > maxLength) return
    // Interned, so that comparisons are fast.
    const name = kept.get(html.slice(start, nameEnd).toLowerCase())
    if (name === undefined) return
    const source = html.slice(from, to)
    const value = source.includes('&') ? decodeHTMLAttribute(source) : source
    if (reader.attributes === noAttributes) reader.attributes = [name, value]
    else reader.attributes.push(name, value)
  }

  function endOfName(at: number): number {
    while (at < length && !endsName(html.charCodeAt(at))) at++
    return at
  }

  function endOfAttributeName(at: number): number {
    while (at < length && !endsName(html.charCodeAt(at)) && html.charCodeAt(at) !== equals) at++
    return at
  }

  function endOfUnquoted(at: number): number {
    while (at < length && html.charCodeAt(at) > 32 && html.charCodeAt(at) !== greater) at++
    return at
  }

  function skipSpace(at: number): number {
    while (at < length && html.charCodeAt(at) <= 32) at++
    return at
  }

  return reader
}

function endsName(code: number): boolean {
  return code <= 32 || code === slash || code === greater
}

/** Returns the index of the end tag of a raw text element; the end of the page if it is missing. */
export function startOfEndTag(html: string, name: string, start: number): number {
  for (let at = html.indexOf('</', start); at >= 0; at = html.indexOf('</', at + 2)) {
    const end = at + 2 + name.length
    const isComplete = end >= html.length || endsName(html.charCodeAt(end))
    if (isComplete && html.slice(at + 2, end).toLowerCase() === name) return at
  }
  return html.length
}

/** Returns the index after a comment, a document type or a processing instruction that starts at `start`. */
export function endOfComment(html: string, start: number): number {
  const isComment = html.startsWith('<!--', start)
  const end = isComment ? html.indexOf('-->', start + 2) : html.indexOf('>', start)
  if (end < 0) return html.length
  return isComment ? end + 3 : end + 1
}

export function decodeText(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text
}
