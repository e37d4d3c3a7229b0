import { attributeOf, descendantsOf, linkDensity, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import { isHeadingSection, startsWithHeading, takesInput } from '../dom/heading-section'
import { hint } from './names/class-name-hints'
import { hintsOf } from './names/class-names'
import { isNamedAfterHeading } from './page-heading'

/** Prose of a section: that of a short sentence. */
const minProse = 12
/** Prose of a paragraph or a section beside it. */
const minSiblingProse = 60
/** Share of links above which a text leads to other pages; that of a section named by its heading. */
const maxLinkShare = 0.25
const maxLinkShareOfNamed = 0.5
/** Share of its parent's prose above which a sibling is the text, and the element a column beside it. */
const maxSiblingShare = 0.8
/** Siblings among which prose is looked for, and descendants that are searched for comments. */
const maxSiblings = 200
const maxDescendants = 400

/**
 * Whether an element is a section of a text, whatever its names say: it has a heading, prose, few links and no form, and
 * its id repeats the heading, or its siblings have prose. Generators derive ids from headings, so an id can be any word.
 */
export function isProseSection(element: PageElement): boolean {
  if (!(element.descendantCategories & category.heading) || element.prose < minProse) return false
  return (isNamedSection(element) || isSectionBesideProse(element)) && !holdsReadersComments(element)
}

function isNamedSection(element: PageElement): boolean {
  return isNamedAfterHeading(element) && linkDensity(element) <= maxLinkShareOfNamed && !takesInput(element)
}

/** Whether a paragraph, or a section of the same kind, is a sibling of the section. */
function isSectionBesideProse(element: PageElement): boolean {
  if (!isHeadingSection(element)) return false
  return siblingsOf(element).some((sibling) => {
    if (sibling.prose < minSiblingProse || linkDensity(sibling) > maxLinkShare) return false
    const { name, descendantCategories, prose } = sibling
    if (name === 'p' || name === 'pre' || !(descendantCategories & category.block)) return true
    return name === element.name && prose < maxSiblingShare * (element.parent?.prose ?? 0) && startsWithHeading(sibling)
  })
}

/**
 * Whether a sibling of the element continues its text: a section with prose, of the same class unless the page
 * `isManual`.
 */
export function continuesBeside(element: PageElement, isManual: boolean): boolean {
  const ownClass = attributeOf(element, 'class')
  if (!isManual && (ownClass === null || !startsWithHeading(element))) return false
  return siblingsOf(element).some((sibling) => {
    if (sibling.name !== element.name || sibling.classification !== 'content' || sibling.prose < minProse) return false
    return (isManual || attributeOf(sibling, 'class') === ownClass) && isHeadingSection(sibling)
  })
}

function siblingsOf(element: PageElement): PageElement[] {
  const children = element.parent?.children.slice(0, maxSiblings) ?? []
  return children.filter((child) => typeof child !== 'string').filter((child) => child !== element)
}

/** Whether an element named for comments holds some: each has a date, or is named for it. */
function holdsReadersComments(element: PageElement): boolean {
  if (!(hintsOf(element) & hint.comments)) return false
  return descendantsOf(element)
    .slice(0, maxDescendants)
    .some((inner) => inner.name === 'time' || (hintsOf(inner) & hint.comments) !== 0)
}
