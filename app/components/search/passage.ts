import { isWeb, placeInFile } from '../../../contract/place-in-file'
import type { FragmentView } from '../../../contract/views/fragment'
import { paths } from '../../paths'

/** A fragment's address as a person reads it, with the place in a file. */
export function placeOf({ url, link }: { url: string; link: string }): string {
  return [isWeb(url) ? shortAddress(url) : url, placeInFile(link)].filter(Boolean).join(', ')
}

/** Where members see what was read of a passage's file; null for one of the web, or where its address is not told. */
export function dashboardPath({ url, address_id, collection_id }: FragmentView): string | null {
  return isWeb(url) || !address_id || !collection_id ? null : paths.addressFragments(collection_id, address_id)
}

/** How many of a passage's words are put into its link. */
const words = 8

/**
 * The fragment's link with a text fragment, so that the browser scrolls to the passage itself and marks it: to the line
 * that holds most of what was `asked` for, and to the first one where none does.
 */
export function passageLink(link: string, content: string, asked = ''): string {
  if (!isWeb(link)) return '#'
  const text = directiveTo(placeIn(content, wordsOf(asked)))
  if (!text) return link
  return link.includes('#') ? `${link}:~:text=${text}` : `${link}#:~:text=${text}`
}

/** The line to show: of those with the most words asked for the first one that is more than a name or a number. */
function placeIn(content: string, asked: Set<string>): string {
  const lines = content.split('\n')
  const held = lines.map((line) => [...wordsOf(line)].filter((word) => asked.has(word)).length)
  const most = Math.max(...held)
  const best = lines.filter((_, at) => held[at] === most)
  return best.find((line) => plain(line).split(' ').length >= 4) ?? (most > 0 ? best : lines)[0] ?? ''
}

/** The first words of a line; of a row of a table its first cell in front of the next, which are no text in one piece. */
function directiveTo(line: string): string {
  const [first = '', next] = line
    .split(' | ')
    .map((cell) => encoded(plain(cell)))
    .filter((cell) => cell !== '')
  return next ? `${first},-${next}` : first
}

/** As they stand on the page: without the marks of headings, lists, code and emphasis. */
function encoded(text: string): string {
  // A hyphen has a meaning of its own in a text directive.
  return encodeURIComponent(text.split(' ').slice(0, words).join(' ')).replaceAll('-', '%2D')
}

/** Those that tell something: small words stand in every line. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}|\p{N}+/gu))
}

function plain(line: string): string {
  return line
    .replace(/^[#>\-*+\s]+|^\d+[.)]\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** An address as a person reads it. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
}
