import { isLayout } from '../blocks/layout-tables'
import { lettersOf, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'
import type { ParsedPage } from '../dom/parse'
import { isDropped } from './boilerplate-elements'
import { named } from './class-name-hints'
import { namesOf } from './class-names'
import { declaresContent, type PageOutline, standingOf } from './classify-element'
import { markCards } from './link-cards'
import { headingOf, namedByHeading } from './page-heading'
import { weighProse } from './text-density'

/** Articles that are asked whether they are the content. */
const mostArticles = 100
/** What page builders and advertisers name anything. */
const layoutNames = named.widget | named.advert
/** Below so much prose beside much more of readers, these are the page. */
const hardlyAny = 150

/** Where the content of a page is. */
export interface PageAreas {
  /** The element that holds it. */
  content: PageElement
  /** The heading that names the page. */
  heading: PageElement | null
  /** Prose of the whole page, as if nothing stood beside the content. */
  total: number
  /** Has chapters, terms or code, as manuals do: its links are part of what it explains. */
  isManual: boolean
}

/**
 * Finds the element that holds the content of a page, and marks what stands beside it, inside and outside, and what is
 * not to be read at all. Afterwards the elements' `prose` is that of the content alone.
 */
export function areasOf(page: ParsedPage, title: string): PageAreas {
  const { body } = page
  weighProse(body)
  const heading = headingOf(page, title)
  const total = body.prose
  const sections = namedByHeading(page)
  const holders = [...page.mains, ...page.articles.slice(0, mostArticles)]
  const outline: PageOutline = {
    certain: wayTo([
      ...(heading ? [heading] : []),
      ...holders.filter((holder) => holder.prose > total / 3),
      ...sections,
    ]),
    total,
    letters: lettersOf(body),
    isForum: false,
    usual: namesAround(heading) & layoutNames,
  }
  markBeside(body, outline)
  const content = contentIn(body, wayTo(largestOf(holders, body)), sections.length > 0)
  markCards(body, content)
  return { content, heading, total, isManual: sections.length > 0 || (content.holds & kindOf.manual) !== 0 }
}

/** Those that hold half of the page, and are inside of one another. */
function largestOf(holders: PageElement[], body: PageElement): PageElement[] {
  return holders.filter(
    (holder) =>
      holder.standing === 'text' &&
      (holder.prose > body.prose / 2 || (lettersOf(holder) > lettersOf(body) / 2 && holder.prose * 4 >= body.prose)),
  )
}

/** The elements and all around them. */
function wayTo(elements: PageElement[]): Set<PageElement> {
  const way = new Set<PageElement>()
  for (const element of elements)
    for (let at: PageElement | null = element; at && !way.has(at); at = at.parent) way.add(at)
  return way
}

function namesAround(heading: PageElement | null): number {
  let names = 0
  for (let at = heading; at; at = at.parent) names |= namesOf(at)
  return names
}

/** Marks what stands beside the content; where that leaves hardly anything, the names that did it are not believed. */
function markBeside(body: PageElement, outline: PageOutline): void {
  const first = mark(body, outline)
  const isForum = body.prose < hardlyAny && first.comments > 3 * hardlyAny
  const isBuilt = first.layout > body.prose * 2
  if (!isForum && !isBuilt) return
  for (const element of first.marked) {
    element.standing = 'text'
  }
  weighProse(body)
  mark(body, { ...outline, isForum, usual: isBuilt ? layoutNames : outline.usual })
}

interface Marked {
  marked: PageElement[]
  /** Prose of comments, and of what only has the name of a widget or an advertisement. */
  comments: number
  layout: number
}

function mark(body: PageElement, outline: PageOutline): Marked {
  const found: Marked = { marked: [], comments: 0, layout: 0 }

  /** Takes the prose of what is marked away, from the leaves up. */
  function visit(element: PageElement): void {
    for (const child of element.children) {
      if (typeof child === 'string' || isDropped(child) || child.name === 'pre') continue
      const { prose, plain } = child
      child.standing = standingOf(child, outline)
      if (child.standing === 'text') visit(child)
      else note(child)
      element.prose -= prose - (child.standing === 'text' ? child.prose : 0)
      element.plain -= plain - (child.standing === 'text' ? child.plain : 0)
    }
    element.prose = Math.max(0, element.prose)
  }

  function note(element: PageElement): void {
    found.marked.push(element)
    const names = namesOf(element)
    if (names & named.comments) found.comments += element.prose
    else if (names & layoutNames && !(names & (named.column | named.extra))) found.layout += element.prose
  }

  visit(body)
  return found
}

/** Down from the body, as long as one child has most of what there is to read. */
function contentIn(body: PageElement, declared: Set<PageElement>, hasSections: boolean): PageElement {
  let at = body
  let isInside = false
  for (;;) {
    isInside ||= declaresContent(at) && (hasSections || (at.holds & kindOf.manual) !== 0)
    const next = declaredIn(at, declared) ?? richestOf(at)
    if (!next || isOneBlock(next)) return at
    if (!declared.has(next)) {
      const share = shareToDescend(next, isInside || at.prose < hardlyAny)
      if (next.prose === 0 || next.prose < at.prose * share.prose || next.plain < at.plain * share.plain) return at
    }
    at = next
  }
}

function declaredIn(element: PageElement, declared: Set<PageElement>): PageElement | null {
  for (const child of element.children) if (typeof child !== 'string' && declared.has(child)) return child
  return null
}

function richestOf(element: PageElement): PageElement | null {
  let best: PageElement | null = null
  for (const child of element.children) {
    if (typeof child === 'string' || child.standing !== 'text' || isDropped(child)) continue
    if (child.kind & kindOf.phrasing && !(child.holds & kindOf.block)) continue
    if (!best || child.prose > best.prose) best = child
  }
  return best
}

/** Is shown as one block, or as a part of one. */
function isOneBlock(element: PageElement): boolean {
  const { name, kind } = element
  if (name === 'p' || name === 'blockquote' || name === 'dl' || name === 'pre' || kind & kindOf.heading) return true
  if (name === 'table') return !isLayout(element)
  return (kind & kindOf.list) !== 0
}

/** The less it takes, the more says that the content is in there. */
function shareToDescend(element: PageElement, isInside: boolean): { prose: number; plain: number } {
  if (namesOf(element) & named.content) return { prose: 0.6, plain: 0.5 }
  return isInside ? { prose: 1, plain: 1 } : { prose: 0.75, plain: 0.8 }
}
