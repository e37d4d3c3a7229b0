import { isWeb, placeInFile } from '../../../contract/texts/place-in-file'
import type { FragmentView } from '../../../contract/views/fragment'
import { paths } from '../../paths'

/** A short address for people, with the place in a file: 'lamps.pdf, page 12'. */
export function placeOf({ url, link }: { url: string; link: string }): string {
  return [isWeb(url) ? shortAddress(url) : url, placeInFile(link)].filter(Boolean).join(', ')
}

/** The dashboard's page with a file's fragments; null for web pages, and without the ids that the path needs. */
export function dashboardPath({ url, address_id, collection_id }: FragmentView): string | null {
  return isWeb(url) || !address_id || !collection_id ? null : paths.addressFragments(collection_id, address_id)
}

/** How many words of a passage go into its link. */
const maxLinkWords = 8

/**
 * Adds a text fragment (`:~:text=`) to the link, so that the browser scrolls to the passage and highlights it: to the line
 * with the most words of `query`, or to the first line if none matches.
 */
export function passageLink(link: string, content: string, query = ''): string {
  if (!isWeb(link)) return '#'
  const text = textDirective(bestLine(content, wordsOf(query)))
  if (!text) return link
  return link.includes('#') ? `${link}:~:text=${text}` : `${link}#:~:text=${text}`
}

/** The line with the most query words. Among equals, the first one with at least four words. */
function bestLine(content: string, queryWords: Set<string>): string {
  const lines = content.split('\n')
  const matches = lines.map((line) => [...wordsOf(line)].filter((word) => queryWords.has(word)).length)
  const maxMatches = Math.max(...matches)
  const best = lines.filter((_, index) => matches[index] === maxMatches)
  return best.find((line) => plainText(line).split(' ').length >= 4) ?? (maxMatches > 0 ? best : lines)[0] ?? ''
}

/** The first words of a line. In a table row, the first cell before the second one: cells are not contiguous text. */
function textDirective(line: string): string {
  const [first = '', next] = line
    .split(' | ')
    .map((cell) => encodeWords(plainText(cell)))
    .filter((cell) => cell !== '')
  return next ? `${first},-${next}` : first
}

function encodeWords(text: string): string {
  // A hyphen is syntax in a text directive.
  return encodeURIComponent(text.split(' ').slice(0, maxLinkWords).join(' ')).replaceAll('-', '%2D')
}

/** Words of at least four letters, and numbers: shorter words occur in every line. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}|\p{N}+/gu))
}

/** The text as it appears on the page, without the Markdown syntax of headings, lists, code and emphasis. */
function plainText(line: string): string {
  return line
    .replace(/^[#>\-*+\s]+|^\d+[.)]\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** An address without its scheme and trailing slash. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
}
