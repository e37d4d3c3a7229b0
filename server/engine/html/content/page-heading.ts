import { isDropped, isInsideDropped } from '../dom/boilerplate-elements'
import { attributeOf, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import type { ParsedPage } from '../dom/parse'
import { lettersOnly, textOf } from '../dom/text'

/** Headings that are compared with the title. */
const maxHeadings = 100
/** Sections named after their headings from which on this is the page's convention, as in documentation. */
const minSections = 2
/** Characters of a text that are compared. */
const maxComparedLength = 300
/** Characters of a title that a heading may contain, rather than the other way around. */
const minTitleLength = 10

/** Returns the longest heading that the page's title repeats; else the first h1. */
export function headingOf(page: ParsedPage, title: string): PageElement | null {
  const headings = page.headings
    .filter(({ name }) => name <= 'h3')
    .slice(0, maxHeadings)
    .filter((heading) => !isDropped(heading) && !isInsideDropped(heading))
  const titleWords = wordsOnly(title)
  let best: PageElement | null = null
  let bestLength = 3
  for (const heading of headings) {
    const text = wordsOnly(textOf(heading))
    const isRepeated = titleWords.includes(text) || (titleWords.length >= minTitleLength && text.includes(titleWords))
    if (!isRepeated || text.length <= bestLength) continue
    best = heading
    bestLength = text.length
  }
  return best ?? headings.find(({ name }) => name === 'h1') ?? null
}

/**
 * Returns the sections whose ids repeat their headings. Such an id is about the text: the chapter on comments in
 * documentation is not a place for comments.
 */
export function sectionsNamedByHeading(page: ParsedPage): PageElement[] {
  const sections = page.headings.flatMap(({ parent }) => (parent && isNamedByHeading(parent) ? [parent] : []))
  return sections.length >= minSections ? sections : []
}

/** Whether the id of an element repeats a heading that is its child, but for a number. */
function isNamedByHeading(element: PageElement): boolean {
  return hasNamedHeading(element, (id, text) => text.endsWith(id))
}

/** Like that, also if the id has a prefix. */
export function isNamedAfterHeading(element: PageElement): boolean {
  return hasNamedHeading(element, (id, text) => text.endsWith(id) || (text.length > 1 && id.endsWith(text)))
}

function hasNamedHeading(element: PageElement, isName: (id: string, text: string) => boolean): boolean {
  const id = lettersOnly((attributeOf(element, 'id') ?? '').slice(0, maxComparedLength))
  if (id === '') return false
  return element.children.some(
    (child) =>
      typeof child !== 'string' &&
      child.categories & category.heading &&
      isName(id, lettersOnly(textOf(child).slice(0, maxComparedLength))),
  )
}

function wordsOnly(text: string): string {
  return text
    .slice(0, maxComparedLength)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
