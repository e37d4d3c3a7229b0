import { isWeb, placeInFile } from '../../../contract/place-in-file'
import type { FragmentView } from '../../../contract/thread'
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

/** The fragment's link with a text fragment, so that the browser scrolls to the passage itself and marks it. */
export function passageLink(link: string, content: string): string {
  if (!isWeb(link)) return '#'
  const text = firstWords(content)
  if (!text) return link
  // A hyphen has a meaning of its own in a text directive.
  const directive = `:~:text=${encodeURIComponent(text).replaceAll('-', '%2D')}`
  return link.includes('#') ? `${link}${directive}` : `${link}#${directive}`
}

/** The passage's first words as they stand on the page: without the marks of headings, lists, code and emphasis. */
function firstWords(content: string): string {
  const line = content
    .split('\n')
    .map(plain)
    .find((one) => one.split(' ').length >= 4)
  return (line ?? plain(content.split('\n')[0] ?? '')).split(' ').slice(0, words).join(' ')
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
