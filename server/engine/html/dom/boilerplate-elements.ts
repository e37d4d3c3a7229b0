import { attributeOf, descendantsOf, lettersOf, type PageElement } from './element'
import { category } from './element-categories'
import { isHeadingSection } from './heading-section'
import { isHidden } from './visibility'

const droppedRoles = new Set('navigation search dialog alertdialog menu menubar toolbar tablist tooltip'.split(' '))
const boilerplateRoles = new Set('banner contentinfo complementary'.split(' '))

/** Matches complete class names and ids: a section about cookies is not a cookie banner. */
const droppedNames =
  /(^|\s)(onetrust[\w-]*|cookiebot[\w-]*|usercentrics[\w-]*|didomi[\w-]*|cc-window|sr-only|visually-hidden|visuallyhidden|screen-reader-text|sphinxsidebar|linenos|linenodiv|lineno|viewcode-link)(\s|$)/i
/** Like those, but a section of text can have them, since ids are made from headings. */
const droppedUnlessSection =
  /(^|\s)((cookie|consent|gdpr|privacy)s?[-_]?(bar|banner|box|consent|dialog|info|law|message|modal|notice|overlay|popup|wall)[\w-]*|breadcrumbs?|pagination|pager|skip-link|skip-to-content|social-share|share-buttons|edit-link|edit-this-page)(\s|$)/i

/** Asides that are part of the text. */
const admonition = /admonition|note|warning|caution|tip|hint|important|danger|callout|footnote|topic/i

/** Whether an element is never text of the page: scripts, navigation, hidden elements, consent banners, permalinks. */
export function isDropped(element: PageElement): boolean {
  element.dropped ??= decideDropped(element)
  return element.dropped
}

function decideDropped(element: PageElement): boolean {
  if (element.categories & category.dropped) return true
  return element.attributes.length > 0 && (isHidden(element) || isDroppedByName(element))
}

/** Whether an ancestor of an element is dropped. */
export function isInsideDropped(element: PageElement): boolean {
  for (let node = element.parent; node; node = node.parent) if (isDropped(node)) return true
  return false
}

/** Makes an element text although it is a control or hidden, unless it is dropped for another reason. */
export function reveal(element: PageElement): void {
  element.dropped = isDroppedByName(element)
  element.isRevealed = !element.dropped
}

function isDroppedByName(element: PageElement): boolean {
  const role = attributeOf(element, 'role')
  if (role && droppedRoles.has(role)) return true
  const names = `${attributeOf(element, 'class') ?? ''} ${attributeOf(element, 'id') ?? ''}`
  if (names.length > 1 && (droppedNames.test(names) || (droppedUnlessSection.test(names) && !isTextSection(element))))
    return true
  return element.name === 'a' && isPermalinkIcon(element)
}

/** Whether an element is a section of text: a consent banner has buttons. */
function isTextSection(element: PageElement): boolean {
  return isHeadingSection(element) && !descendantsOf(element).some(({ name }) => name === 'button')
}

/** Whether the element is boilerplate by its markup: a footer, an aside that is no admonition, a banner. */
export function isBoilerplateByMarkup(element: PageElement): boolean {
  const { name } = element
  if (name === 'footer') return true
  if (name === 'aside') return !isAdmonition(element)
  return boilerplateRoles.has(attributeOf(element, 'role') ?? '')
}

/** Whether an element is a box in a text, such as a note. */
export function isAdmonition(element: PageElement): boolean {
  return admonition.test(attributeOf(element, 'class') ?? '') || admonition.test(attributeOf(element, 'id') ?? '')
}

/** Whether a link is the icon next to a heading that links to it. */
export function isPermalinkIcon(link: PageElement): boolean {
  if (!attributeOf(link, 'href')?.includes('#') || lettersOf(link) > 3) return false
  const text = plainText(link).trim()
  if (text.length > 2 || !/^[#¶§]?[\ufe0f\u200b]?$|^🔗$/u.test(text)) return false
  for (const { name, attributes } of descendantsOf(link)) if (name === 'img' && attributes.includes('alt')) return false
  return true
}

/** Returns all text of a small element, dropped or not. */
function plainText(element: PageElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : plainText(child))).join('')
}
