import { Readability } from '@mozilla/readability'
import { escapeUTF8 } from 'entities/escape'
import { parseHTML } from 'linkedom'
import { attributeOf, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import { type ParsedPage, parsePage } from '../dom/parse'
import { hint } from './names/class-name-hints'
import { hintsOf } from './names/class-names'

/** Elements that do not help the heuristics, but cost them most. */
const skipped = new Set('style noscript template title svg math iframe object embed canvas link base'.split(' '))

/**
 * Runs Mozilla's Readability. Returns the article as a page of its own, or null if it has fewer than `minLetters`
 * characters. Slow: Readability needs, and changes, a DOM document of its own.
 */
export function runReadability(body: PageElement, title: string, minLetters: number): ParsedPage | null {
  const source = `<!doctype html><html><head><title>${escapeUTF8(title)}</title></head><body>${markupOf(body)}</body></html>`
  try {
    const { document } = parseHTML(source)
    const article = new Readability(document, { charThreshold: minLetters, keepClasses: true }).parse()
    return article?.content ? parsePage(article.content) : null
  } catch {
    // Pages that crash Readability are extracted without it.
    return null
  }
}

function markupOf(element: PageElement): string {
  let markup = ''
  for (const child of element.children) {
    if (typeof child === 'string') markup += escapeUTF8(child)
    else if (child.name === 'script') markup += scriptMarkup(child)
    else if (!skipped.has(child.name) && !isRemovedComment(child)) markup += elementMarkup(child)
  }
  return markup
}

function isRemovedComment(element: PageElement): boolean {
  return element.classification === 'removed' && (hintsOf(element) & hint.comments) !== 0
}

/** Keeps JSON-LD: from it, Readability knows the author and the title, which it removes from the text. */
function scriptMarkup(script: PageElement): string {
  const isData = attributeOf(script, 'type') === 'application/ld+json'
  return isData ? `<script type="application/ld+json">${script.children.join('')}</script>` : ''
}

function elementMarkup(element: PageElement): string {
  const { name, attributes } = element
  let tag = `<${name}`
  for (let index = 0; index < attributes.length; index += 2)
    tag += ` ${attributes[index]}="${escapeUTF8(attributes[index + 1] ?? '')}"`
  return element.categories & category.void ? `${tag}>` : `${tag}>${markupOf(element)}</${name}>`
}
