import { isWeb } from './place-in-file'

/** A passage as a link needs it. */
export interface LinkedPassage {
  text: string
  /** Ranges of the text that match the query. */
  highlights: [start: number, end: number][]
}

/** A longer line is linked by its first and its last words. */
const maxLinkWords = 9
const edgeWords = 4
/** Characters of a link, where a script has no spaces between words. */
const maxEdgeLength = 60
const enoughWords = 4
/** Marks of emphasis, but not the underscores of a name such as snake_case or __init__. */
const emphasis = /(^|[^\p{L}\p{N}*])(\*{1,3})(?=\S)(.*?\S)\2(?![\p{L}\p{N}*])/gu
const ellipses = /^… | …$/g

/**
 * Adds a text directive (`:~:text=`) to the link of a web page, so that the browser scrolls to the passage and highlights
 * it: to the line with the most matches, and without any to the first one that has at least four words. Other links, such
 * as those of files, and links to a page of a PDF are returned unchanged.
 */
export function passageLink(link: string, { text, highlights }: LinkedPassage): string {
  if (!isWeb(link) || /#(page|row|sheet)=/.test(link)) return link
  const directive = textDirective(bestLine(text, highlights))
  if (!directive) return link
  return link.includes('#') ? `${link}:~:text=${directive}` : `${link}#:~:text=${directive}`
}

/** The line with the most highlights. Among equals, the first one with at least four words. */
function bestLine(text: string, highlights: LinkedPassage['highlights']): string {
  let start = 0
  const lines = text.split('\n').map((line) => {
    const from = start
    start += line.length + 1
    return { line, matches: highlights.filter(([index]) => index >= from && index < start).length }
  })
  const most = Math.max(...lines.map(({ matches }) => matches))
  const best = lines.flatMap(({ line, matches }) => (matches === most ? line : []))
  return best.find((line) => plainText(line).split(' ').length >= enoughWords) ?? best[0] ?? ''
}

/** A whole line if it is short, otherwise its ends. In a table row, its first cell before the second one. */
function textDirective(line: string): string {
  const [first = '', next] = line
    .split(' | ')
    .map(plainText)
    .filter((cell) => cell !== '')
  if (next !== undefined) return `${encode(firstWords(first))},-${encode(firstWords(next))}`
  const words = first.split(' ')
  if (words.length <= maxLinkWords) return encode(firstWords(first, maxLinkWords))
  return `${encode(firstWords(first))},${encode(lastWords(words))}`
}

/** The first words, as many as fit. A script without spaces is cut by characters, since a directive matches whole words elsewhere. */
function firstWords(text: string, count = edgeWords): string {
  const words = text.split(' ').slice(0, count)
  while (words.length > 1 && words.join(' ').length > maxEdgeLength) words.pop()
  return [...words.join(' ')].slice(0, maxEdgeLength).join('')
}

function lastWords(all: string[]): string {
  const words = all.slice(-edgeWords)
  while (words.length > 1 && words.join(' ').length > maxEdgeLength) words.shift()
  return [...words.join(' ')].slice(-maxEdgeLength).join('')
}

/** A hyphen, a comma and an ampersand are syntax in a text directive. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('-', '%2D')
}

/** The text as it appears on the page, without the Markdown syntax of headings, lists, code and emphasis. */
function plainText(line: string): string {
  return line
    .replace(ellipses, '')
    .replace(/^[#>\-*+\s]+|^\d+[.)]\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`|]+/g, '')
    .replace(emphasis, '$1$3')
    .replace(/\s+/g, ' ')
    .trim()
}
