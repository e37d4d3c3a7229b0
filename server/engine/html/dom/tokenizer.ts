import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'

/** Attributes that the extraction reads. */
const keptAttributes = new Map(
  'id class style hidden role aria-hidden aria-controls aria-expanded aria-label accesskey title lang name property http-equiv content itemprop itemtype rel type href xlink:href hreflang sizes src alt start value datetime data-lang data-language rowspan colspan'
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
    let position = endOfName(start)
    reader.name = html.slice(start, position).toLowerCase()
    reader.attributes = noAttributes
    reader.isSelfClosing = false
    while (position < length) {
      const code = html.charCodeAt(position)
      if (code === greater) {
        reader.isSelfClosing = html.charCodeAt(position - 1) === slash
        return position + 1
      }
      position = code <= 32 || code === slash ? position + 1 : readAttribute(position)
    }
    return length
  }

  function readAttribute(start: number): number {
    // A name may start with an equals sign, but not contain one.
    const nameEnd = endOfAttributeName(start + 1)
    let position = skipSpace(nameEnd)
    if (html.charCodeAt(position) !== equals) {
      keep(start, nameEnd, 0, 0)
      return position
    }
    position = skipSpace(position + 1)
    const code = html.charCodeAt(position)
    if (code !== quotes.double && code !== quotes.single) {
      const end = endOfUnquoted(position)
      keep(start, nameEnd, position, end)
      return end
    }
    const close = html.indexOf(code === quotes.double ? '"' : "'", position + 1)
    if (close < 0) return length
    keep(start, nameEnd, position + 1, close)
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

  function endOfName(position: number): number {
    while (position < length && !endsName(html.charCodeAt(position))) position++
    return position
  }

  function endOfAttributeName(position: number): number {
    while (position < length && !endsName(html.charCodeAt(position)) && html.charCodeAt(position) !== equals) position++
    return position
  }

  function endOfUnquoted(position: number): number {
    while (position < length && html.charCodeAt(position) > 32 && html.charCodeAt(position) !== greater) position++
    return position
  }

  function skipSpace(position: number): number {
    while (position < length && html.charCodeAt(position) <= 32) position++
    return position
  }

  return reader
}

function endsName(code: number): boolean {
  return code <= 32 || code === slash || code === greater
}

/** Returns the index of the end tag of a raw text element; the end of the page if it is missing. */
export function startOfEndTag(html: string, name: string, start: number): number {
  for (let index = html.indexOf('</', start); index >= 0; index = html.indexOf('</', index + 2)) {
    const end = index + 2 + name.length
    const isComplete = end >= html.length || endsName(html.charCodeAt(end))
    if (isComplete && html.slice(index + 2, end).toLowerCase() === name) return index
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
