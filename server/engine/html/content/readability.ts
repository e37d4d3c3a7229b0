import { Readability } from '@mozilla/readability'
import { escapeUTF8 } from 'entities/escape'
import { parseHTML } from 'linkedom'
import { attributeOf, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'
import { type ParsedPage, parsePage } from '../dom/parse'

/** What says nothing about where the text is, and costs the heuristics most. */
const skipped = new Set('style noscript template title svg math iframe object embed canvas link base'.split(' '))

/**
 * What the heuristics of a browser's reading mode take for the article, as a page of its own; null where they find less
 * than `fewLetters`. They are slow, and want a whole document of their own, which they change.
 */
export function readingMode(body: PageElement, title: string, fewLetters: number): ParsedPage | null {
  const source = `<!doctype html><html><head><title>${escapeUTF8(title)}</title></head><body>${markupOf(body)}</body></html>`
  try {
    const { document } = parseHTML(source)
    const article = new Readability(document, { charThreshold: fewLetters, keepClasses: true }).parse()
    return article?.content ? parsePage(article.content) : null
  } catch {
    // A page that the heuristics cannot bear is read without them.
    return null
  }
}

function markupOf(element: PageElement): string {
  let markup = ''
  for (const child of element.children) {
    if (typeof child === 'string') markup += escapeUTF8(child)
    else if (child.name === 'script') markup += scriptMarkup(child)
    else if (!skipped.has(child.name)) markup += elementMarkup(child)
  }
  return markup
}

/** Structured data names the author and the title, which reading mode keeps out of the text. */
function scriptMarkup(script: PageElement): string {
  const isData = attributeOf(script, 'type') === 'application/ld+json'
  return isData ? `<script type="application/ld+json">${script.children.join('')}</script>` : ''
}

function elementMarkup(element: PageElement): string {
  const { name, attributes } = element
  let tag = `<${name}`
  for (let at = 0; at < attributes.length; at += 2)
    tag += ` ${attributes[at]}="${escapeUTF8(attributes[at + 1] ?? '')}"`
  return element.kind & kindOf.empty ? `${tag}>` : `${tag}>${markupOf(element)}</${name}>`
}
