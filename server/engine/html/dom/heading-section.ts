import { attributeOf, descendantsOf, lettersOf, linkDensity, type PageElement } from './element'
import { category } from './element-categories'

/** Share of links above which a section leads to other pages. */
const maxLinkShare = 0.25
/** Levels below which the heading of a section is not looked for. */
const maxHeadingDepth = 3

/** Whether an element starts with a heading, has hardly any links, and takes nothing that a visitor enters. */
export function isHeadingSection(element: PageElement): boolean {
  if (!(element.categories & category.block) || !startsWithHeading(element)) return false
  return linkDensity(element) <= maxLinkShare && !takesInput(element)
}

/** Whether an element is a form, or has a field to fill in. */
export function takesInput(element: PageElement): boolean {
  if (!((element.categories | element.descendantCategories) & category.field)) return false
  return isField(element) || descendantsOf(element).some(isField)
}

/** Whether an element takes what a visitor enters. Tabs without a script are radio buttons. */
function isField(element: PageElement): boolean {
  if (!(element.categories & category.field)) return false
  return element.name !== 'input' || !/^(?:radio|checkbox|hidden)$/i.test(attributeOf(element, 'type') ?? '')
}

/** Whether the first text in an element is in a heading. */
export function startsWithHeading(element: PageElement, depth = maxHeadingDepth): boolean {
  if (!(element.descendantCategories & category.heading)) return false
  for (const child of element.children) {
    if (typeof child === 'string') {
      if (child.trim() !== '') return false
    } else if (child.categories & category.heading) return true
    else if (lettersOf(child) > 0) return depth > 0 && startsWithHeading(child, depth - 1)
  }
  return false
}
