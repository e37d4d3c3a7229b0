import { isDropped, reveal } from '../dom/boilerplate-elements'
import { attributeOf, childElements, descendantsOf, lettersOf, linkDensity, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import type { ParsedPage } from '../dom/parse'
import { textOf } from '../dom/text'
import { isHidden, isHiddenByAttribute, isHiddenOtherwise } from '../dom/visibility'
import { hint } from './names/class-name-hints'
import { hintsOf } from './names/class-names'
import { isProse } from './prose'

/** Letters of hidden text that are much in any page, and those that are if they make up this share of it. */
const manyLetters = 1000
const minLetters = 100
const minShare = 0.1
/** Share of links from which on a hidden element is a menu. */
const maxLinkShare = 0.5
/** Share of a page's letters from which on a hidden element is the page itself. */
const minWrapperShare = 2 / 3
/** Hidden elements read on one page. */
const maxElements = 2000
/** Letters of hidden elements read on one page: of elements nested in one another, those of the inner ones count again. */
const maxReadLetters = 2_000_000

/** Names of what stays hidden until somebody needs it: menus, dialogs, messages. */
const overlayNames =
  /(?:^|[\s_-])(?:\w*menu|nav\w*|dropdown|drawer|off-?canvas|modal|dialog|popup|popover|tooltip|overlay|lightbox|search\w*|login|toast|alert|errors?|notifications?|snackbar|template|loading|loader|spinner|success|messages?)(?:[\s_-]|$)/i
const overlayHints = hint.extra | hint.comments | hint.consent | hint.foot | hint.advert

/** Whether an element of a page can have the attribute `hidden`; false for most pages, which need no search for one. */
export function mayHideText(html: string): boolean {
  return /\shidden[\s=>/]/i.test(html)
}

/** Reveals the element that holds most of the page, which some pages hide until a script runs. */
export function revealWrapper({ body }: ParsedPage): void {
  const minWrapperLetters = Math.max(minLetters, lettersOf(body) * minWrapperShare)
  let wrapper: PageElement | undefined = body
  while (wrapper) {
    wrapper = childElements(wrapper).find((child) => lettersOf(child) >= minWrapperLetters)
    if (!wrapper || wrapper.categories & category.dropped || linkDensity(wrapper) >= maxLinkShare) return
    if (isHidden(wrapper) && !isNamedForOverlay(wrapper)) reveal(wrapper)
  }
}

/**
 * Reveals text that a page hides by the attribute `hidden` if there is much of it: help pages show the variants for one
 * system or program by a script. Without a script, nothing can show it. Little hidden text stays hidden, and so do menus, dialogs and consent banners.
 */
export function revealHiddenText(page: ParsedPage): void {
  if (!page.scripts.some(isCode)) return
  let read = 0
  const hidden = descendantsOf(page.body)
    .filter(isHiddenByAttribute)
    .slice(0, maxElements)
    .filter((element) => {
      read += lettersOf(element)
      return read <= maxReadLetters && isReadable(element)
    })
  const set = new Set(hidden)
  const reachable = hidden.filter((element) => !isInsideDropped(element, set))
  const letters = reachable
    .filter((element) => !hasAncestorIn(element, set))
    .reduce((sum, element) => sum + lettersOf(element), 0)
  if (letters < minLetters || (letters < manyLetters && letters < lettersOf(page.body) * minShare)) return
  for (const element of reachable) reveal(element)
}

function isCode(script: PageElement): boolean {
  return !/json/i.test(attributeOf(script, 'type') ?? '')
}

function isReadable(element: PageElement): boolean {
  if (element.categories & category.dropped || isHiddenOtherwise(element)) return false
  if (isNamedForOverlay(element) || linkDensity(element) >= maxLinkShare) return false
  return (element.descendantCategories & category.structure) !== 0 || isProse(textOf(element), 1)
}

function isNamedForOverlay(element: PageElement): boolean {
  const names = `${attributeOf(element, 'class') ?? ''} ${attributeOf(element, 'id') ?? ''}`
  return (hintsOf(element) & overlayHints) !== 0 || overlayNames.test(names)
}

function isInsideDropped(element: PageElement, revealed: ReadonlySet<PageElement>): boolean {
  for (let node = element.parent; node; node = node.parent) if (!revealed.has(node) && isDropped(node)) return true
  return false
}

function hasAncestorIn(element: PageElement, set: ReadonlySet<PageElement>): boolean {
  for (let node = element.parent; node; node = node.parent) if (set.has(node)) return true
  return false
}
