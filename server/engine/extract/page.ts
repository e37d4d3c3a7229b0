import { parseHTML } from 'linkedom'
import { crawlLimits } from '../limits'
import type { PageDocument } from '../ports'
import { mainBlocks } from './main-content'
import { factsOf, linksOf, titleOf } from './metadata'

/**
 * Reads a page: what it says about itself, its main content as ordered blocks, and its links. `url` is the address it
 * was read from. Pure and synchronous; a hostile page can take long, so the product runs it in a thread.
 */
export function extractPage(html: string, url: string): PageDocument {
  const light = withoutColours(html)
  const document = parseDocument(light)
  const { base, ...facts } = factsOf(document, url)
  const blocks = mainBlocks(document, () => parseDocument(light))
  return {
    ...facts,
    title: titleOf(facts.title, blocks),
    blocks,
    links: linksOf(document, base, crawlLimits.linksPerPage),
  }
}

/**
 * Code without the elements that only colour it: a third of a manual's elements, and each costs the parser more than
 * all the text in it. Code that hides something keeps its elements.
 */
function withoutColours(html: string): string {
  return html.replace(/<pre[\s>][\s\S]*?<\/pre>/gi, (code) =>
    /\s(hidden|style|aria-hidden)\b|linen/i.test(code) ? code : code.replace(/<\/?span(\s[^>]*)?>/gi, ''),
  )
}

/** The parser takes the first element for the root, so a page without html and body gets them. */
export function parseDocument(html: string): Document {
  const isWhole = /<html[\s>]/i.test(html) && /<body[\s>]/i.test(html)
  const source = isWhole
    ? html
    : `<!doctype html><html${langIn(html)}><head></head><body>${unframed(html)}</body></html>`
  return parseHTML(source).document
}

function langIn(html: string): string {
  const lang = /<html[^>]*\slang\s*=\s*["']?([\w-]+)/i.exec(html)?.[1]
  return lang ? ` lang="${lang}"` : ''
}

function unframed(html: string): string {
  return html.replace(/<!doctype[^>]*>|<\/?(html|head|body)(\s[^>]*)?>/gi, '')
}
