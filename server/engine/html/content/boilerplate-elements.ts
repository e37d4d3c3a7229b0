import { attributeOf, elementsIn, lettersOf, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'
import { isHidden } from '../dom/visibility'

const droppedRoles = new Set('navigation search dialog alertdialog menu menubar toolbar tablist tooltip'.split(' '))
const besideRoles = new Set('banner contentinfo complementary'.split(' '))

/** Whole class names and ids; a section about cookies is not a cookie banner. */
const furniture =
  /(^|\s)((cookie|consent|gdpr|privacy)s?[-_]?(bar|banner|box|consent|dialog|info|law|message|modal|notice|overlay|popup|wall)[\w-]*|onetrust[\w-]*|cookiebot[\w-]*|usercentrics[\w-]*|didomi[\w-]*|cc-window|breadcrumbs?|pagination|pager|sr-only|visually-hidden|visuallyhidden|screen-reader-text|skip-link|skip-to-content|social-share|share-buttons|sphinxsidebar|linenos|linenodiv|lineno|viewcode-link|edit-link|edit-this-page)(\s|$)/i

/** Remarks that belong to the text although they stand in an aside. */
const remark = /admonition|note|warning|caution|tip|hint|important|danger|callout|footnote|topic/i

/** True for what is no text of the page: scripts, navigation, hidden and consent elements, links to the place itself. */
export function isDropped(element: PageElement): boolean {
  element.dropped ??= decideDropped(element)
  return element.dropped
}

function decideDropped(element: PageElement): boolean {
  if (element.kind & kindOf.dropped) return true
  return element.attributes.length > 0 && (isHidden(element) || isFurniture(element))
}

/** Makes text of an element that is a control or hidden, unless it is no text for other reasons. */
export function reveal(element: PageElement): void {
  element.dropped = isFurniture(element)
}

function isFurniture(element: PageElement): boolean {
  const role = attributeOf(element, 'role')
  if (role && droppedRoles.has(role)) return true
  const names = `${attributeOf(element, 'class') ?? ''} ${attributeOf(element, 'id') ?? ''}`
  if (names.length > 1 && furniture.test(names)) return true
  return element.name === 'a' && isAnchorMark(element)
}

/** True for what says by its kind that it stands beside the text: footers, side notes that are no remarks, banners. */
export function saysBeside(element: PageElement): boolean {
  const { name } = element
  if (name === 'footer') return true
  if (name === 'aside') return !isRemark(element)
  return besideRoles.has(attributeOf(element, 'role') ?? '')
}

function isRemark(element: PageElement): boolean {
  return remark.test(attributeOf(element, 'class') ?? '') || remark.test(attributeOf(element, 'id') ?? '')
}

/** The sign beside a heading by which one links to it. */
export function isAnchorMark(link: PageElement): boolean {
  if (!attributeOf(link, 'href')?.includes('#') || lettersOf(link) > 3) return false
  const text = plainText(link).trim()
  if (text.length > 2 || !/^[#¶§]?[\ufe0f\u200b]?$|^🔗$/u.test(text)) return false
  for (const { name, attributes } of elementsIn(link)) if (name === 'img' && attributes.includes('alt')) return false
  return true
}

/** All text of a small element, whatever it is. */
function plainText(element: PageElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : plainText(child))).join('')
}
