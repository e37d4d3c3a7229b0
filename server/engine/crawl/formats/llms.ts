import { crawlLimits } from '../../limits'
import { normalizeAddress } from '../urls/urls'

/** The part of an llms.txt that is read; it is a table of contents, not the contents. */
const longestText = 1024 * 1024

/**
 * Addresses that an llms.txt links to in its Markdown (llmstxt.org), normalized, each once, in order, of as many links as
 * are taken from one page. `base` is the address of the file. None of what starts like HTML: a site that has no such file
 * often answers with a page.
 */
export function linksOfLlmsText(text: string, base: string): string[] {
  const links = new Set<string>()
  if (/^[\s\ufeff]*</.test(text)) return []
  const read = text.slice(0, longestText)
  let left = crawlLimits.linksPerPage
  for (let at = read.indexOf(']('); at >= 0 && left > 0; at = read.indexOf('](', at + 2), left--) {
    const target = targetAt(read, at + 2)
    const address = target === '' || target.startsWith('#') ? null : normalizeAddress(target, base)
    if (address !== null) links.add(address)
  }
  return [...links]
}

/** What stands between the brackets of a link, without its title; '' where they do not close on the line. */
function targetAt(text: string, start: number): string {
  const longest = Math.min(text.length, start + crawlLimits.urlLength + 2)
  const isQuoted = text[start] === '<'
  let open = 0
  for (let at = start; at < longest; at++) {
    const sign = text[at]
    if (sign === '\n') return ''
    if (isQuoted) {
      if (sign === '>') return text.slice(start + 1, at)
    } else if (sign === ' ' || sign === '\t') return text.slice(start, at)
    else if (sign === '(') open++
    else if (sign === ')' && open-- === 0) return text.slice(start, at)
  }
  return ''
}
