const droppedTags = new Set(
  'script style noscript template svg canvas iframe object embed video audio map head title meta link button input select textarea option datalist nav footer dialog menu marquee'.split(
    ' ',
  ),
)

const droppedRoles = new Set(
  'navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar tablist tooltip'.split(
    ' ',
  ),
)

/** An element that a style rule of its own makes invisible. */
const hiddenStyle =
  /display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|font-size\s*:\s*0+(px|em|rem|pt|%)?\s*(;|!|$)|opacity\s*:\s*0*\.?0+\s*(;|!|$)|(text-indent|left|top)\s*:\s*-\d{3,}/i

/** Whole class names and ids; a section about cookies is not a cookie banner. */
const furniture =
  /(^|\s)((cookie|consent|gdpr|privacy)s?[-_]?(bar|banner|box|consent|dialog|info|law|message|modal|notice|overlay|popup|wall)[\w-]*|onetrust[\w-]*|cookiebot[\w-]*|usercentrics[\w-]*|didomi[\w-]*|cc-window|breadcrumbs?|pagination|pager|sr-only|visually-hidden|visuallyhidden|screen-reader-text|skip-link|skip-to-content|social-share|share-buttons|sphinxsidebar|linenos|linenodiv|lineno|viewcode-link|edit-link|edit-this-page|print-only)(\s|$)/i

/** Remarks that belong to the text although they stand in an aside. */
const remark = /admonition|note|warning|caution|tip|hint|important|danger|callout|footnote|topic/i

/** True for what is no text of the page: scripts, navigation, hidden and consent elements, links to the place itself. */
export function isDropped(element: Element): boolean {
  const name = element.localName
  if (droppedTags.has(name)) return true
  if (element.attributes.length === 0) return name === 'aside'
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true
  const names = `${element.getAttribute('class') ?? ''} ${element.id}`
  if (name === 'aside' && !remark.test(names)) return true
  const role = element.getAttribute('role')
  if (role && droppedRoles.has(role) && name !== 'aside') return true
  if (names.length > 1 && furniture.test(names)) return true
  const style = element.getAttribute('style')
  if (style && hiddenStyle.test(style)) return true
  return name === 'a' && isAnchorMark(element)
}

/** The sign beside a heading by which one links to it. */
export function isAnchorMark(link: Element): boolean {
  const href = link.getAttribute('href') ?? ''
  if (!href.includes('#')) return false
  const text = (link.textContent ?? '').trim()
  return text.length <= 2 && /^[#¶§]?[\ufe0f\u200b]?$|^🔗$/u.test(text) && !link.querySelector('img[alt]')
}

/** Share of an element's text that is link text, 0 to 1. */
export function linkDensity(element: Element): number {
  const all = (element.textContent ?? '').replace(/\s+/g, '').length
  if (all === 0) return 0
  let linked = 0
  for (const link of element.querySelectorAll('a[href]')) linked += (link.textContent ?? '').replace(/\s+/g, '').length
  return Math.min(1, linked / all)
}
