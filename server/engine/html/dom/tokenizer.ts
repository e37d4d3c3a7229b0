import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'

/** The attributes that reading a page asks for. */
const wanted = new Map(
  'id class style hidden role aria-hidden aria-controls aria-expanded lang name property http-equiv content itemprop rel type href hreflang src alt start value datetime data-lang data-language rowspan colspan'
    .split(' ')
    .map((name) => [name, name]),
)
const longestWanted = Math.max(...[...wanted.keys()].map((name) => name.length))
const none: string[] = []

const quotes = { double: 34, single: 39 }
const slash = 47
const equals = 61
const greater = 62

export interface TagReader {
  /** Of the tag that was read last. */
  name: string
  /** Name and value by turns. */
  attributes: string[]
  closesItself: boolean
  /** Reads the tag whose name starts here; answers the place behind it. */
  read(start: number): number
}

/** Reads the tags of a page. One that is never closed takes all that is left. `more` names attributes to keep besides. */
export function createTagReader(html: string, more: readonly string[] = []): TagReader {
  const kept = more.length === 0 ? wanted : new Map([...wanted, ...more.map((name) => [name, name] as const)])
  const longest = Math.max(longestWanted, ...more.map((name) => name.length))
  const reader: TagReader = { name: '', attributes: none, closesItself: false, read }
  const length = html.length

  function read(start: number): number {
    let at = endOfName(start)
    reader.name = html.slice(start, at).toLowerCase()
    reader.attributes = none
    reader.closesItself = false
    while (at < length) {
      const code = html.charCodeAt(at)
      if (code === greater) {
        reader.closesItself = html.charCodeAt(at - 1) === slash
        return at + 1
      }
      at = code <= 32 || code === slash ? at + 1 : readAttribute(at)
    }
    return length
  }

  function readAttribute(start: number): number {
    // A name may start with an equals sign, but not hold one.
    const nameEnd = endOfAttributeName(start + 1)
    let at = skipSpace(nameEnd)
    if (html.charCodeAt(at) !== equals) {
      keep(start, nameEnd, 0, 0)
      return at
    }
    at = skipSpace(at + 1)
    const code = html.charCodeAt(at)
    if (code !== quotes.double && code !== quotes.single) {
      const end = endOfBare(at)
      keep(start, nameEnd, at, end)
      return end
    }
    const close = html.indexOf(code === quotes.double ? '"' : "'", at + 1)
    if (close < 0) return length
    keep(start, nameEnd, at + 1, close)
    return close + 1
  }

  function keep(start: number, nameEnd: number, from: number, to: number): void {
    if (nameEnd - start > longest) return
    // The one string of its name, which is compared faster.
    const name = kept.get(html.slice(start, nameEnd).toLowerCase())
    if (name === undefined) return
    const source = html.slice(from, to)
    const value = source.includes('&') ? decodeHTMLAttribute(source) : source
    if (reader.attributes === none) reader.attributes = [name, value]
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

  function endOfBare(at: number): number {
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

/** Where the end tag of an element stands that holds only characters; the end of the page when it is missing. */
export function startOfEndTag(html: string, name: string, start: number): number {
  for (let at = html.indexOf('</', start); at >= 0; at = html.indexOf('</', at + 2)) {
    const end = at + 2 + name.length
    const isWhole = end >= html.length || endsName(html.charCodeAt(end))
    if (isWhole && html.slice(at + 2, end).toLowerCase() === name) return at
  }
  return html.length
}

/** The place behind a comment, a document type or a processing instruction that starts here. */
export function endOfComment(html: string, start: number): number {
  const isComment = html.startsWith('<!--', start)
  const end = isComment ? html.indexOf('-->', start + 2) : html.indexOf('>', start)
  if (end < 0) return html.length
  return isComment ? end + 3 : end + 1
}

export function decodeText(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text
}
