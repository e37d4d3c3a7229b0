import { isLayoutTable } from '../blocks/layout-tables'
import { isDropped } from '../dom/boilerplate-elements'
import { lettersOf, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import type { ParsedPage } from '../dom/parse'
import { removeCards } from './cards/link-cards'
import { classifyElement, declaresContent, type PageOutline } from './classify-element'
import { hint } from './names/class-name-hints'
import { hintsOf } from './names/class-names'
import { hasOwnContent, holderOfLines } from './own-content'
import { headingOf, sectionsNamedByHeading } from './page-heading'
import { continuesBeside } from './prose-section'
import { measureProse } from './text-density'

/** Articles considered as holders of the content. */
const maxArticles = 100
/** Elements whose headers are not that of the page. */
const textElements = new Set(['main', 'article', 'section', 'li'])
/** Hints that page builders and advertisers put on anything. */
const builderHints = hint.widget | hint.advert
/** A page with less prose has hardly any content; next to much more in comments, it is a discussion. */
const minPageProse = 150

/** The location of a page's content. */
export interface ContentArea {
  content: PageElement
  /** The heading that names the page. */
  heading: PageElement | null
  /** Prose of the page, boilerplate included, but not comments that are not its content. */
  total: number
  /** Documentation, with chapters, terms or code: its links are part of what it explains. */
  isManual: boolean
}

/**
 * Finds the element that holds the content of a page, and classifies all elements. Afterwards `prose` and `plain` of
 * the elements count content only. On a page that `isThread`, comments are content.
 */
export function locateContent(page: ParsedPage, title: string, isThread = false): ContentArea {
  const { body } = page
  measureProse(body)
  const heading = headingOf(page, title)
  const total = body.prose
  const sections = sectionsNamedByHeading(page)
  const holders = [...page.mains, ...page.articles.slice(0, maxArticles)].filter((holder) => !isInAside(holder))
  const outline: PageOutline = {
    firstHeaders: firstHeaders(page, total),
    knownContent: withAncestors([
      ...(heading ? [heading] : []),
      ...holders.filter((holder) => holder.prose > total / 3),
      ...sections,
    ]),
    total,
    letters: lettersOf(body),
    isForum: isThread,
    ignoredHints: hintsAround(heading) & builderHints,
  }
  const { comments, own } = classifyAll(page, outline)
  const content = descend(body, {
    declared: withAncestors(selectLargest(holders, body)),
    aboveOwn: own && withAncestors([own]),
    hasSections: sections.length > 0,
  })
  removeCards(body, content)
  return {
    content,
    heading,
    total: total - comments,
    isManual: sections.length > 0 || (content.descendantCategories & category.documentation) !== 0,
  }
}

/** Returns the first header of the page, and that of an article with most of its prose. */
function firstHeaders({ headers, articles }: ParsedPage, total: number): Set<PageElement> {
  const article = articles.slice(0, maxArticles).find(({ prose }) => prose > total / 2)
  const ofArticle = article && headers.find((header) => isDescendantOf(header, article))
  const [first, ...others] = headers
  const ofPage = first && !isOfCard(first, others) ? first : undefined
  return new Set([ofPage, ofArticle].filter((header) => header !== undefined))
}

/** Whether a header is in the text of a page, or one of those of several boxes in a row. */
function isOfCard(header: PageElement, others: PageElement[]): boolean {
  const row = header.parent?.parent
  if (row && others.some(({ parent }) => parent !== header.parent && parent?.parent === row)) return true
  for (let node = header.parent; node; node = node.parent) if (textElements.has(node.name)) return true
  return false
}

function isDescendantOf(element: PageElement, outer: PageElement): boolean {
  for (let node = element.parent; node; node = node.parent) if (node === outer) return true
  return false
}

/** Whether an element is the preview of another page, beside the text. */
function isInAside(element: PageElement): boolean {
  for (let node = element.parent; node; node = node.parent) if (node.name === 'aside' || isDropped(node)) return true
  return false
}

/** Returns the holders with half of the page, which are nested in one another. */
function selectLargest(holders: PageElement[], body: PageElement): PageElement[] {
  return holders.filter(
    (holder) =>
      holder.classification === 'content' &&
      (holder.prose > body.prose / 2 || (lettersOf(holder) > lettersOf(body) / 2 && holder.prose * 4 >= body.prose)),
  )
}

function withAncestors(elements: PageElement[]): Set<PageElement> {
  const chain = new Set<PageElement>()
  for (const element of elements)
    for (let node: PageElement | null = element; node && !chain.has(node); node = node.parent) chain.add(node)
  return chain
}

function hintsAround(heading: PageElement | null): number {
  let names = 0
  for (let node = heading; node; node = node.parent) names |= hintsOf(node)
  return names
}

/**
 * Classifies all elements. If hardly any content remains, classifies again without the hints responsible for that.
 * Returns the prose of comments that are removed, and, of a page whose content is comments, the element that contains all
 * other lines.
 */
function classifyAll(page: ParsedPage, outline: PageOutline): { comments: number; own: PageElement | null } {
  const { body } = page
  const first = classify(body, outline)
  const isForum =
    !outline.isForum &&
    body.prose < minPageProse &&
    first.comments > 3 * minPageProse &&
    !hasOwnContent(page, withAncestors(first.elements.filter(isComments)))
  const isBuilt = first.layout > body.prose * 2
  if (!isForum && !isBuilt) return { comments: first.comments, own: null }
  const own = isForum ? holderOfLines(body) : null
  for (const element of first.elements) {
    element.classification = 'content'
  }
  measureProse(body)
  const { comments } = classify(body, {
    ...outline,
    isForum: isForum || outline.isForum,
    ignoredHints: isBuilt ? builderHints : outline.ignoredHints,
  })
  return { comments, own }
}

function isComments(element: PageElement): boolean {
  return (hintsOf(element) & hint.comments) !== 0
}

interface Excluded {
  elements: PageElement[]
  /** Prose of comments, and of elements with the hints of widgets or advertisements only. */
  comments: number
  layout: number
}

function classify(body: PageElement, outline: PageOutline): Excluded {
  const found: Excluded = { elements: [], comments: 0, layout: 0 }

  /** Subtracts the prose of excluded elements, from the leaves up. */
  function visit(element: PageElement): void {
    for (const child of element.children) {
      if (typeof child === 'string' || isDropped(child) || child.name === 'pre') continue
      const { prose, unlinkedLetters } = child
      child.classification = classifyElement(child, outline)
      if (child.classification === 'content') visit(child)
      else note(child)
      element.prose -= prose - (child.classification === 'content' ? child.prose : 0)
      element.unlinkedLetters -= unlinkedLetters - (child.classification === 'content' ? child.unlinkedLetters : 0)
    }
    element.prose = Math.max(0, element.prose)
  }

  function note(element: PageElement): void {
    found.elements.push(element)
    const names = hintsOf(element)
    if (isComments(element)) found.comments += element.prose
    else if (names & builderHints && !(names & (hint.column | hint.extra))) found.layout += element.prose
  }

  visit(body)
  return found
}

interface Descent {
  declared: ReadonlySet<PageElement>
  /** Ancestors of the page's own lines, which are not left; null if these need no regard. */
  aboveOwn: ReadonlySet<PageElement> | null
  hasSections: boolean
}

/** Descends from the body as long as one child has most of the prose. */
function descend(body: PageElement, { declared, aboveOwn, hasSections }: Descent): PageElement {
  let pageElement = body
  let isWithinContent = false
  for (;;) {
    isWithinContent ||=
      declaresContent(pageElement) && (hasSections || (pageElement.descendantCategories & category.documentation) !== 0)
    const next = declaredIn(pageElement, declared) ?? richestOf(pageElement)
    if (!next || isOneBlock(next) || aboveOwn?.has(next) === false) return pageElement
    if (!declared.has(next)) {
      if (continuesBeside(next, hasSections)) return pageElement
      const share = shareToDescend(next, isWithinContent || pageElement.prose < minPageProse)
      if (
        next.prose === 0 ||
        next.prose < pageElement.prose * share.prose ||
        next.unlinkedLetters < pageElement.unlinkedLetters * share.plain
      )
        return pageElement
    }
    pageElement = next
  }
}

function declaredIn(element: PageElement, declared: ReadonlySet<PageElement>): PageElement | null {
  for (const child of element.children) if (typeof child !== 'string' && declared.has(child)) return child
  return null
}

function richestOf(element: PageElement): PageElement | null {
  let best: PageElement | null = null
  for (const child of element.children) {
    if (typeof child === 'string' || child.classification !== 'content' || isDropped(child)) continue
    if (child.categories & category.phrasing && !(child.descendantCategories & category.block)) continue
    if (!best || child.prose > best.prose) best = child
  }
  return best
}

/** Whether an element becomes one block, or a part of one. */
function isOneBlock(element: PageElement): boolean {
  const { name, categories } = element
  if (name === 'p' || name === 'blockquote' || name === 'dl' || name === 'pre' || categories & category.heading)
    return true
  if (name === 'table') return !isLayoutTable(element)
  return (categories & category.list) !== 0
}

/** Returns the shares of prose and of unlinked letters that a child needs: the fewer, the more evidence there is. */
function shareToDescend(element: PageElement, isWithinContent: boolean): { prose: number; plain: number } {
  if (hintsOf(element) & hint.content) return { prose: 0.6, plain: 0.5 }
  return isWithinContent ? { prose: 1, plain: 1 } : { prose: 0.75, plain: 0.8 }
}
