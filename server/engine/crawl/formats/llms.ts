import { crawlLimits } from '../../limits'
import { normalizeAddress } from '../urls/urls'

/** Maximum length of an llms.txt, in characters. It is a table of contents. */
const maxTextLength = 1024 * 1024

/**
 * URLs that an llms.txt links to in its Markdown (llmstxt.org): normalized, unique, in order, from the first
 * `crawlLimits.linksPerPage` links. `base` is the URL of the file. Empty for HTML, which sites without the file often
 * answer with.
 */
export function linksInLlmsTxt(text: string, base: string): string[] {
  const links = new Set<string>()
  if (/^[\s\ufeff]*</.test(text)) return []
  const markdown = text.slice(0, maxTextLength)
  let remaining = crawlLimits.linksPerPage
  for (
    let index = markdown.indexOf('](');
    index >= 0 && remaining > 0;
    index = markdown.indexOf('](', index + 2), remaining--
  ) {
    const target = targetAt(markdown, index + 2)
    const address = target === '' || target.startsWith('#') ? null : normalizeAddress(target, base)
    if (address !== null) links.add(address)
  }
  return [...links]
}

/** The target of a link without its title; '' where the parenthesis does not close on the line. */
function targetAt(text: string, start: number): string {
  const end = Math.min(text.length, start + crawlLimits.urlLength + 2)
  const isQuoted = text[start] === '<'
  let open = 0
  for (let index = start; index < end; index++) {
    const sign = text[index]
    if (sign === '\n') return ''
    if (isQuoted) {
      if (sign === '>') return text.slice(start + 1, index)
    } else if (sign === ' ' || sign === '\t') return text.slice(start, index)
    else if (sign === '(') open++
    else if (sign === ')' && open-- === 0) return text.slice(start, index)
  }
  return ''
}
